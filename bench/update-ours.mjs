// Transactions of many keys through this library; the peer is update-peer/main.go.
// usage: node update-ours.mjs FILE TRANSACTIONS KEYS random|sequential [no-sync]
import { createBolt } from '../dist/node.js';

const [path, transactions, keys, order, sync] = process.argv.slice(2);
const db = createBolt(path, { noSync: sync === 'no-sync' });
const started = performance.now();
const value = new Uint8Array(256);
const key = new Uint8Array(8);
const keyView = new DataView(key.buffer);
const valueView = new DataView(value.buffer);
let n = 0;
for (let i = 0; i < Number(transactions); i++) {
  db.update((tx) => {
    const bucket = tx.createBucketIfNotExists('key');
    if (order === 'sequential') bucket.fillPercent = 0.9;
    for (let j = 0; j < Number(keys); j++) {
      keyView.setUint32(4, order === 'random' ? Math.imul(n, 2654435761) : n);
      valueView.setUint32(0, n++, true);
      bucket.put(key, value);
    }
  });
}
const seconds = (performance.now() - started) / 1000;
db.close();
console.log(JSON.stringify({ seconds }));
