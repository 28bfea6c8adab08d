// Whole data directories: check, validate and snapshot, beside etcd-dump-logs and bbolt check on the same files. See README.md.
// usage: node bench/directory.mjs [--inputs DIR] [--peers DIR] [--peer NAME] [--dump-logs NAME] [--out DIR] [--runs N] [--json FILE] [INPUT…]
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, here, machine, mebibytes, OPTIONS, printTable } from './inputs.mjs';
import { sideBySide, warm } from './side-by-side.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: OPTIONS.inputs,
    peers: OPTIONS.peers,
    peer: OPTIONS.peer,
    json: OPTIONS.json,
    'dump-logs': { type: 'string', default: 'dumplogs-3.6.14' },
    out: { type: 'string', default: tmpdir() },
    runs: { type: 'string', default: '3' },
  },
});
const runs = Number(options.runs);
/** Peak memory of everything that keeps no map of keys. */
const MAX_RSS = 150 * 2 ** 20;

const bin = here('../dist/cli/bin.js');
if (!existsSync(bin)) fail('dist/ is not there: npm run build');
const inputs = existsSync(options.inputs) ? readdirSync(options.inputs).filter((name) => name.startsWith('dir-')) : [];
const chosen = inputs.filter((name) => positionals.length === 0 || positionals.includes(name));
if (chosen.length === 0) fail(`no such inputs in ${options.inputs}: see bench/README.md`);
const peer = (name) => {
  const path = resolve(options.peers, name);
  return existsSync(path) ? path : fail(`there is no ${path}: see bench/README.md`);
};
const ours = (...args) => [process.execPath, bin, ...args];

const folder = mkdtempSync(join(resolve(options.out), 'etcd-datadir-bench-'));
const results = [];
try {
  for (const name of chosen) {
    const directory = join(options.inputs, name);
    const files = ['snap', 'wal'].flatMap((part) => {
      const path = join(directory, 'member', part);
      return readdirSync(path).map((file) => join(path, file));
    });
    files.forEach(warm);
    const copy = join(folder, 'snapshot.db');
    const commands = {
      'etcd-dump-logs': [peer(options['dump-logs']), directory],
      'bbolt check': [peer(options.peer), 'check', join(directory, 'member', 'snap', 'db')],
      'check, sanity': ours('check', '--level', 'sanity', directory),
      'check, full': ours('check', directory),
      'check, deep': ours('check', '--level', 'deep', directory),
      'validate, sanity': ours('validate', '--mode', 'sanity', directory),
      'validate, full': ours('validate', '--mode', 'full', directory),
      'snapshot DIR OUT': ours('snapshot', directory, copy),
    };
    const before = (what) => what.startsWith('snapshot') && rmSync(copy, { force: true });
    const measured = await sideBySide(commands, runs, { before, discard: true });
    rmSync(copy, { force: true });
    const peers = measured['etcd-dump-logs'].wall + measured['bbolt check'].wall;
    for (const [what, { wall, cpu, rss }] of Object.entries(measured)) {
      results.push({ input: name, what, wall, cpu, rss, peers });
      console.error(`${name}, ${what}: ${wall.toFixed(2)} s, ${mebibytes(rss)} MiB`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const COMPARED = new Set(['check, full', 'validate, full']);
printTable(
  runs,
  ['directory', 'what', 's wall', 's CPU', 'peak MiB', 'ratio to etcd-dump-logs + bbolt check, wall'],
  results.map(({ input, what, wall, cpu, rss, peers }) => [
    input,
    what,
    wall.toFixed(2),
    cpu.toFixed(2),
    mebibytes(rss) + (rss > MAX_RSS && !what.includes('deep') && !what.startsWith('etcd') ? ' (above the aim)' : ''),
    COMPARED.has(what) ? (wall / peers).toFixed(2) : '',
  ]),
);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ machine, runs, results }, null, 2)}\n`);
