// What the benchmarks of whole commands have in common: the large files, the peer, and how results are shown.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A path of this project. */
export const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Options of parseArgs that every such benchmark takes. */
export const OPTIONS = {
  inputs: { type: 'string', default: here('../.cache/bench') },
  peers: { type: 'string', default: process.env.ETCD_DATADIR_PEERS || here('../.cache/peers') },
  peer: { type: 'string', default: 'bbolt-1.5.0' },
  json: { type: 'string' },
};

/** The names of the inputs, those asked for or all, smaller ones first; says what is missing and ends. */
export function findInputs(options, wanted) {
  const inputs = existsSync(options.inputs) ? readdirSync(options.inputs).filter((name) => name.endsWith('.db')) : [];
  const chosen = inputs.filter((name) => wanted.length === 0 || wanted.some((one) => name === `${one}.db`));
  if (chosen.length === 0) fail(`no such inputs in ${options.inputs}: see bench/README.md`);
  const size = (name) => statSync(join(options.inputs, name)).size;
  chosen.sort((a, b) => Number(a.includes('stored')) - Number(b.includes('stored')) || size(a) - size(b));
  return chosen;
}

/** The peer's path and the names of the inputs; says what is missing and ends. */
export function prepare(options, wanted) {
  const bbolt = resolve(options.peers, options.peer);
  if (!existsSync(bbolt)) fail(`there is no ${bbolt}: see bench/README.md`);
  const chosen = findInputs(options, wanted);
  if (!existsSync(here('../dist/cli/bin.js'))) fail('dist/ is not there: npm run build');
  return { bbolt, chosen };
}

/** Says what is missing and ends. */
export function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(2);
}

export const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(0);

/** A ratio, and after the stroke what is aimed at. */
export function against(ratio, aim) {
  if (ratio === undefined) return '';
  return aim === undefined ? ratio.toFixed(2) : `${ratio.toFixed(2)} / ${aim.toFixed(2)}`;
}

const [{ model }] = cpus();
export const machine = `${cpus().length} × ${model}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, kernel ${release()}, Node ${process.version}`;

export function printTable(runs, head, rows) {
  console.log(`${machine}; least of ${runs} runs, warm page cache\n`);
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
}
