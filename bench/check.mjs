// `bolt check` beside the real `bbolt check` on the same large files, and the library in a running process. See README.md.
// usage: node bench/check.mjs --inputs DIR [--peers DIR] [--peer NAME] [--runs N] [--json FILE] [INPUT…]
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { against, here, machine, mebibytes, OPTIONS, prepare, printTable } from './inputs.mjs';
import { sideBySide, warm } from './side-by-side.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...OPTIONS,
    runs: { type: 'string', default: '5' },
  },
});
const runs = Number(options.runs);
const { bbolt, chosen } = prepare(options, positionals);

/** The greatest ratio (ours / bbolt 1.5.0, wall) that is aimed at; of the whole process, or of a later call in a process. */
const TARGETS = {
  'dense-256M': { process: 1.7, call: 0.8 },
  'frag-256M': { process: 2.5, call: 1 },
  'dense-1G': { process: 0.75 },
  'frag-1G': { process: 0.95 },
  'dense-2G': { process: 0.55 },
  'frag-2G': { process: 0.7 },
  'dense-2G-stored': { process: 0.9 },
  'frag-2G-stored': { process: 1.05 },
};
const MAX_RSS = 100 * 2 ** 20;

const results = [];
for (const name of chosen) {
  const file = join(options.inputs, name);
  warm(file);
  const measured = await sideBySide(
    {
      peer: [bbolt, 'check', file],
      ours: [process.execPath, here('../dist/cli/bin.js'), 'bolt', 'check', file],
      call: [process.execPath, here('in-process.mjs'), 'check', file],
      scan: [process.execPath, here('in-process.mjs'), 'scan', file],
    },
    runs,
  );
  const { peer, ours, call, scan } = measured;
  const input = name.replace(/\.db$/, '');
  const result = {
    input,
    bytes: statSync(file).size,
    peer: figures(peer),
    ours: figures(ours),
    ratio: { wall: ours.wall / peer.wall, cpu: ours.cpu / peer.cpu, call: call.own.second / peer.wall },
    call: { second: call.own.second, rss: call.rss },
    scan: { keys: scan.own.keys, values: scan.own.values, rss: scan.rss },
    target: TARGETS[input] ?? {},
  };
  results.push(result);
  console.error(`${input}: ${result.ratio.wall.toFixed(2)}`);
}

function figures({ wall, cpu, rss }) {
  return { wall, cpu, rss };
}

const seconds = (x) => x.toFixed(3);
const rows = results.map(({ input, bytes, peer, ours, ratio, call, scan, target }) => [
  input,
  `${seconds(peer.wall)} / ${seconds(peer.cpu)}`,
  `${seconds(ours.wall)} / ${seconds(ours.cpu)}`,
  against(ratio.wall, target.process),
  ratio.cpu.toFixed(2),
  seconds(call.second),
  against(ratio.call, target.call),
  `${mebibytes(peer.rss)} -> ${mebibytes(ours.rss)}`,
  `${(bytes / 1e9 / scan.keys).toFixed(2)} / ${(bytes / 1e9 / scan.values).toFixed(2)}`,
]);
const HEAD = [
  'input',
  `${options.peer} check, s wall / CPU`,
  'bolt check, s wall / CPU',
  'ratio, wall / target',
  'ratio, CPU',
  'checkBolt, later call, s',
  'ratio to whole bbolt / target',
  'peak MiB',
  'scan of keys / keys and values, GB/s',
];
printTable(runs, HEAD, rows);
const above = results.filter(({ ours }) => ours.rss > MAX_RSS);
for (const { input, ours } of above)
  console.log(`\n${input}: ${mebibytes(ours.rss)} MiB are more than ${mebibytes(MAX_RSS)}`);
if (options.json)
  writeFileSync(options.json, `${JSON.stringify({ machine, peer: options.peer, runs, results }, null, 2)}\n`);
