// Makes a data directory for benchmarks around a large db: a log of several segments before the db's index, and a tail of
// puts behind it, as a kill -9 leaves them. Written with the library itself. See README.md.
// usage: node bench/make-data-dir.mjs --db FILE --out DIR [--tail N] [--log BYTES]
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, here } from './inputs.mjs';

const { values: options } = parseArgs({
  options: {
    db: { type: 'string' },
    out: { type: 'string' },
    tail: { type: 'string', default: '5000' },
    log: { type: 'string', default: String(250 * 2 ** 20) },
  },
});
if (options.db === undefined || options.out === undefined) fail('--db and --out are needed');

const { createWal, openBolt } = await import(here('../dist/node.js'));
const { encodeMessage } = await import(here('../dist/proto/messages.js'));

const MEMBER = 0x8e9e05c52164694dn;
const TERM = 2n;
const text = new TextEncoder();
const big = (value) => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
};
const clusterId = createHash('sha1').update(big(MEMBER)).digest().readBigUInt64BE(0);
const member = {
  id: MEMBER,
  peerURLs: ['http://localhost:2380'],
  name: 'bench',
  clientURLs: ['http://localhost:2379'],
};
const json = (value) =>
  text.encode(
    JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `<${each}>` : each)).replace(/"<(\d+)>"/g, '$1'),
  );

/** A value like those of the db: compressible text of 300 to 3,000 bytes. */
let seed = 1;
const random = () => {
  seed = (seed * 1103515245 + 12345) % 2 ** 31;
  return seed / 2 ** 31;
};
const pool = text.encode(
  Array.from({ length: 4000 }, (_, i) => `"field-${i}":"${Math.round(random() * 1e6)}",`).join(''),
);
const value = () => pool.subarray(Math.floor(random() * 10_000)).subarray(0, 300 + Math.floor(random() * 2700));
const put = (i) => ({ key: text.encode(`/registry/bench/${String(i).padStart(8, '0')}`), value: value() });
let requestId = 1n;
const entryOf = (index, request) => ({
  type: 0,
  term: TERM,
  index,
  data: encodeMessage('etcdserverpb.InternalRaftRequest', { header: { ID: requestId++ }, ...request }),
});

mkdirSync(join(options.out, 'member', 'snap'), { recursive: true, mode: 0o700 });
const wal = createWal(
  join(options.out, 'member', 'wal'),
  { nodeId: MEMBER, clusterId },
  { etcdVersion: '3.6', noSync: true },
);
wal.saveSnapshot({ index: 0n, term: 0n });
const change = encodeMessage('raftpb.ConfChange', {
  type: 0,
  node_id: MEMBER,
  context: json({ ...member, id: MEMBER }),
});
wal.save({ term: 1n, vote: MEMBER, commit: 1n }, [{ type: 1, term: 1n, index: 1n, data: change }]);
let index = 1n;
const wanted = Number(options.log);
// Transactions: what they did is in the db by some other name, so nothing can be compared with it.
for (let bytes = 0, i = 0; bytes < wanted; i++) {
  const entry = entryOf(++index, { txn: { compare: [], success: [{ request_put: put(i) }], failure: [] } });
  bytes += entry.data.length;
  wal.save({ term: TERM, vote: MEMBER, commit: index - 1n }, [entry]);
}
const applied = index;
for (let i = 0; i < Number(options.tail); i++) {
  const entry = entryOf(++index, { put: put(i) });
  wal.save({ term: TERM, vote: MEMBER, commit: index - 1n }, [entry]);
}
wal.close();

const db = join(options.out, 'member', 'snap', 'db');
copyFileSync(options.db, db);
const writable = openBolt(db, { readOnly: false });
writable.update((tx) => {
  const meta = tx.bucket('meta');
  meta.put('consistent_index', big(applied));
  meta.put('term', big(TERM));
  meta.put('confState', json({ voters: [MEMBER], auto_leave: false }));
  meta.put('storageVersion', text.encode('3.6.0'));
  tx.bucket('cluster').put('clusterVersion', text.encode('3.6.0'));
  tx.bucket('members').put(MEMBER.toString(16), json(member));
});
writable.close();
console.log(`${options.out}: the db has entries up to ${applied}, the log up to ${index}`);
