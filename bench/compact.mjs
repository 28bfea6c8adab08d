// `bolt compact` beside the real `bbolt compact` on the same large files: without syncs, and with them. See README.md.
// usage: node bench/compact.mjs --inputs DIR [--peers DIR] [--peer NAME] [--runs N] [--out DIR] [--default] [--json FILE] [INPUT…]
// --default also measures bbolt with its default transactions of 64 KiB, which takes long.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { against, here, machine, mebibytes, OPTIONS, prepare, printTable } from './inputs.mjs';
import { leastOfEach, measure, warm } from './side-by-side.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...OPTIONS,
    runs: { type: 'string', default: '3' },
    out: { type: 'string', default: tmpdir() },
    default: { type: 'boolean', default: false },
  },
});
const runs = Number(options.runs);
const { bbolt, chosen } = prepare(options, positionals);

/** The greatest ratios that are aimed at: ours, synced and self-checked, to bbolt with 10 MiB transactions (wall), with --no-sync (CPU), and as it is (wall). */
const TARGETS = { dense: { wall: 0.65, cpu: 0.5, default: 0.25 }, frag: { wall: 0.85, cpu: 0.75, default: 0.25 } };
const MAX_RSS = 150 * 2 ** 20;

const folder = mkdtempSync(join(resolve(options.out), 'etcd-datadir-bench-'));
const target = join(folder, 'out.db');
const ours = [process.execPath, here('../dist/cli/bin.js'), 'bolt', 'compact'];
const commands = (file) => ({
  peerUnsynced: [bbolt, 'compact', '--no-sync', '-o', target, file],
  oursUnsynced: [...ours, '--no-sync', '-o', target, file],
  peer: [bbolt, 'compact', '--tx-max-size', '10485760', '-o', target, file],
  ours: [...ours, '-o', target, file],
  ...(options.default ? { peerDefault: [bbolt, 'compact', '-o', target, file] } : {}),
});

const results = [];
try {
  for (const name of chosen) results.push(await compare(name));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compare(name) {
  const file = join(options.inputs, name);
  warm(file);
  const all = Object.fromEntries(Object.keys(commands(file)).map((kind) => [kind, []]));
  for (let i = 0; i < runs; i++) {
    const kinds = Object.keys(all);
    for (const kind of i % 2 ? kinds.reverse() : kinds) {
      // The slow one once is enough.
      if (kind === 'peerDefault' && i > 0) continue;
      all[kind].push(await measure(commands(file)[kind]));
      // What was written must not be waited for in the next run.
      rmSync(target);
    }
  }
  const least = leastOfEach(all);
  const input = name.replace(/\.db$/, '');
  const ratio = {
    wall: least.ours.wall / least.peer.wall,
    cpu: least.ours.cpu / least.peerUnsynced.cpu,
    unsynced: least.oursUnsynced.wall / least.peerUnsynced.wall,
    ...(least.peerDefault === undefined ? {} : { default: least.ours.wall / least.peerDefault.wall }),
  };
  console.error(`${input}: ${ratio.wall.toFixed(2)}`);
  return { input, bytes: statSync(file).size, ...least, ratio, target: TARGETS[input.split('-')[0]] ?? {} };
}

const both = ({ wall, cpu }) => `${wall.toFixed(2)} / ${cpu.toFixed(2)}`;
const rows = results.map((result) => [
  result.input,
  both(result.peerUnsynced),
  both(result.oursUnsynced),
  result.ratio.unsynced.toFixed(2),
  both(result.peer),
  both(result.ours),
  against(result.ratio.wall, result.target.wall),
  against(result.ratio.cpu, result.target.cpu),
  against(result.ratio.default, result.target.default),
  `${mebibytes(result.peer.rss)} -> ${mebibytes(result.ours.rss)}`,
]);
const HEAD = [
  'input',
  `${options.peer} --no-sync, s wall / CPU`,
  'ours --no-sync',
  'ratio, wall',
  `${options.peer} --tx-max-size 10485760`,
  'ours, synced and checked',
  'ratio, wall / target',
  'CPU of ours to --no-sync / target',
  'wall to bbolt’s default / target',
  'peak MiB',
];
printTable(runs, HEAD, rows);
for (const { input, ours } of results) {
  if (ours.rss > MAX_RSS) console.log(`\n${input}: ${mebibytes(ours.rss)} MiB are more than ${mebibytes(MAX_RSS)}`);
}
if (options.json)
  writeFileSync(options.json, `${JSON.stringify({ machine, peer: options.peer, runs, results }, null, 2)}\n`);
