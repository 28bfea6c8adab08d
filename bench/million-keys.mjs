// Peak memory of the commands that keep all keys in mind, on a db of a million keys of 60 bytes. See README.md.
// usage: node bench/million-keys.mjs [--keys N] [--peers DIR] [--dist DIR] [--file FILE] [--json FILE]
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { fail, here, machine, mebibytes, OPTIONS } from './inputs.mjs';
import { measure, warm } from './side-by-side.mjs';

const { values: options } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000000' },
    peers: OPTIONS.peers,
    json: OPTIONS.json,
    dist: { type: 'string', default: here('../dist') },
    file: { type: 'string', default: here('../.cache/bench/million-keys/db') },
  },
});
const keys = Number(options.keys);
const MAX_RSS = 200 * 1e6;
const KEY_LENGTH = 60;
/** Of the file: the first puts, then every fifth key again, then every hundredth deleted. All first puts are compacted. */
const CHANGED = 5;
const DELETED = 100;

const bin = join(resolve(options.dist), 'cli/bin.js');
if (!existsSync(bin)) fail(`${bin} is not there: npm run build`);
const { buildBolt } = await import(pathToFileURL(join(resolve(options.dist), 'node.js')));
if (!existsSync(options.file)) await build(options.file);
warm(options.file);

const live = keys - Math.ceil(keys / DELETED);
const utility = resolve(options.peers, 'etcdutl-3.7.1');
const judged = existsSync(utility) ? await judge() : {};
const results = [];
for (const [args, check] of [
  [['status', '--json'], ({ totalKey, hash }) => totalKey === live && hash === (judged.status?.hash ?? hash)],
  [['hashkv', '--json'], ({ hash }) => hash === (judged.hashkv?.hash ?? hash)],
  [['get', '/registry/', '--prefix', '--count-only', '--json'], ({ count }) => Number(count) === live],
  [['get', '/registry/', '--prefix', '--limit', '1', '--json'], ({ count }) => Number(count) === live],
  [['export']],
  [['export', '--all-revisions']],
  [['leases', '--json']],
  [['check', '--level', 'deep', '--json'], ({ verdict }) => verdict === 'healthy'],
]) {
  const [command, ...rest] = args;
  const { wall, cpu, rss, stdout } = await measure([process.execPath, bin, command, options.file, ...rest], {
    discard: check === undefined,
  });
  if (check !== undefined && !check(JSON.parse(stdout))) throw new Error(`${args.join(' ')}: ${stdout.slice(0, 2000)}`);
  results.push({ command: args.join(' '), wall, cpu, rss });
}

console.log(`${machine}; ${keys} keys of ${KEY_LENGTH} bytes, ${mebibytes(statSync(options.file).size)} MiB\n`);
console.log('| command | peak MB | s wall / CPU |\n| --- | --- | --- |');
for (const { command, wall, cpu, rss } of results) {
  const over = rss > MAX_RSS ? ` (more than ${MAX_RSS / 1e6})` : '';
  console.log(`| ${command} | ${(rss / 1e6).toFixed(0)}${over} | ${wall.toFixed(2)} / ${cpu.toFixed(2)} |`);
}
for (const [what, { rss }] of Object.entries(judged))
  console.log(`\netcdutl 3.7.1 ${what}: ${(rss / 1e6).toFixed(0)} MB`);
if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, keys, results }, null, 2)}\n`);

/** What etcdutl says of a copy: it writes to what it hashes. */
async function judge() {
  const copy = `${options.file}.copy`;
  copyFileSync(options.file, copy);
  try {
    const status = await measure([utility, 'snapshot', 'status', copy, '-w', 'json']);
    const hashkv = await measure([utility, 'hashkv', copy, '-w', 'json']);
    return {
      status: { ...JSON.parse(status.stdout), rss: status.rss },
      hashkv: { ...JSON.parse(hashkv.stdout), rss: hashkv.rss },
    };
  } finally {
    rmSync(copy);
  }
}

async function build(file) {
  mkdirSync(dirname(file), { recursive: true });
  await buildBolt(file, entries(), { freelistStored: false });
}

function* entries() {
  const text = (name) => new TextEncoder().encode(name);
  const revisionKey = (main, tombstone = false) => {
    const key = new Uint8Array(tombstone ? 18 : 17);
    new DataView(key.buffer).setBigUint64(0, BigInt(main));
    key[8] = 0x5f;
    if (tombstone) key[17] = 0x74;
    return key;
  };
  for (const name of ['alarm', 'auth', 'authRoles', 'authUsers', 'cluster']) yield { bucket: [text(name)] };
  const bucket = [text('key')];
  yield { bucket };
  let main = 1;
  for (let i = 0; i < keys; i++) {
    main++;
    yield { bucket, key: revisionKey(main), value: record(userKey(i), main, main, 1) };
  }
  const compacted = main;
  for (let i = 0; i < keys; i += CHANGED) {
    main++;
    yield { bucket, key: revisionKey(main), value: record(userKey(i), i + 2, main, 2) };
  }
  for (let i = 0; i < keys; i += DELETED) {
    main++;
    yield { bucket, key: revisionKey(main, true), value: field(1, userKey(i)) };
  }
  for (const name of ['lease', 'members', 'members_removed']) yield { bucket: [text(name)] };
  const meta = [text('meta')];
  yield { bucket: meta };
  yield { bucket: meta, key: text('consistent_index'), value: revisionKey(main).subarray(0, 8) };
  for (const name of ['finishedCompactRev', 'scheduledCompactRev']) {
    yield { bucket: meta, key: text(name), value: revisionKey(compacted) };
  }
  yield { bucket: meta, key: text('term'), value: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 2) };
}

/** Not in order of the number, so that keys come in any order. */
function userKey(i) {
  const mixed = (Math.imul(i, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
  const folder = `/registry/pods/namespace-${i % 97}/`.padEnd(KEY_LENGTH - 17, 'x');
  return Buffer.from(`${folder}-${mixed}${String(i).padStart(8, '0')}`);
}

function record(key, create, mod, version) {
  return Buffer.concat([
    field(1, key),
    number(2, create),
    number(3, mod),
    number(4, version),
    field(5, Buffer.from('a value of some bytes')),
  ]);
}

function field(id, bytes) {
  return Buffer.concat([Buffer.from([(id << 3) | 2, bytes.length]), bytes]);
}

function number(id, value) {
  const bytes = [id << 3];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return Buffer.from([...bytes, value]);
}
