// Stores what real servers did with damaged data directories, where fixtures/damaged-log-observed.json and
// damaged-backend-observed.json do not have it: damaged pages of the db, missing and foreign parts.
//
//   node test/interop/import-observed.mjs SOURCE
//     SOURCE  a folder with VERSION.json: by recipe { etcd: { outcome, exit, words, sameAsHealthy, revision, keys, put,
//             filesAdded, filesRemoved } }; `none-SCENARIO` is without damage
//
// Writes fixtures/damaged-dir-observed.json. The same input gives the same bytes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const FIELDS = ['outcome', 'exit', 'words', 'sameAsHealthy', 'revision', 'keys', 'put', 'filesAdded', 'filesRemoved'];
/** What is kept of a line; of a crash the first words tell all. */
const WORDS = 400;

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('usage: import-observed.mjs SOURCE');
  process.exit(2);
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const stored = ['damaged-log-observed.json', 'damaged-backend-observed.json'].map((name) =>
  readJson(join(FIXTURES, name)),
);

/** Without numbers that mean nothing: they differ from run to run. */
const plain = (line) =>
  line
    .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
    .replace(/0x…|0x[0-9a-f]{6,}/g, 'ADDRESS')
    .slice(0, WORDS);

function row(etcd) {
  const kept = FIELDS.map((field) => [field, etcd[field]]).filter(([, value]) => value !== undefined && value !== null);
  const words = [...new Set((etcd.words ?? []).map(plain))];
  return Object.fromEntries(
    kept.map(([field, value]) => [field, field === 'words' ? words : value]).filter(([, value]) => value.length !== 0),
  );
}

const versions = readdirSync(source)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => {
    const version = name.slice(0, -'.json'.length);
    const rows = Object.entries(readJson(join(source, name)))
      .filter(([recipe, { etcd }]) => etcd && !stored.some((each) => each[version]?.[recipe]?.outcome))
      .map(([recipe, { etcd }]) => `  ${JSON.stringify(recipe)}: ${JSON.stringify(row(etcd))}`);
    return ` ${JSON.stringify(version)}: {\n${rows.join(',\n')}\n }`;
  });
writeFileSync(join(FIXTURES, 'damaged-dir-observed.json'), `{\n${versions.join(',\n')}\n}\n`);
