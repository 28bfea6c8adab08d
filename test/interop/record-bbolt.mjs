// Records what the real bbolt command says of the fixtures, beside them. Nothing else writes these files.
//
//   node test/interop/record-bbolt.mjs words BBOLT [NAME…]
//     bbolt-{check,info,stats,buckets,pages}.txt of every db fixture (or of those named, e.g. bolt/mixed-1024), with the
//     exit code as last line. BBOLT: the path of bbolt 1.4.3.
//   node test/interop/record-bbolt.mjs commands BBOLT OTHER OTHER_VERSION [NAME…]
//     bbolt-commands.json of the chosen few below. BBOLT: the path of bbolt 1.5.0. Where the command OTHER (1.4.3) answers
//     differently, its answer is kept under `differs`.
//
// Runs the command in a temporary folder on a copy named FILE, so that no path of this machine gets into its words.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const WORDS = ['check', 'info', 'stats', 'buckets', 'pages'];
/** Their tables of pages are long and all alike. */
const WITHOUT_PAGES = /^bolt\/free-ids-65/;
const WITH_COMMANDS =
  /^(etcd\/3\.6\.14\/busy\/snapshot|etcd\/3\.4\.23\/fresh\/m1|bolt\/(small-512-.*|mixed-1024|nested-4096|inline-4096|overflow-4096|keys-4096))$/;
const FORMATS = ['auto', 'ascii-encoded', 'hex', 'bytes', 'redacted'];
const GZIP_ABOVE = 65536;
const STDOUT_KEPT = 262144;

const work = mkdtempSync(join(tmpdir(), 'record-bbolt-'));
const FILE = join(work, 'FILE');

/** Every db file below `folder`: its name, its path, and the folder for what is recorded of it. */
function* dbFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* dbFiles(path);
    else if (entry.name === 'file.db.gz') yield { name: relative(FIXTURES, folder), path, recordings: folder };
    else if (entry.name.endsWith('.db.gz')) {
      const recordings = path.slice(0, -'.db.gz'.length);
      yield { name: relative(FIXTURES, recordings), path, recordings };
    }
  }
}

function run(bbolt, args) {
  const { status, stdout, stderr } = spawnSync(bbolt, args, { cwd: work, maxBuffer: 1 << 30 });
  // What follows "goroutine" in a panic are addresses and paths of this machine.
  const words = stderr
    .toString()
    .replace(/\ngoroutine [\s\S]*$/, '\n')
    .replace(/0x[0-9a-f]{8,}/g, '0x…');
  return { exit: status, stdout, stderr: words };
}

function write(folder, name, bytes) {
  mkdirSync(folder, { recursive: true });
  const [plain, gzipped] = [join(folder, name), join(folder, `${name}.gz`)];
  rmSync(plain, { force: true });
  rmSync(gzipped, { force: true });
  if (bytes.length > GZIP_ABOVE) writeFileSync(gzipped, gzipSync(bytes, { level: 9 }));
  else writeFileSync(plain, bytes);
}

function recordWords(bbolt, { name, recordings }) {
  for (const verb of WORDS) {
    if (verb === 'pages' && WITHOUT_PAGES.test(name)) continue;
    const { exit, stdout, stderr } = run(bbolt, [verb, 'FILE']);
    write(recordings, `bbolt-${verb}.txt`, Buffer.concat([stdout, Buffer.from(`${stderr}[exit ${exit}]\n`)]));
  }
}

/** What there is to ask about: pages of each kind, paths of buckets, keys. */
function survey(bbolt) {
  const text = (...args) => run(bbolt, args).stdout.toString();
  const pages = text('pages', 'FILE')
    .split('\n')
    .slice(2)
    .filter(Boolean)
    .map((line) => {
      const [id, type, items, overflow] = line.split(/\s+/);
      return { id: Number(id), type, items: Number(items || 0), overflow: Number(overflow || 0) };
    });
  const bytes = readFileSync(FILE);
  const pageSize = bytes.readUInt32LE(24);
  const meta = bytes.readBigUInt64LE(pageSize + 64) > bytes.readBigUInt64LE(64) ? pageSize : 0;
  const root = Number(bytes.readBigUInt64LE(meta + 32));
  const hwm = Number(bytes.readBigUInt64LE(meta + 56));
  const paths = [];
  const walk = ({ name, buckets = [] }, path) => {
    // A name that is not text cannot be given as an argument.
    if (/[\0\ufffd]/.test(name)) return;
    if (path) paths.push([...path, name]);
    for (const bucket of buckets) walk(bucket, path ? [...path, name] : []);
  };
  walk(JSON.parse(text('inspect', 'FILE')), undefined);
  const keysOf = (path) =>
    text('keys', '--format', 'hex', 'FILE', ...path)
      .split('\n')
      .filter(Boolean);
  return { pages, root, hwm, paths, keysOf };
}

