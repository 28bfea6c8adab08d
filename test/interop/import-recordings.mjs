// Stores what etcd's servers and tools said of a db as a fixture: fixtures/etcd/VERSION/SCENARIO/recorded.json.gz; and what a server
// said that was started on a directory whose log has more than the db: after-restart.json.gz beside it.
//
//   node test/interop/import-recordings.mjs SOURCE [VERSION/SCENARIO…]
//     SOURCE  has a folder VERSION/SCENARIO with the folders
//       online         answers of the running server, `etcdctl -w json`, right before it was stopped
//       after-restart  the same, where the directory could only be asked by starting a server on it again
//       manifest.json  its `tail` has the consistent index of the dbs, and the last entry of the log; not there for `crash`
//       m1 snapshot …  of the offline tools, one folder for each db file
//       forms          of the same tools in all output forms
//
// The JSON has the text of each file under its path below VERSION/SCENARIO (`{ base64 }` where it is not UTF-8). Files may be
// gzipped in SOURCE. Only what has a db file among the fixtures is taken. The same input gives the same bytes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

const FIXTURES = fileURLToPath(new URL('../../fixtures/etcd/', import.meta.url));

/** What is of use of the offline tools' words. Recordings of a panic are not: they are about the tool. */
const OFFLINE =
  /^(hashkv(-rev-\d+)?(-by-[\d.]+)?\.json|status\.json|dump-db-(hash|members|members_removed|lease|auth|authUsers|authRoles|alarm|meta|cluster)\.txt)$/;
const FORMS = /^(status|hashkv|member-list|get-.*)-(simple|json|fields|table)\.txt$/;
/** Of the v2 store there is nothing in the db. */
const ONLINE = /^(?!v2-keys).*\.json$/;
/** Where the log has no change that is not in the db; elsewhere the answers after a restart are not those of the db alone. */
const SAME_AFTER_RESTART = ['empty', 'restored'];
/** Where the log goes on behind the db: answers are those of the db and the rest of the log. */
const MORE_AFTER_RESTART = ['crash', 'nested', 'tail-auth', 'tail-future', 'tail-nospace'];

const [source, ...wanted] = process.argv.slice(2);
if (source === undefined) {
  console.error('usage: import-recordings.mjs SOURCE [VERSION/SCENARIO…]');
  process.exit(2);
}

const sorted = (folder) =>
  (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []).sort((a, b) => (a.name < b.name ? -1 : 1));

function text(path) {
  const bytes = path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
  const decoded = bytes.toString('utf8');
  return Buffer.from(decoded).equals(bytes) ? decoded : { base64: bytes.toString('base64') };
}

function* walk(folder, path = '') {
  for (const entry of sorted(join(folder, path))) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(folder, below);
    else yield below;
  }
}

function takes(scenario, dbFiles, path) {
  const [folder, ...below] = path.split('/');
  const name = below.at(-1) ?? '';
  if (folder === 'online') return ONLINE.test(name);
  if (folder === 'after-restart') return SAME_AFTER_RESTART.includes(scenario) && ONLINE.test(name);
  if (folder === 'forms') return FORMS.test(name);
  return dbFiles.includes(folder) && OFFLINE.test(name);
}

/** The tail of the log by its numbers, and the answers of a server that has applied it. */
function afterRestart(folder) {
  const { tail } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const recorded = tail === undefined ? {} : { 'tail.json': JSON.stringify(tail) };
  for (const path of walk(join(folder, 'after-restart'))) {
    recorded[path.replace(/\.gz$/, '')] = text(join(folder, 'after-restart', path));
  }
  return recorded;
}

const store = (path, recorded) => writeFileSync(path, gzipSync(`${JSON.stringify(recorded, null, 1)}\n`, { level: 9 }));

const names =
  wanted.length > 0
    ? wanted
    : sorted(FIXTURES).flatMap(({ name: version }) =>
        sorted(join(FIXTURES, version)).map(({ name }) => `${version}/${name}`),
      );
for (const name of names) {
  const target = join(FIXTURES, name);
  const dbFiles = sorted(target).map((entry) => entry.name.replace(/\.db\.gz$/, ''));
  const recorded = {};
  for (const path of walk(join(source, name))) {
    const plain = path.replace(/\.gz$/, '');
    if (takes(name.split('/')[1], dbFiles, plain)) recorded[plain] = text(join(source, name, path));
  }
  if (Object.keys(recorded).length === 0) throw new Error(`there is nothing for ${name} in ${source}`);
  store(join(target, 'recorded.json.gz'), recorded);
  if (MORE_AFTER_RESTART.includes(name.split('/')[1])) {
    store(join(target, 'after-restart.json.gz'), afterRestart(join(source, name)));
  }
}
