// Records what `snapshot restore` of real etcd tools does: fixtures/restored-by-etcd.json.gz. Nothing else writes that file.
//
//   node test/interop/record-restores.mjs ETCDCTL34 PEERS_DIR
//     ETCDCTL34: the path of etcdctl 3.4.23 (the package etcd-client of Debian 12). PEERS_DIR: the folder that
//     test/interop/build-peers.sh fills; etcdutl-VERSION, bbolt-1.4.3 and drive-bolt of it are used.
//
// Each case runs in a temporary folder, where the source is called SOURCE, the data directory DATA and a log directory of
// its own WAL, so that no path of this machine gets into the words. No case asks a name server.
//
// Gives the same bytes each time, with one exception: etcdutl 3.6 and 3.7 add the members to the v2 store of the .snap in
// the order of a Go map. So a case with several members is run again until they came in ascending order of their ids. Where they
// never do (`ascending: false`) the .snap of the fixture that is there already is kept.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const OUT = join(FIXTURES, 'restored-by-etcd.json.gz');
const VERSIONS = ['3.4.23', '3.5.33', '3.6.14', '3.7.1'];
const RUNS_FOR_ORDER = 40;
/** Buckets whose pairs are kept; of the others only a digest. */
const KEPT = ['members', 'members_removed', 'meta', 'cluster'];
const TRAILER = 32;

// --- the cases ------------------------------------------------------------------------------------------------------------

const url = (n) => `http://10.0.0.${n}:2380`;
const GOLD3 = [1, 2, 3].map((n) => `n${n}=${url(n)}`).join(',');
const ELEVEN = Array.from({ length: 11 }, (_, i) => `m${i + 1}=${url(i + 1)}`).join(',');

/** Flags for a member: its name, the cluster, its own URLs (if not given, those that the cluster has for it), the token. */
function member(name, cluster, { advertise, token = 'gold' } = {}) {
  const own = cluster
    .split(',')
    .filter((piece) => piece.startsWith(`${name}=`))
    .map((piece) => piece.slice(name.length + 1));
  return [
    ...['--name', name, '--initial-cluster', cluster, '--initial-cluster-token', token],
    ...['--initial-advertise-peer-urls', advertise ?? own.join(',')],
  ];
}

const GOLD1 = member('n1', `n1=${url(1)}`);
const SKIP = '--skip-hash-check';
const bump = (by) => ['--bump-revision', `${by}`, '--mark-compacted'];

/** One member with that name and that URL. */
const named = (name) => ({ args: member(name, `${name}=${url(1)}`) });
const at = (...urls) => ({ args: member('n1', urls.map((one) => `n1=${one}`).join(',')) });

/**
 * By name: the flags `args`; `source`, what SOURCE is (if not given, the snapshot of the scenario `busy`); `before`, what is there
 * before (folders end with a slash); `dataDir`: null if the flag is not given.
 */