const spread = (list, n) => (list.length <= n ? list : [...list.slice(0, n - 2), list[list.length >> 1], list.at(-1)]);

function questions(bbolt) {
  const { pages, root, hwm, paths, keysOf } = survey(bbolt);
  const asked = [];
  const ask = (...args) => asked.push(args.map(String));
  const first = (test) => pages.find(test)?.id;
  const leaf = first((p) => p.type === 'leaf' && p.items > 1 && p.id !== root) ?? root;
  const overflowing = first((p) => p.overflow > 0);
  const branches = pages.filter((p) => p.type === 'branch').map((p) => p.id);
  const kinds = [
    0,
    1,
    root,
    leaf,
    ...spread(branches, 3),
    first((p) => p.type === 'freelist'),
    first((p) => p.type === 'free'),
    overflowing,
  ];
  const known = [...new Set(kinds.filter((id) => id !== undefined))];
  const wrong = [hwm, 99999, '18446744073709551615', '18446744073709551616', 'x', '0x2', ''];
  const missing = ['NOFILE'];

  for (const id of known) ask('page', 'FILE', id);
  ask('page', 'FILE', ...known);
  ask('page', '--all', 'FILE');
  ask('page', 'FILE', '--all');
  for (const format of [...FORMATS, 'nonsense']) {
    ask('page', '--format-value', format, 'FILE', leaf);
    ask('page', 'FILE', root, '--format-value', format);
  }
  for (const id of wrong) ask('page', 'FILE', id);
  ask('page', 'FILE', 0, 99999, leaf);
  ask('page', 'FILE', '--', '-1');
  ask('page', '--all', 'FILE', 1);
  ask('page', '--unknown', 'FILE', 0);
  ask('page', 'FILE');
  ask('page');
  ask('page', ...missing, 0);

  for (const id of known) ask('page-item', 'FILE', id, 0);
  ask('page-item', 'FILE', leaf, 1);
  ask('page-item', 'FILE', root, 0);
  for (const only of [[], ['--key-only'], ['--value-only'], ['--key-only', '--value-only']]) {
    ask('page-item', ...only, 'FILE', leaf, 0);
    ask('page-item', 'FILE', leaf, 0, ...only);
    for (const format of FORMATS) ask('page-item', ...only, '--format', format, 'FILE', leaf, 1);
  }
  ask('page-item', '--format', 'nonsense', 'FILE', leaf, 0);
  for (const item of [65535, 65536, '18446744073709551616', 'x']) ask('page-item', 'FILE', leaf, item);
  for (const id of wrong) ask('page-item', 'FILE', id, 0);
  ask('page-item', 'FILE', leaf);
  ask('page-item', 'FILE');
  ask('page-item', 'FILE', leaf, 0, 0);
  ask('page-item', ...missing, leaf, 0);

  const top = paths.filter((path) => path.length === 1);
  const deepest = [...paths].sort((a, b) => b.length - a.length)[0];
  const chosen = [
    ...spread(top, 12),
    ...spread(
      paths.filter((path) => path.length > 1),
      6,
    ),
  ];
  if (deepest && deepest.length > 1) chosen.push(deepest);
  for (const path of chosen) {
    ask('keys', 'FILE', ...path);
    const keys = spread(keysOf(path), 3);
    for (const key of keys) {
      ask('get', '--parse-format', 'hex', 'FILE', ...path, key);
      const plain = Buffer.from(key, 'hex');
      if (/^[ -~]+$/.test(plain.toString('latin1')) && plain.length < 100) ask('get', 'FILE', ...path, plain);
    }
    ask('get', 'FILE', ...path, 'no such key');
  }
  // A plain key, in a bucket of more than one: the key of a sub-bucket cannot be got.
  const isPlain = (path, key) => run(bbolt, ['get', '--parse-format', 'hex', 'FILE', ...path, key]).exit === 0;
  const some = chosen.find((path) => keysOf(path).length > 1 && isPlain(path, keysOf(path)[0])) ?? chosen[0];
  if (some) {
    const key = keysOf(some)[0];
    for (const format of [...FORMATS, 'nonsense']) {
      ask('keys', '--format', format, 'FILE', ...some);
      ask('keys', 'FILE', ...some, '--format', format);
      ask('get', '--format', format, '--parse-format', 'hex', 'FILE', ...some, key);
      ask('get', 'FILE', ...some, key, '--parse-format', 'hex', '--format', format);
    }
    ask('keys', '-f', 'hex', 'FILE', ...some);
    ask('keys', 'FILE', ...some, 'no such bucket');
    ask('keys', ...missing, ...some);
    ask('get', '--parse-format', 'ascii-encoded', 'FILE', ...some, key);
    ask('get', '--parse-format', 'nonsense', 'FILE', ...some, key);
    for (const bad of ['abc', 'zz', '']) ask('get', '--parse-format', 'hex', 'FILE', ...some, bad);
    ask('get', 'FILE', ...some, '');
    ask('get', 'FILE', ...some, 'no such bucket', 'k');
    ask('get', 'FILE', ...some);
    ask('get', ...missing, ...some, 'k');
  }
  for (const path of spread(
    paths.filter((p) => p.length > 1),
    2,
  ))
    ask('get', 'FILE', ...path);
  ask('keys', 'FILE', 'no such bucket');
  ask('keys', 'FILE', '');
  ask('keys', 'FILE');
  ask('keys');
  ask('get', 'FILE', 'no such bucket', 'k');
  ask('get', 'FILE', 'k');
  ask('get', 'FILE');
  ask('get');

  for (const id of known) ask('dump', 'FILE', id);
  ask('dump', 'FILE', ...known);
  for (const id of wrong) ask('dump', 'FILE', id);
  ask('dump', 'FILE', 0, 99999, leaf);
  ask('dump', 'FILE');
  ask('dump', ...missing, 0);

  ask('inspect', 'FILE');
  ask('inspect');
  ask('inspect', ...missing);

  ask('check', 'FILE');
  for (const id of [...known, ...wrong, 2, hwm - 1]) ask('check', 'FILE', '--from-page', id);
  if (overflowing !== undefined) ask('check', '--from-page', overflowing + 1, 'FILE');
  for (const verb of ['check', 'buckets', 'info', 'pages', 'stats']) {
    ask(verb);
    ask(verb, ...missing);
    ask(verb, 'FILE', 'extra', 'arguments');
  }
  for (const prefix of ['m', 'k', '', 'no such prefix']) ask('stats', 'FILE', prefix);
  return [...new Map(asked.map((args) => [JSON.stringify(args), args])).values()];
}

