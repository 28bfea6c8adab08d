// A bulk build of as many keys as bench/update-ours.mjs puts; whatever `order` says, a build takes them in order.
// usage: node build-ours.mjs FILE TRANSACTIONS KEYS order [no-sync]
import { buildBolt } from '../dist/node.js';

const [path, transactions, keys, , sync] = process.argv.slice(2);
const started = performance.now();

function* entries() {
  const bucket = [new TextEncoder().encode('key')];
  yield { bucket };
  const key = new Uint8Array(8);
  const value = new Uint8Array(256);
  const keyView = new DataView(key.buffer);
  const valueView = new DataView(value.buffer);
  for (let n = 0; n < Number(transactions) * Number(keys); n++) {
    keyView.setUint32(4, n);
    valueView.setUint32(0, n, true);
    yield { bucket, key, value };
  }
}

await buildBolt(path, entries(), { noSync: sync === 'no-sync' });
console.log(JSON.stringify({ seconds: (performance.now() - started) / 1000 }));