const CASES = {
  // The members.
  gold1: { args: GOLD1 },
  'gold3-n1': { args: member('n1', GOLD3) },
  'gold3-n2': { args: member('n2', GOLD3) },
  'gold3-n3': { args: member('n3', GOLD3) },
  tok2: { args: member('n1', 'n1=http://127.0.0.1:23801,n2=http://127.0.0.1:23802', { token: 'tok2' }) },
  defaults: { args: [] },
  'no-data-dir': { args: [], dataDir: null },
  'no-data-dir-named': { args: GOLD1, dataDir: null },
  c3: { args: member('a', 'a=http://127.0.0.1:4001,b=http://127.0.0.1:4003,c=http://127.0.0.1:4005', { token: 'c3' }) },
  eleven: { args: member('m1', ELEVEN) },
  'empty-token': { args: member('n1', `n1=${url(1)}`, { token: '' }) },
  'urls-unsorted': {
    args: member('n1', `n1=${url(2)},n2=${url(4)},n1=${url(1)},n1=${url(3)}`, {
      advertise: `${url(3)},${url(1)},${url(2)}`,
      token: 'tkn',
    }),
  },
  'trailing-comma': { args: member('n1', `n1=${url(1)},`) },
  'white-space': {
    args: member('n1', `,n1= ${url(1)} ,, n2=\t${url(2)}\n,`, { advertise: ` ${url(1)}` }),
  },
  'name-quotes': named('a "quoted" \\ \'name\''),
  'name-spaces': named('  two words '),
  'url-equals-sign': {
    args: ['--name', 'n1', '--initial-cluster', `n1=${url(1)}?a=b`, '--initial-advertise-peer-urls', `${url(1)}?a=b`],
  },
  'name-unicode': named('närrisch-Ж-日本-😀-\u2028-\u00a0'),
  'name-html': named('<a>&</a>'),
  'name-controls': named('\u0001\b\t\n\u000b\f\r\u001f\u007f\u0080'),
  'name-100-bytes': named(`${'"ä'.repeat(33)}x`),
  'name-empty': named(''),
  'url-https': at('https://10.0.0.1:2380'),
  'url-two-schemes': at('https://10.0.0.1:2380', 'http://10.0.0.1:2380'),
  'url-ipv6': at('http://[::1]:2380', 'http://[fe80::1%25eth0]:2380', 'http://[2001:DB8::1]:2380'),
  'url-ipv6-two-spellings': {
    args: member('n1', 'n1=http://[::1]:2380', { advertise: 'http://[0:0:0:0:0:0:0:1]:2380' }),
  },
  'url-ipv4-in-ipv6': { args: member('n1', `n1=${url(1)}`, { advertise: 'http://[::ffff:10.0.0.1]:2380' }) },
  'url-upper-case': at('HTTP://Node-1.Example.INVALID:2380'),
  'url-empty-host': at('http://:2380'),
  'url-empty-port': at('http://10.0.0.1:'),
  'url-leading-zero-port': at('http://10.0.0.1:02380'),
  'url-user-query-fragment': at('http://us%65r:p%2fw@10.0.0.1:2380?b=%7e&a=<c>#fr%61g'),
  'url-unix-host-port': at('unix://n1.sock:1'),
  'url-unixs-host-port': at('unixs://n1.sock:1'),
  'url-unix-path': at('unix:///run/a&b/n1.sock'),
  'url-unixs-path': at('unixs://run/a%20b/n1.sock', 'unix:n1.sock'),

  // The directories.
  'data-dir-empty': { args: GOLD1, before: ['DATA/'] },
  'data-dir-below-missing': { args: GOLD1, dataDir: 'A/B/DATA' },
  'data-dir-not-empty': { args: GOLD1, before: ['DATA/', 'DATA/other'] },
  'data-dir-with-empty-member': { args: GOLD1, before: ['DATA/', 'DATA/member/'] },
  'data-dir-is-a-file': { args: GOLD1, before: ['DATA'] },
  'data-dir-below-a-file': { args: GOLD1, before: ['A'], dataDir: 'A/DATA' },
  'wal-dir': { args: [...GOLD1, '--wal-dir', 'WAL'] },
  'wal-dir-below-missing': { args: [...GOLD1, '--wal-dir', 'A/B/WAL'] },
  'wal-dir-empty': { args: [...GOLD1, '--wal-dir', 'WAL'], before: ['WAL/'] },
  'wal-dir-not-empty': { args: [...GOLD1, '--wal-dir', 'WAL'], before: ['WAL/', 'WAL/other'] },
  'wal-dir-is-a-file': { args: [...GOLD1, '--wal-dir', 'WAL'], before: ['WAL'] },
  'wal-dir-in-data-dir': { args: [...GOLD1, '--wal-dir', 'DATA/log'] },

  // The source.
  'skip-hash-check': { args: [...GOLD1, SKIP] },
  'db-without-hash': { args: GOLD1, source: { fixture: 'busy/m1' } },
  'db-without-hash-skipped': { args: [...GOLD1, SKIP], source: { fixture: 'busy/m1' } },
  'hash-wrong': { args: GOLD1, source: { fixture: 'busy/snapshot', flipped: -1 } },
  'hash-wrong-skipped': { args: [...GOLD1, SKIP], source: { fixture: 'busy/snapshot', flipped: -1 } },
  'content-changed': { args: GOLD1, source: { fixture: 'busy/snapshot', flipped: 20000 } },
  'cut-by-one': { args: GOLD1, source: { fixture: 'busy/snapshot', length: -1 } },
  'cut-by-one-skipped': { args: [...GOLD1, SKIP], source: { fixture: 'busy/snapshot', length: -1 } },
  'cut-by-hash': { args: GOLD1, source: { fixture: 'busy/snapshot', length: -TRAILER } },
  'ten-bytes': { args: GOLD1, source: { fixture: 'busy/snapshot', length: 10 } },
  'ten-bytes-skipped': { args: [...GOLD1, SKIP], source: { fixture: 'busy/snapshot', length: 10 } },
  '31-bytes-skipped': { args: [...GOLD1, SKIP], source: { fixture: 'busy/snapshot', length: 31 } },
  '32-bytes': { args: GOLD1, source: { fixture: 'busy/snapshot', length: 32 } },
  '32-bytes-skipped': { args: [...GOLD1, SKIP], source: { fixture: 'busy/snapshot', length: 32 } },
  'no-db-skipped': { args: [...GOLD1, SKIP], source: { fixture: 'busy/snapshot', length: 544 } },
  'both-metas-skipped': { args: [...GOLD1, SKIP], source: { fixture: 'busy/snapshot', length: 8192 } },
  'empty-file': { args: GOLD1, source: { fixture: 'busy/snapshot', length: 0 } },
  'empty-file-skipped': { args: [...GOLD1, SKIP], source: { fixture: 'busy/snapshot', length: 0 } },
  missing: { args: GOLD1, source: 'missing' },
  directory: { args: GOLD1, source: 'directory' },
  'directory-skipped': { args: [...GOLD1, SKIP], source: 'directory' },
  'no-source': { args: GOLD1, source: 'not given' },
  'two-sources': { args: [...GOLD1, 'OTHER'] },
  'from-cluster': { args: GOLD1, source: { fixture: 'cluster/snapshot' } },
  'from-auth': { args: GOLD1, source: { fixture: 'auth/snapshot' } },
  'from-alarm': { args: GOLD1, source: { fixture: 'alarm/snapshot' } },
  'from-page-size-16384': { args: GOLD1, source: { fixture: '3.6.14/pages/snapshot' } },
  'blank-all-buckets': { args: [...GOLD1, SKIP], source: { made: 'all' } },
  'blank-only-meta': { args: [...GOLD1, SKIP], source: { made: 'meta' } },
  'blank-without-meta': { args: [...GOLD1, SKIP], source: { made: 'withoutMeta' } },
  'blank-no-buckets': { args: [...GOLD1, SKIP], source: { made: 'none' } },

  // The revision.
  'bump-1000': { args: [...GOLD1, ...bump(1000)] },
  'bump-1': { args: [...GOLD1, ...bump(1)] },
  'bump-0': { args: [...GOLD1, '--bump-revision', '0'] },
  'bump-0-mark-compacted': { args: [...GOLD1, ...bump(0)] },
  'bump-most-of-int64': { args: [...GOLD1, ...bump(2n ** 63n - 1n - 351n)] },
  'bump-past-int64': { args: [...GOLD1, ...bump(2n ** 63n - 351n)] },
  'bump-uint64': { args: [...GOLD1, ...bump(2n ** 64n - 1n)] },
  'bump-past-uint64': { args: [...GOLD1, ...bump(2n ** 64n)] },
  'bump-not-a-number': { args: [...GOLD1, ...bump('x')] },
  'bump-without-mark-compacted': { args: [...GOLD1, '--bump-revision', '1000'] },
  'mark-compacted-alone': { args: [...GOLD1, '--mark-compacted'] },
  'bump-from-cluster': { args: [...GOLD1, ...bump(1000)], source: { fixture: 'cluster/snapshot' } },
  'bump-blank': { args: [...GOLD1, SKIP, ...bump(1000)], source: { made: 'all' } },
  'bump-blank-only-meta': { args: [...GOLD1, SKIP, ...bump(1000)], source: { made: 'meta' } },

  // What is wrong with the members.
  'name-not-in-cluster': { args: member('n4', GOLD3, { advertise: url(1) }) },
  'name-alone': { args: ['--name', 'n1'] },
  'advertised-other': { args: member('n1', `n1=${url(1)}`, { advertise: url(2) }) },
  'advertised-other-port': { args: member('n1', `n1=${url(1)}`, { advertise: 'http://10.0.0.1:2381' }) },
  'advertised-other-scheme': { args: member('n1', `n1=${url(1)}`, { advertise: 'https://10.0.0.1:2380' }) },
  'advertised-more': { args: member('n1', `n1=${url(1)}`, { advertise: `${url(1)},${url(2)}` }) },
  'advertised-fewer': { args: member('n1', `n1=${url(1)},n1=${url(2)}`, { advertise: url(1) }) },
  'advertised-twice': { args: member('n1', `n1=${url(1)}`, { advertise: `${url(1)},${url(1)}` }) },
  'advertised-empty': { args: member('n1', `n1=${url(1)}`, { advertise: '' }) },
  'advertised-empty-piece': { args: member('n1', `n1=${url(1)}`, { advertise: `${url(1)},` }) },
  'advertised-without-scheme': { args: member('n1', `n1=${url(1)}`, { advertise: '10.0.0.1:2380' }) },
  'advertised-with-path': { args: member('n1', `n1=${url(1)}`, { advertise: `${url(1)}/` }) },
  'duplicate-url': { args: member('n1', `n1=${url(1)},n2=${url(1)}`) },
  'duplicate-url-one-member': { args: at(url(1), url(1)).args },
  'duplicate-url-other-spelling': { args: member('n1', 'n1=http://[::1]:2380,n2=http://[0::1]:2380') },
  'url-without-scheme': at('10.0.0.1:2380'),
  'url-without-scheme-named': at('node1:2380'),
  'url-other-scheme': at('ftp://10.0.0.1:2380'),
  'url-slash': at(`${url(1)}/`),
  'url-path': at(`${url(1)}/path`),
  'url-without-port': at('http://10.0.0.1'),
  'url-ipv6-without-brackets': at('http://::1:2380'),
  'url-port-not-a-number': at('http://10.0.0.1:port'),
  'url-port-too-large': at('http://10.0.0.1:65536'),
  'url-control-character': at('http://10.0.0.1:2380\u0001'),
  'url-bad-escape': at('http://10.0.0.1:2380?%zz#%zz'),
  'url-space-in-host': at('http://a b:2380'),
  'url-wrong-in-other-member': { args: member('n1', `n1=${url(1)},n2=10.0.0.2:2380,n3=${url(3)}`) },
  'missing-equals-sign': { args: member('n1', 'n1', { advertise: url(1) }) },
  'missing-url': { args: member('n1', 'n1=', { advertise: url(1) }) },
  'cluster-empty': { args: ['--initial-cluster', ''] },
  'cluster-only-commas': { args: ['--initial-cluster', ',,'] },
  'cluster-empty-named': { args: ['--name', '', '--initial-cluster', ''] },
  'unknown-flag': { args: ['--learner'] },
  // Several mistakes at once: which is named first.
  'order-name-before-urls': { args: member('n4', `n1=${url(1)},n2=${url(1)}`, { advertise: url(3) }) },
  'order-urls-before-duplicates': { args: member('n1', `n1=${url(1)},n2=${url(1)}`, { advertise: url(3) }) },
  'order-members-before-data-dir': { args: member('n4', GOLD3, { advertise: url(1) }), before: ['DATA/', 'DATA/x'] },
  'order-data-dir-before-wal-dir': {
    args: [...GOLD1, '--wal-dir', 'WAL'],
    before: ['DATA/', 'DATA/x', 'WAL/', 'WAL/x'],
  },
  'order-data-dir-before-source': { args: GOLD1, before: ['DATA/', 'DATA/x'], source: 'missing' },
  'order-bump-before-members': { args: [...member('n4', GOLD3, { advertise: url(1) }), '--bump-revision', '5'] },
};

