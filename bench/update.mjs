// Transactions of 1000 keys beside bbolt, which must give the same bytes; and a bulk build of the same keys. See README.md.
// usage: node bench/update.mjs [--peer PROGRAM] [--runs N] [--transactions N] [--directory DIR]
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure } from './side-by-side.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: {
    peer: { type: 'string', default: here('../.cache/update-peer') },
    runs: { type: 'string', default: '5' },
    transactions: { type: 'string', default: '200' },
    directory: { type: 'string', default: tmpdir() },
  },
});
if (!existsSync(options.peer)) {
  console.error(`bench: there is no ${options.peer}: (cd bench/update-peer && go build -o ../../.cache/update-peer .)`);
  process.exit(2);
}

const KEYS = '1000';
const directory = mkdtempSync(join(options.directory, 'etcd-datadir-bench-'));
const files = { peer: join(directory, 'peer.db'), ours: join(directory, 'ours.db'), bulk: join(directory, 'bulk.db') };
const programs = {
  peer: [options.peer],
  ours: [process.execPath, here('update-ours.mjs')],
  bulk: [process.execPath, here('build-ours.mjs')],
};

console.log('| keys | syncs | bbolt, s | ours, s | ratio | bulk build, s | ratio | peak MiB, bbolt / ours / bulk |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const order of ['random', 'sequential']) {
  for (const sync of ['no-sync', 'sync']) {
    const best = {};
    for (let run = 0; run < Number(options.runs); run++) {
      for (const name of Object.keys(programs)) {
        rmSync(files[name], { force: true });
        const { stdout, rss } = await measure([
          ...programs[name],
          files[name],
          options.transactions,
          KEYS,
          order,
          sync,
        ]);
        const { seconds } = JSON.parse(stdout);
        best[name] = {
          seconds: Math.min(seconds, best[name]?.seconds ?? Number.POSITIVE_INFINITY),
          rss: Math.max(rss, best[name]?.rss ?? 0),
        };
      }
      if (!readFileSync(files.peer).equals(readFileSync(files.ours))) throw new Error('the files differ');
    }
    const { peer, ours, bulk } = best;
    const mebibytes = [peer, ours, bulk].map(({ rss }) => (rss / 2 ** 20).toFixed(0)).join(' / ');
    const cells = [
      order,
      sync === 'sync' ? 'yes' : 'no',
      peer.seconds.toFixed(3),
      ours.seconds.toFixed(3),
      (ours.seconds / peer.seconds).toFixed(2),
      bulk.seconds.toFixed(3),
      (bulk.seconds / peer.seconds).toFixed(2),
      mebibytes,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
rmSync(directory, { recursive: true });
