// status, hashkv, export and get beside etcdutl and etcd-dump-db on the same large files. See README.md.
// usage: node bench/backend.mjs [--inputs DIR] [--peers DIR] [--dump-db NAME] [--out DIR] [--runs N] [--only TASK]… [--json FILE] [INPUT…]
// Tasks: status, hashkv, hashkv-compacted, export, get. --dist DIR takes another build than dist/.
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { dumpedKeys, linesOf } from './dumped-keys.mjs';
import { against, fail, findInputs, here, machine, mebibytes, OPTIONS, printTable } from './inputs.mjs';
import { measure, sideBySide, warm } from './side-by-side.mjs';

const TASKS = { status, hashkv, 'hashkv-compacted': hashkvCompacted, export: exportAll, get };

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: OPTIONS.inputs,
    peers: OPTIONS.peers,
    json: OPTIONS.json,
    dist: { type: 'string', default: here('../dist') },
    'dump-db': { type: 'string', default: 'dumpdb-3.6.14' },
    out: { type: 'string', default: tmpdir() },
    runs: { type: 'string', default: '5' },
    only: { type: 'string', multiple: true, default: Object.keys(TASKS) },
  },
});
const runs = Number(options.runs);
const unknown = options.only.filter((task) => TASKS[task] === undefined);
if (unknown.length > 0) fail(`no such task: ${unknown.join(', ')}`);
const chosen = findInputs(options, positionals);

/** The greatest ratio (ours / etcdutl 3.6.14, wall) that is aimed at, dense and frag. */
const TARGETS = {
  status: { 'dense-1G': 0.45, 'frag-1G': 0.65 },
  hashkv: { 'dense-512M': 0.35, 'frag-512M': 0.45 },
};
/** Peak memory: constant, and for each key what an index takes. */
const MAX_RSS = 100 * 2 ** 20;
const MAX_RSS_PER_KEY = 100;

const peer = (name) => {
  const path = resolve(options.peers, name);
  return existsSync(path) ? path : undefined;
};
const UTILITIES = ['etcdutl-3.5.33', 'etcdutl-3.6.14', 'etcdutl-3.7.1'].filter((name) => peer(name) !== undefined);
if (UTILITIES.length === 0) fail(`there is no etcdutl in ${options.peers}: see bench/README.md`);
const dumpDb = peer(options['dump-db']);
const bin = join(resolve(options.dist), 'cli/bin.js');
if (!existsSync(bin)) fail(`${bin} is not there: npm run build`);
const ours = (...args) => [process.execPath, bin, ...args];

