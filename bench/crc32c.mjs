// CRC-32C by size of the piece, for each way it can be computed: GB/s. Each way runs in a process of its own, so that the
// engine compiles its loop for it alone. See README.md.
// usage: node bench/crc32c.mjs [WAY…]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import CRC32C from 'crc-32/crc32c.js';
import { crc32c } from '../dist/checksum/crc32c.js';
import { Crc32cChain } from '../dist/checksum/crc32c-chain.js';
import { crc32cPlain } from '../dist/checksum/crc32c-plain.js';
import { Crc32cStream } from '../dist/checksum/crc32c-stream.js';
import { FoldKernel } from '../dist/checksum/sparse-fold.js';
import { machine } from './inputs.mjs';

const SIZES = [20, 100, 300, 1000, 2000, 4096, 16_384, 65_536, 1 << 20];
/** Larger than the first cache and smaller than the last, as a window of a file is. */
const DATA = 2 << 20;
const ROUNDS = 7;
const ROUND_BYTES = 1 << 26;

const kernel = FoldKernel.create(DATA);
const inMemory = kernel.allocate(DATA);
for (let i = 0; i < DATA; i++) inMemory[i] = Math.random() * 256;
const elsewhere = inMemory.slice();

/** Each takes pieces of `size` bytes one after the other until `total` bytes are done, and says whether the result is right. */
const WAYS = {
  'crc-32': single(elsewhere, (bytes, start, end, seed) => CRC32C.buf(bytes.subarray(start, end), seed | 0) >>> 0),
  'plain, slicing by 16': single(elsewhere, crc32cPlain),
  'crc32c, bytes elsewhere': single(elsewhere, crc32c),
  'crc32c, bytes in wasm memory': single(inMemory, crc32c),
  'chain, bytes elsewhere': chained(elsewhere, () => new Crc32cChain(FoldKernel.create())),
  'chain, bytes in wasm memory': chained(inMemory, () => new Crc32cChain(kernel)),
  'chain, record by record': chained(elsewhere, () => new Crc32cChain(undefined)),
  'stream, one value at the end': streamed(inMemory),
};

function single(bytes, crc) {
  return (size, total) => {
    let value = 0;
    for (let done = 0, at = 0; done < total; done += size, at += size) {
      if (at + size > DATA) at = 0;
      value = crc(bytes, at, at + size, value);
    }
    return Number.isInteger(value);
  };
}

function chained(bytes, make) {
  const chain = make();
  let prepared = [];
  let preparedSize;
  return (size, total) => {
    if (preparedSize !== size) {
      // The values of one time over the data; the chain begins anew after that.
      prepared = [];
      preparedSize = size;
      for (let at = 0; at + size <= DATA; at += size) {
        prepared.push(crc32c(bytes, at, at + size, prepared.at(-1)));
      }
    }
    let right = true;
    for (let done = 0; done < total; ) {
      chain.start(0);
      for (let i = 0; i < prepared.length && done < total; i++, done += size) {
        chain.feed(bytes, i * size, (i + 1) * size);
        chain.expect(prepared[i]);
      }
      right &&= chain.settle();
    }
    return right;
  };
}

function streamed(bytes) {
  return (size, total) => {
    const stream = new Crc32cStream(0, () => kernel);
    for (let done = 0, at = 0; done < total; done += size, at += size) {
      if (at + size > DATA) at = 0;
      stream.update(bytes, at, at + size);
    }
    return Number.isInteger(stream.value());
  };
}

function gigabytesPerSecond(work, size) {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ROUNDS; i++) {
    const started = performance.now();
    if (!work(size, ROUND_BYTES)) throw new Error(`wrong result with pieces of ${size} bytes`);
    best = Math.min(best, performance.now() - started);
  }
  return ROUND_BYTES / best / 1e6;
}

const [option, way] = process.argv.slice(2);
if (option === '--measure') {
  console.log(SIZES.map((size) => gigabytesPerSecond(WAYS[way], size).toFixed(2)).join(' | '));
} else {
  const wanted = process.argv.slice(2);
  console.log(`${machine}; GB/s, best of ${ROUNDS}\n`);
  console.log(`| bytes at a time | ${SIZES.join(' | ')} |`);
  console.log(`| --- |${' --- |'.repeat(SIZES.length)}`);
  for (const name of Object.keys(WAYS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const args = [fileURLToPath(import.meta.url), '--measure', name];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    console.log(`| ${name} | ${stdout.trim()} |`);
  }
}
