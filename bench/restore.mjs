// `restore` beside the real `etcdutl snapshot restore` on the same large snapshot files. See README.md.
// usage: node bench/restore.mjs [--inputs DIR] [--peers DIR] [--runs N] [--out DIR] [--json FILE] [INPUT…]
// What both have made is compared: revisions, keys, and HashKV.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { against, fail, findInputs, here, machine, mebibytes, OPTIONS, printTable } from './inputs.mjs';
import { leastOfEach, measure, warm } from './side-by-side.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...OPTIONS, runs: { type: 'string', default: '3' }, out: { type: 'string', default: tmpdir() } },
});
const runs = Number(options.runs);
const chosen = findInputs(options, positionals);
const peers = ['etcdutl-3.6.14', 'etcdutl-3.7.1'].filter((name) => existsSync(resolve(options.peers, name)));
if (peers.length === 0) fail(`there is no etcdutl in ${options.peers}: see bench/README.md`);

/** The greatest ratio of wall times, ours to that of etcdutl 3.6.14, that is aimed at, and the greatest peak of memory. */
const TARGET = 0.8;
const MAX_RSS = 150 * 2 ** 20;

const ours = [process.execPath, here('../dist/cli/bin.js')];
const folder = mkdtempSync(join(resolve(options.out), 'etcd-datadir-bench-'));
const target = join(folder, 'restored');

const results = [];
try {
  for (const name of chosen) results.push(await compare(name));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compare(name) {
  const snapshot = join(folder, 'snapshot.db');
  makeSnapshot(join(options.inputs, name), snapshot);
  warm(snapshot);
  const commands = {
    ours: [...ours, 'restore', snapshot, '--data-dir', target],
    ...Object.fromEntries(
      peers.map((peer) => [
        peer,
        [resolve(options.peers, peer), 'snapshot', 'restore', snapshot, '--data-dir', target],
      ]),
    ),
  };
  const all = Object.fromEntries(Object.keys(commands).map((kind) => [kind, []]));
  const said = new Map();
  for (let i = 0; i < runs; i++) {
    const kinds = Object.keys(all);
    for (const kind of i % 2 ? kinds.reverse() : kinds) {
      all[kind].push(await measure(commands[kind]));
      if (!said.has(kind)) said.set(kind, answers());
      // What was written must not be waited for in the next run.
      rmSync(target, { recursive: true });
      spawnSync('sync');
    }
  }
  if (new Set(said.values()).size !== 1) throw new Error(`what was restored differs: ${[...said].join('; ')}`);
  const least = leastOfEach(all);
  const input = name.replace(/\.db$/, '');
  console.error(`${input}: ${(least.ours.wall / least[peers[0]].wall).toFixed(2)}`);
  return { input, bytes: statSync(snapshot).size, ...least };
}

/** What the restored db holds. */
function answers() {
  const [command, ...args] = ours;
  const { stdout, status } = spawnSync(command, [...args, 'hashkv', target, '-w', 'json'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`hashkv ended with ${status}`);
  const { hash, hashRevision, compactRevision } = JSON.parse(stdout);
  return `hash ${hash} at ${hashRevision}, compacted ${compactRevision}`;
}

/** A db with its sha256 behind it, as `etcdctl snapshot save` writes it. */
function makeSnapshot(db, snapshot) {
  copyFileSync(db, snapshot);
  const descriptor = openSync(snapshot, 'r+');
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(1 << 20);
  let size = 0;
  for (;;) {
    const length = readSync(descriptor, buffer, 0, buffer.length, size);
    if (length === 0) break;
    hash.update(buffer.subarray(0, length));
    size += length;
  }
  writeSync(descriptor, hash.digest(), 0, 32, size);
  closeSync(descriptor);
}

const both = ({ wall, cpu }) => `${wall.toFixed(2)} / ${cpu.toFixed(2)}`;
const HEAD = [
  'input',
  'ours, s wall / CPU',
  'peak MiB',
  ...peers.flatMap((peer, i) => [
    `${peer}, s wall / CPU`,
    'peak MiB',
    i === 0 ? 'ratio, wall / target' : 'ratio, wall',
  ]),
];
const rows = results.map((result) => [
  result.input,
  both(result.ours),
  mebibytes(result.ours.rss),
  ...peers.flatMap((peer, i) => [
    both(result[peer]),
    mebibytes(result[peer].rss),
    against(result.ours.wall / result[peer].wall, i === 0 ? TARGET : undefined),
  ]),
]);
printTable(runs, HEAD, rows);
for (const { input, ours: own } of results) {
  if (own.rss > MAX_RSS) console.log(`\n${input}: ${mebibytes(own.rss)} MiB are more than ${mebibytes(MAX_RSS)}`);
}
if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, peers, runs, results }, null, 2)}\n`);
