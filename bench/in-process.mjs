// The library in a running process, after a first call has warmed it up: times in seconds as one line of JSON.
// usage: node bench/in-process.mjs check|scan FILE
import { checkBolt, openBolt } from '../dist/node.js';

const CALLS = 3;
const [what, file] = process.argv.slice(2);

/** The fastest of a few calls after the first. */
function fastest(work) {
  work();
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < CALLS; i++) {
    const started = performance.now();
    work();
    best = Math.min(best, (performance.now() - started) / 1000);
  }
  return best;
}

function check() {
  const { verdict } = checkBolt(file);
  if (verdict !== 'healthy') throw new Error(`${file} is ${verdict}`);
}

/** Goes over all records of all top-level buckets, with `scan` (views made on demand) or `forEach` (key and value as views). */
function walk(each) {
  const db = openBolt(file);
  let records = 0;
  try {
    for (const bucket of db.buckets()) records += each(bucket);
  } finally {
    db.close();
  }
  if (records === 0) throw new Error(`${file} has no records`);
}

/** Keys looked at, values not. */
function scanKeys(bucket) {
  let records = 0;
  bucket.scan((element) => {
    records += element.key.length > 0 ? 1 : 0;
  });
  return records;
}

/** The first and last byte of every value looked at. */
function touchValues(bucket) {
  let records = 0;
  bucket.forEach((_, value) => {
    records++;
    if (value !== undefined && value.length > 0) sum += value[0] + value[value.length - 1];
  });
  return records;
}

let sum = 0;
if (what === 'check') console.log(JSON.stringify({ second: fastest(check) }));
else if (what === 'scan') {
  const figures = { keys: fastest(() => walk(scanKeys)), values: fastest(() => walk(touchValues)) };
  if (!Number.isFinite(sum)) throw new Error('values were not read');
  console.log(JSON.stringify(figures));
} else throw new Error('usage: in-process.mjs check|scan FILE');