// --- running the real tools -----------------------------------------------------------------------------------------------

const [etcdctl34, peers, ...more] = process.argv.slice(2).map((path) => resolve(path));
if (!peers || more.length || !existsSync(etcdctl34) || !existsSync(peers)) {
  console.error('usage: record-restores.mjs ETCDCTL34 PEERS_DIR');
  process.exit(2);
}
process.umask(0o022);
const top = mkdtempSync(join(tmpdir(), 'record-restores-'));
const work = join(top, 'work');

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: work, maxBuffer: 1 << 30, ...options });
  if (error) throw error;
  return { exit: status, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** Answers of drive-bolt to commands about one file, which it may change. */
function drive(path, commands) {
  const input = [{ do: 'open', path, noFreelistSync: true, pageSize: 4096 }, ...commands, { do: 'close' }]
    .map((command) => JSON.stringify(command))
    .join('\n');
  const { stdout, stderr } = run(join(peers, 'drive-bolt'), [], { input });
  const answers = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  for (const { error, panic } of answers) if (error || panic) throw new Error(error || panic);
  if (answers.length !== commands.length + 2) throw new Error(stderr);
  return answers.slice(1, -1);
}

/** An empty database with these buckets. */
function makeBlank(names) {
  const path = join(top, 'blank');
  rmSync(path, { force: true });
  const operations = names.map((name) => ({ op: 'create', at: [name] }));
  drive(path, operations.length ? [{ do: 'transaction', operations, commit: true }] : []);
  return readFileSync(path);
}

/** Number of pairs and checksum of each bucket, as content.go of drive-bolt counts them. */
function digests(bytes) {
  const path = join(top, 'copy');
  writeFileSync(path, bytes);
  const [{ buckets }] = drive(path, [{ do: 'content' }]);
  return Object.fromEntries(
    buckets.filter(({ path }) => path.length === 1).map(({ path, keys, crc }) => [path[0], { keys, crc }]),
  );
}

/** Pairs of a bucket in hex, the first or the last few; undefined if there is no such bucket. */
function pairs(path, bucket, from = 0) {
  const bbolt = (...args) => run(join(peers, 'bbolt-1.4.3'), args);
  const keys = bbolt('keys', '--format', 'hex', path, bucket);
  if (keys.exit !== 0) return undefined;
  return keys.stdout
    .split('\n')
    .filter(Boolean)
    .slice(from)
    .map((key) => {
      const got = bbolt('get', '--parse-format', 'hex', '--format', 'hex', path, bucket, key);
      if (got.exit !== 0) throw new Error(`${bucket} ${key}: ${got.stdout}${got.stderr}`);
      return [key, got.stdout.trim()];
    });
}

/** Everything below the folder: folders with a slash at the end, in order of their names. */
function listing(folder, prefix = '') {
  return readdirSync(join(folder, prefix), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = prefix + entry.name;
      const { mode, size } = statSync(join(folder, path));
      const octal = (mode & 0o7777).toString(8).padStart(4, '0');
      return entry.isDirectory()
        ? [{ path: `${path}/`, mode: octal }, ...listing(folder, `${path}/`)]
        : [{ path, mode: octal, size }];
    });
}

