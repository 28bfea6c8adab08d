// `bolt check` beside the real `bbolt check` on the same large files, and the library in a running process. See README.md.
// usage: node bench/check.mjs --inputs DIR [--peers DIR] [--peer NAME] [--runs N] [--json FILE] [INPUT…]
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sideBySide, warm } from './side-by-side.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: { type: 'string', default: here('../.cache/bench') },
    peers: { type: 'string', default: process.env.ETCD_DATADIR_PEERS || here('../.cache/peers') },
    peer: { type: 'string', default: 'bbolt-1.5.0' },
    runs: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
});
const runs = Number(options.runs);
const bbolt = resolve(options.peers, options.peer);
const inputs = existsSync(options.inputs) ? readdirSync(options.inputs).filter((name) => name.endsWith('.db')) : [];
const chosen = inputs.filter(
  (name) => positionals.length === 0 || positionals.some((wanted) => name === `${wanted}.db`),
);
if (!existsSync(bbolt)) fail(`there is no ${bbolt}: see bench/README.md`);
if (chosen.length === 0) fail(`no such inputs in ${options.inputs}: see bench/README.md`);
if (!existsSync(here('../dist/cli/bin.js'))) fail('dist/ is not there: npm run build');

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(2);
}

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

const order = (name) => [name.includes('stored'), statSync(join(options.inputs, name)).size];
chosen.sort((a, b) => Number(order(a)[0]) - Number(order(b)[0]) || order(a)[1] - order(b)[1]);
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
const mebibytes = (x) => (x / 2 ** 20).toFixed(0);
/** A ratio, and after the stroke what is aimed at. */
const against = (ratio, target) =>
  target === undefined ? ratio.toFixed(2) : `${ratio.toFixed(2)} / ${target.toFixed(2)}`;
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
const [{ model }] = cpus();
const machine = `${cpus().length} × ${model}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, kernel ${release()}, Node ${process.version}`;
console.log(`${machine}; least of ${runs} runs, warm page cache\n`);
for (const row of [HEAD, HEAD.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
const above = results.filter(({ ours }) => ours.rss > MAX_RSS);
for (const { input, ours } of above)
  console.log(`\n${input}: ${mebibytes(ours.rss)} MiB are more than ${mebibytes(MAX_RSS)}`);
if (options.json)
  writeFileSync(options.json, `${JSON.stringify({ machine, peer: options.peer, runs, results }, null, 2)}\n`);
