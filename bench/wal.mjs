// `wal check` beside etcd's own wal package on the same large logs. See README.md.
// usage: node bench/wal.mjs [--inputs DIR] [--tool PROGRAM] [--runs N] [--all] [--json FILE] [INPUT…]
// --all also measures ValidSnapshotEntries and ReadAll of the package.
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { against, fail, here, machine, mebibytes, OPTIONS, printTable } from './inputs.mjs';
import { sideBySide, warm } from './side-by-side.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: OPTIONS.inputs,
    json: OPTIONS.json,
    tool: { type: 'string', default: here('../.cache/verify-wal') },
    runs: { type: 'string', default: '5' },
    all: { type: 'boolean', default: false },
  },
});
const runs = Number(options.runs);

/** The greatest ratio (ours / Verify, wall) that is aimed at. */
const TARGETS = { 'wal-512M': 0.45, 'wal-1G': 0.35 };
const MAX_RSS = 100 * 2 ** 20;

if (!existsSync(options.tool)) fail(`there is no ${options.tool}: see bench/README.md`);
if (!existsSync(here('../dist/cli/bin.js'))) fail('dist/ is not there: npm run build');
const inputs = existsSync(options.inputs) ? readdirSync(options.inputs).filter((name) => name.startsWith('wal-')) : [];
const chosen = inputs.filter((name) => positionals.length === 0 || positionals.includes(name));
if (chosen.length === 0) fail(`no such inputs in ${options.inputs}: see bench/README.md`);

const segments = (name) => readdirSync(join(options.inputs, name)).map((file) => join(options.inputs, name, file));
const bytes = (name) => segments(name).reduce((sum, file) => sum + statSync(file).size, 0);
chosen.sort((a, b) => bytes(a) - bytes(b));

const results = [];
for (const input of chosen) {
  const directory = join(options.inputs, input);
  segments(input).forEach(warm);
  const measured = await sideBySide(
    {
      peer: [options.tool, directory],
      ours: [process.execPath, here('../dist/cli/bin.js'), 'wal', 'check', directory],
      ...(options.all ? { valid: [options.tool, '-do', 'valid', directory] } : {}),
      ...(options.all ? { read: [options.tool, '-do', 'read', directory] } : {}),
    },
    runs,
  );
  const { peer, ours } = measured;
  const ratio = { wall: ours.wall / peer.wall, cpu: ours.cpu / peer.cpu };
  results.push({ input, bytes: bytes(input), ...measured, ratio, target: TARGETS[input] });
  console.error(`${input}: ${ratio.wall.toFixed(2)}`);
}

const both = (measured) => (measured === undefined ? '' : `${measured.wall.toFixed(3)} / ${measured.cpu.toFixed(3)}`);
const HEAD = [
  'input',
  'Verify, s wall / CPU',
  'wal check, s wall / CPU',
  'ratio, wall / aim',
  'ratio, CPU',
  'GB/s',
  'peak MiB',
  ...(options.all ? ['ValidSnapshotEntries, s wall / CPU', 'ReadAll, s wall / CPU', 'peak MiB of ReadAll'] : []),
];
printTable(
  runs,
  HEAD,
  results.map(({ input, bytes: size, peer, ours, valid, read, ratio, target }) => [
    input,
    both(peer),
    both(ours),
    against(ratio.wall, target),
    ratio.cpu.toFixed(2),
    (size / 1e9 / ours.wall).toFixed(2),
    `${mebibytes(peer.rss)} -> ${mebibytes(ours.rss)}`,
    ...(options.all ? [both(valid), both(read), mebibytes(read.rss)] : []),
  ]),
);
for (const { input, ours } of results) {
  if (ours.rss > MAX_RSS) console.log(`\n${input}: ${mebibytes(ours.rss)} MiB are more than ${mebibytes(MAX_RSS)}`);
}
if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, runs, results }, null, 2)}\n`);
