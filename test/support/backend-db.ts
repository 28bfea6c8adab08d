/**
 * Small dbs made by hand: buckets with pairs, as a file in memory.
 */

import { BackendFile } from '../../src/backend/backend-file.ts';
import { BUCKETS } from '../../src/backend/format.ts';
import { encodeRevision } from '../../src/backend/revision.ts';
import { buildBolt } from '../../src/bolt/build.ts';
import { compareKeys } from '../../src/bolt/compare-keys.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { encodeKeyValue, type KeyValue } from '../../src/proto/mvcc.ts';

/** Text stands for its UTF-8 bytes. */
export type Bytes = string | Uint8Array;

/** Pairs of one bucket, in any order. */
export type Pairs = readonly (readonly [key: Bytes, value: Bytes])[];

const encoder = new TextEncoder();

export const toBytes = (bytes: Bytes): Uint8Array => (typeof bytes === 'string' ? encoder.encode(bytes) : bytes);

/** Bytes from hexadecimal digits; spaces do not count. */
export function hex(digits: string): Uint8Array {
  return Uint8Array.from(digits.replaceAll(/\s/g, '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** A number of 64 bits, big endian. */
export function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value));
  return bytes;
}

/** A record of bucket `key`: revision, then what the message holds. */
export function put(
  main: number | bigint,
  sub: number | bigint,
  fields: Partial<Record<keyof KeyValue, unknown>>,
): readonly [Uint8Array, Uint8Array] {
  const { key = '', value = '', createRevision = main, modRevision = main, version = 1, lease = 0 } = fields;
  const number = (field: unknown): bigint => BigInt(field as number | bigint);
  const message = encodeKeyValue({
    key: toBytes(key as Bytes),
    value: toBytes(value as Bytes),
    createRevision: number(createRevision),
    modRevision: number(modRevision),
    version: number(version),
    lease: number(lease),
  });
  return [encodeRevision({ main: BigInt(main), sub: BigInt(sub) }), message];
}

/** A tombstone. */
export function tombstone(main: number | bigint, sub: number | bigint, key: Bytes): readonly [Uint8Array, Uint8Array] {
  const message = encodeKeyValue({
    key: toBytes(key),
    value: new Uint8Array(),
    createRevision: 0n,
    modRevision: 0n,
    version: 0n,
    lease: 0n,
  });
  return [encodeRevision({ main: BigInt(main), sub: BigInt(sub) }, true), message];
}

/** The bytes of a db with these buckets. `bare`: no others; else all of etcd's are there, empty. */
export async function makeDb(
  buckets: Readonly<Record<string, Pairs>>,
  options: { readonly bare?: boolean; readonly pageSize?: number } = {},
): Promise<Uint8Array> {
  const { bare = false, pageSize = 4096 } = options;
  const names = new Set([...(bare ? [] : BUCKETS), ...Object.keys(buckets)]);
  const file = memoryFile();
  const entries = [...names].sort().map((name) => ({
    bucket: [encoder.encode(name)],
    pairs: (buckets[name] ?? [])
      .map(([key, value]) => [toBytes(key), toBytes(value)] as const)
      .sort((a, b) => compareKeys(a[0], b[0])),
  }));
  await buildBolt(
    file,
    (function* () {
      for (const { bucket, pairs } of entries) {
        yield { bucket, sequence: 0n };
        for (const [key, value] of pairs) yield { bucket, key, value };
      }
    })(),
    { pageSize, freelistStored: false },
  );
  return readAll(file);
}

function readAll(file: ReturnType<typeof memoryFile>): Uint8Array {
  const bytes = new Uint8Array(file.size);
  file.readInto(bytes, 0);
  return bytes;
}

/** Such a db, open. */
export async function openDb(...made: Parameters<typeof makeDb>): Promise<BackendFile> {
  return new BackendFile(memorySource(await makeDb(...made)));
}