const folder = mkdtempSync(join(resolve(options.out), 'etcd-datadir-bench-'));
const results = [];
try {
  for (const name of chosen) {
    const file = join(options.inputs, name);
    warm(file);
    const { totalKey, revision } = JSON.parse((await measure(ours('status', '--json', file))).stdout);
    const input = { name: name.replace(/\.db$/, ''), file, keys: totalKey, revision };
    for (const task of options.only) await TASKS[task](input);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
report();

/** Keeps what one command of ours took beside its peers; `keys` are those it has to keep in mind. */
function add(input, what, measured, keys = 0) {
  const { ours: mine, ...peers } = measured;
  const ratios = Object.fromEntries(
    Object.entries(peers).map(([name, its]) => [name, { wall: mine.wall / its.wall, cpu: mine.cpu / its.cpu }]),
  );
  const figures = ({ wall, cpu, rss }) => ({ wall, cpu, rss });
  results.push({
    input: input.name,
    what,
    ours: figures(mine),
    peers: Object.fromEntries(Object.entries(peers).map(([name, its]) => [name, figures(its)])),
    ratios,
    rssLimit: MAX_RSS + keys * MAX_RSS_PER_KEY,
    target: TARGETS[what]?.[input.name],
  });
  const all = Object.entries(ratios).map(([name, { wall }]) => `${wall.toFixed(2)} of ${name}`);
  console.error(`${input.name}, ${what}: ${mine.wall.toFixed(2)} s ${all.join(', ')}`);
}

/** The same answers, or the figures mean nothing. */
function requireEqual(what, ours, theirs) {
  if (ours !== theirs) throw new Error(`${what}: ours is ${ours}, the peer says ${theirs}`);
}

async function status(input) {
  const commands = { ours: ours('status', '--json', input.file) };
  for (const name of UTILITIES) commands[name] = [peer(name), 'snapshot', 'status', input.file, '-w', 'json'];
  const measured = await sideBySide(commands, runs);
  const mine = JSON.parse(measured.ours.stdout);
  for (const name of UTILITIES) {
    const its = JSON.parse(measured[name].stdout);
    for (const field of ['hash', 'revision', 'totalSize']) requireEqual(`${name} ${field}`, mine[field], its[field]);
    const field = name.startsWith('etcdutl-3.5') ? 'records' : 'totalKey';
    requireEqual(`${name} ${field}`, mine[field], its.totalKey);
  }
  add(input, 'status', measured, input.keys);
}

/** `etcdutl hashkv` opens its input for writing: it gets a copy each time. */
async function compareHashKv(input, what, file) {
  const copy = join(folder, 'copy.db');
  const commands = { ours: ours('hashkv', '--json', file) };
  for (const name of UTILITIES) {
    if (!name.startsWith('etcdutl-3.5')) commands[name] = [peer(name), 'hashkv', copy, '-w', 'json'];
  }
  const before = (name) => name !== 'ours' && copyWarm(file, copy);
  const measured = await sideBySide(commands, runs, { before });
  rmSync(copy, { force: true });
  const mine = JSON.parse(measured.ours.stdout);
  for (const [name, { stdout }] of Object.entries(measured)) {
    const its = JSON.parse(stdout);
    for (const field of ['hash', 'hashRevision', 'compactRevision']) {
      requireEqual(`${name} ${field}`, mine[field], its[field]);
    }
  }
  add(input, what, measured, input.keys);
}

function copyWarm(from, to) {
  copyFileSync(from, to);
  warm(to);
}

async function hashkv(input) {
  await compareHashKv(input, 'hashkv', input.file);
}

/** The same file with compaction values half-way: now the hash depends on which records are the newest of their key. */
async function hashkvCompacted(input) {
  const { openBolt } = await import(pathToFileURL(join(resolve(options.dist), 'node.js')));
  const file = join(folder, 'compacted.db');
  copyFileSync(input.file, file);
  const revision = new Uint8Array(17);
  revision[8] = 0x5f;
  new DataView(revision.buffer).setBigUint64(0, BigInt(Math.floor(input.revision / 2)));
  const db = openBolt(file, { readOnly: false });
  db.update((tx) => {
    const meta = tx.bucket('meta');
    for (const key of ['scheduledCompactRev', 'finishedCompactRev']) meta.put(key, revision);
  });
  db.close();
  warm(file);
  await compareHashKv(input, 'hashkv-compacted', file);
  rmSync(file);
}

/** All records, decoded and printed. etcd has no command for it but a tool for developers, which is the nearest there is. */
async function exportAll(input) {
  const commands = { ours: ours('export', '--all-revisions', input.file) };
  if (dumpDb !== undefined) commands[options['dump-db']] = [dumpDb, 'iterate-bucket', '--decode', input.file, 'key'];
  add(input, 'export --all-revisions', await sideBySide(commands, runs, { discard: true }));
  const live = await sideBySide({ ours: ours('export', input.file) }, runs, { discard: true });
  add(input, 'export', live, input.keys);
  const counted = await linesOf(ours('export', input.file));
  const all = await linesOf(ours('export', '--all-revisions', input.file));
  if (dumpDb === undefined) return;
  input.dumped ??= await dumpedKeys(dumpDb, input.file);
  const { records, live: keys } = input.dumped;
  requireEqual('lines of export --all-revisions', all, records);
  requireEqual('lines of export', counted, keys.size);
}

/** A prefix and a single key, beside the only way there is with etcd's own tools: everything printed, and searched. */
async function get(input) {
  const prefix = '/registry/pods/ns-07/';
  const search = (text) => [
    'sh',
    '-c',
    '"$1" iterate-bucket --decode "$2" key | grep -aF "$3"',
    'sh',
    dumpDb,
    input.file,
    text,
  ];
  if (dumpDb !== undefined) input.dumped ??= await dumpedKeys(dumpDb, input.file);
  const keys = input.dumped?.live;
  const one = [...(keys ?? [])].findLast((key) => key.startsWith(prefix)) ?? `${prefix}none`;
  for (const [what, args, text] of [
    ['get --prefix', [prefix, '--prefix'], prefix],
    ['get', [one], one],
  ]) {
    const commands = { ours: ours('get', input.file, ...args) };
    if (dumpDb !== undefined) commands[`${options['dump-db']} and grep`] = search(text);
    add(input, what, await sideBySide(commands, runs, { discard: true }));
  }
  if (keys === undefined) return;
  const { stdout } = await measure(ours('get', input.file, prefix, '--prefix', '--keys-only', '--json'));
  const { kvs } = JSON.parse(stdout);
  const wanted = [...keys].filter((key) => key.startsWith(prefix)).sort();
  requireEqual('keys of the prefix', kvs.map(({ key }) => Buffer.from(key, 'base64').toString()).join(), wanted.join());
}

function report() {
  const both = ({ wall, cpu }) => `${wall.toFixed(3)} / ${cpu.toFixed(3)}`;
  const rows = results.flatMap(({ input, what, ours: mine, peers, ratios, target }) => {
    const names = Object.keys(peers);
    const mineOnly = [input, what, both(mine), mebibytes(mine.rss)];
    if (names.length === 0) return [[...mineOnly, '', '', '', '', '']];
    return names.map((name) => [
      ...mineOnly,
      name,
      both(peers[name]),
      mebibytes(peers[name].rss),
      against(ratios[name].wall, name === 'etcdutl-3.6.14' ? target : undefined),
      ratios[name].cpu.toFixed(2),
    ]);
  });
  const HEAD = [
    'input',
    'command',
    'ours, s wall / CPU',
    'peak MiB',
    'peer',
    'peer, s wall / CPU',
    'peak MiB',
    'ratio, wall / target',
    'ratio, CPU',
  ];
  printTable(runs, HEAD, rows);
  for (const { input, what, ours: mine, rssLimit } of results) {
    if (mine.rss > rssLimit)
      console.log(`\n${input}, ${what}: ${mebibytes(mine.rss)} MiB are more than ${mebibytes(rssLimit)}`);
  }
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, runs, results }, null, 2)}\n`);
}