/** The records of a segment with their padding, up to the zeros. */
function recordsOf(bytes) {
  let end = 0;
  for (;;) {
    const low = bytes.readUInt32LE(end);
    const high = bytes.readUInt32LE(end + 4);
    if (low === 0 && high === 0) break;
    end += 8 + low + (high >>> 31 ? (high >>> 24) & 7 : 0);
  }
  const rest = bytes.subarray(end);
  if (!rest.equals(Buffer.alloc(rest.length))) throw new Error('something lies behind the last record');
  return bytes.subarray(0, end);
}

/** Whether the members were added to the v2 store in ascending order of their ids. */
function isAscending(snap) {
  const added = [...snap.toString('latin1').matchAll(/"key":"\/0\/members\/([0-9a-f]+)\/raftAttributes"/g)];
  const ids = added.map(([, id]) => BigInt(`0x${id}`));
  if (ids.length === 0) throw new Error('the .snap has no members');
  return ids.every((id, i) => i === 0 || ids[i - 1] < id);
}

/** The errors alone, each once: no notes, no times, no manual, no stack. */
function wordsOf(stderr) {
  const words = stderr
    .split('\n')
    .map((line) => line.replace(/^\S+Z\t/, ''))
    .filter((line) => /^(Error|panic|fatal error): |^(error|fatal|panic)\t|^unexpected fault/.test(line))
    .map((line) => line.replace(/,? ?"stack": ".*"/, '').replace(/0x[0-9a-f]{6,}/g, '0x…'));
  return [...new Set(words)].join('\n');
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

const made = {};
function sourceBytes({ fixture, made: name, length, flipped }) {
  if (name) return made[name];
  const bytes = gunzipSync(readFileSync(join(FIXTURES, 'etcd', `${fixture}.db.gz`)));
  if (flipped !== undefined) bytes[flipped < 0 ? bytes.length + flipped : flipped] ^= 1;
  return length === undefined ? bytes : bytes.subarray(0, length < 0 ? bytes.length + length : length);
}

function runOnce(version, { args, source, before }, bytes) {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  if (bytes) writeFileSync(join(work, 'SOURCE'), bytes);
  if (source === 'directory') mkdirSync(join(work, 'SOURCE'));
  for (const path of before) {
    if (path.endsWith('/')) mkdirSync(join(work, path));
    else writeFileSync(join(work, path), 'here before\n');
  }
  const old = version.startsWith('3.4.');
  const { exit, stdout, stderr } = run(old ? etcdctl34 : join(peers, `etcdutl-${version}`), args, {
    env: old ? { ETCDCTL_API: '3' } : {},
    timeout: 60_000,
  });
  // Some print their manual when they do not know a flag.
  if (stdout && exit === 0) throw new Error(`${version} ${args.join(' ')} printed ${stdout}`);
  if (bytes && !readFileSync(join(work, 'SOURCE')).equals(bytes)) throw new Error('the source was changed');
  rmSync(join(work, 'SOURCE'), { recursive: true, force: true });
  return { exit, words: wordsOf(stderr), files: listing(work) };
}

const pathOf = (files, ending) => files.map(({ path }) => path).find((path) => path.endsWith(ending));
const readMade = (files, ending) => readFileSync(join(work, pathOf(files, ending)));

/** The contents of what a restore made. */
function contentsOf(files, bytes) {
  const dbPath = pathOf(files, 'member/snap/db');
  const db = readMade(files, 'member/snap/db');
  const [restored, from] = [digests(db), digests(bytes.length % 512 === TRAILER ? bytes.subarray(0, -TRAILER) : bytes)];
  const names = [...new Set([...Object.keys(restored), ...Object.keys(from)])].sort();
  return {
    wal: recordsOf(readMade(files, '.wal')).toString('base64'),
    dbSha256: sha256(db),
    buckets: restored,
    changedBuckets: names.filter((name) => JSON.stringify(restored[name]) !== JSON.stringify(from[name])),
    pairs: Object.fromEntries(KEPT.map((name) => [name, pairs(dbPath, name)])),
    lastKey: pairs(dbPath, 'key', -1)?.[0],
  };
}

function record(version, name, previous) {
  const { args: flags, source: given = { fixture: 'busy/snapshot' }, before = [], dataDir = 'DATA' } = CASES[name];
  const source =
    given.fixture && !/^\d/.test(given.fixture) ? { ...given, fixture: `${version}/${given.fixture}` } : given;
  const args = [
    ...['snapshot', 'restore', ...(source === 'not given' ? [] : ['SOURCE'])],
    ...(dataDir === null ? [] : ['--data-dir', dataDir]),
    ...flags,
  ];
  const bytes = typeof source === 'object' ? sourceBytes(source) : undefined;
  const test = { args, source, before };
  let answer = runOnce(version, test, bytes);
  const kept = { version, name, ...test };
  if (answer.exit !== 0) return { ...kept, ...answer };
  let snap = readMade(answer.files, '.snap');
  for (let runs = 1; !isAscending(snap) && runs < RUNS_FOR_ORDER; runs++) {
    answer = runOnce(version, test, bytes);
    snap = readMade(answer.files, '.snap');
  }
  const ascending = isAscending(snap);
  const contents = { ...contentsOf(answer.files, bytes), ascending, snap: snap.toString('base64') };
  if (!ascending && previous?.contents?.wal === contents.wal) contents.snap = previous.contents.snap;
  return { ...kept, ...answer, contents };
}

// --- all of it ------------------------------------------------------------------------------------------------------------

const sortKeys = (_, value) =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

mkdirSync(work);
try {
  const earlier = existsSync(OUT) ? JSON.parse(gunzipSync(readFileSync(OUT)).toString()).cases : [];
  const all = [
    'alarm',
    'auth',
    'authRoles',
    'authUsers',
    'cluster',
    'key',
    'lease',
    'members',
    'members_removed',
    'meta',
  ];
  made.all = makeBlank(all);
  made.meta = makeBlank(['meta']);
  made.withoutMeta = makeBlank(['cluster', 'members']);
  made.none = makeBlank([]);
  const cases = VERSIONS.flatMap((version) => {
    const recorded = Object.keys(CASES).map((name) =>
      record(
        version,
        name,
        earlier.find((one) => one.version === version && one.name === name),
      ),
    );
    console.log(`${version}: ${recorded.length} cases, ${recorded.filter(({ exit }) => exit === 0).length} restored`);
    return recorded;
  });
  const sources = Object.entries(made).map(([name, bytes]) => [name, bytes.toString('base64')]);
  const lines = cases.map((one) => JSON.stringify(one, sortKeys));
  const text = `{"cases":[\n${lines.join(',\n')}\n],"made":${JSON.stringify(Object.fromEntries(sources), sortKeys)}}\n`;
  mkdirSync(dirname(OUT), { recursive: true });
  writeFileSync(OUT, gzipSync(text, { level: 9 }));
  console.log(`${text.length} characters, ${statSync(OUT).size} bytes`);
} finally {
  rmSync(top, { recursive: true, force: true });
}