function answerOf(bbolt, args) {
  const { exit, stdout, stderr } = run(bbolt, args);
  // A panic races with the output: 1.4.3 sometimes prints OK before it.
  if (exit === 2) return { exit, stderr };
  const answer = { exit };
  const text = stdout.toString();
  if (stdout.length > STDOUT_KEPT) {
    answer.stdoutLength = stdout.length;
    answer.stdoutSha256 = createHash('sha256').update(stdout).digest('hex');
  } else if (Buffer.from(text).equals(stdout)) answer.stdout = text;
  else answer.stdoutBase64 = stdout.toString('base64');
  return { ...answer, stderr };
}

function recordCommands(bbolt, other, otherVersion, { recordings }) {
  const records = questions(bbolt).map((args) => {
    const answer = answerOf(bbolt, args);
    const second = answerOf(other, args);
    const different = Object.entries(second).filter(([field, value]) => answer[field] !== value);
    const record = { args, ...answer };
    return different.length ? { ...record, differs: { [otherVersion]: Object.fromEntries(different) } } : record;
  });
  write(
    recordings,
    'bbolt-commands.json',
    Buffer.from(`[\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]\n`),
  );
  return records.length;
}

function usage() {
  console.error('usage: record-bbolt.mjs words BBOLT [NAME…] | commands BBOLT OTHER OTHER_VERSION [NAME…]');
  process.exit(2);
}

const [job, ...rest] = process.argv.slice(2);
if (!((job === 'words' && rest.length >= 1) || (job === 'commands' && rest.length >= 3))) usage();
const bbolt = resolve(rest.shift());
const [other, otherVersion] = job === 'commands' ? [resolve(rest.shift()), rest.shift()] : [];
if (!existsSync(bbolt) || (other && !existsSync(other))) usage();
try {
  for (const fixture of dbFiles(dirname(join(FIXTURES, 'x')))) {
    if (rest.length ? !rest.includes(fixture.name) : job === 'commands' && !WITH_COMMANDS.test(fixture.name)) continue;
    writeFileSync(FILE, gunzipSync(readFileSync(fixture.path)));
    const done = job === 'words' ? recordWords(bbolt, fixture) : recordCommands(bbolt, other, otherVersion, fixture);
    console.log(`${fixture.name}${done === undefined ? '' : `: ${done} commands`}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
