/**
 * Builds small bolt files page by page, healthy or not, in one line each. Nothing is checked: a page may point to itself.
 * Shares no code with the reader under test.
 */
import { fnv1a64, NO_FREELIST } from './bolt-edit.ts';

const BRANCH = 0x01;
const LEAF = 0x02;
const META = 0x04;
const FREELIST = 0x10;

const encoder = new TextEncoder();
type Bytes = string | Uint8Array;
const bytesOf = (text: Bytes): Uint8Array => (typeof text === 'string' ? encoder.encode(text) : text);

export interface Page {
  readonly flags: number;
  readonly count: number;
  /** Everything behind the header. */
  readonly body: Uint8Array;
}

export interface Item {
  readonly key: Bytes;
  readonly value: Bytes;
  readonly bucket?: boolean;
}

/** A leaf page of these items: `leaf(['a', '1'], ['b', '2'])`. */
export function leaf(...items: readonly (readonly [Bytes, Bytes] | Item)[]): Page {
  const all = items.map((item) => ('key' in item ? item : { key: item[0], value: item[1] }));
  const parts = all.map(({ key, value, bucket }: Item) => ({
    key: bytesOf(key),
    value: bytesOf(value),
    flags: bucket ? 1 : 0,
  }));
  const size = parts.reduce((sum, { key, value }) => sum + 16 + key.length + value.length, 0);
  const body = new Uint8Array(size);
  const view = new DataView(body.buffer);
  let at = 16 * parts.length;
  for (const [i, { key, value, flags }] of parts.entries()) {
    for (const [field, number] of [flags, at - 16 * i, key.length, value.length].entries()) {
      view.setUint32(16 * i + 4 * field, number, true);
    }
    body.set(key, at);
    body.set(value, at + key.length);
    at += key.length + value.length;
  }
  return { flags: LEAF, count: parts.length, body };
}

/** A branch page of these children: `branch(['a', 4], ['k', 5])`. */
export function branch(...children: readonly (readonly [Bytes, number])[]): Page {
  const keys = children.map(([key]) => bytesOf(key));
  const body = new Uint8Array(keys.reduce((sum, key) => sum + 16 + key.length, 0));
  const view = new DataView(body.buffer);
  let at = 16 * keys.length;
  for (const [i, key] of keys.entries()) {
    view.setUint32(16 * i, at - 16 * i, true);
    view.setUint32(16 * i + 4, key.length, true);
    view.setBigUint64(16 * i + 8, BigInt(children[i]![1]), true);
    body.set(key, at);
    at += key.length;
  }
  return { flags: BRANCH, count: keys.length, body };
}

export function freelist(...ids: readonly number[]): Page {
  const body = new Uint8Array(8 * ids.length);
  const view = new DataView(body.buffer);
  for (const [i, id] of ids.entries()) view.setBigUint64(8 * i, BigInt(id), true);
  return { flags: FREELIST, count: ids.length, body };
}

/** The item of a bucket with pages of its own. */
export function bucket(name: Bytes, root: number, sequence = 0): Item {
  const value = new Uint8Array(16);
  new DataView(value.buffer).setBigUint64(0, BigInt(root), true);
  new DataView(value.buffer).setBigUint64(8, BigInt(sequence), true);
  return { key: name, value, bucket: true };
}

/** The item of an inline bucket. */
export function inlineBucket(name: Bytes, page: Page, sequence = 0): Item {
  const value = new Uint8Array(32 + page.body.length);
  const view = new DataView(value.buffer);
  view.setBigUint64(8, BigInt(sequence), true);
  view.setUint16(24, page.flags, true);
  view.setUint16(26, page.count, true);
  value.set(page.body, 32);
  return { key: name, value, bucket: true };
}

export interface FileOptions {
  readonly pageSize?: number;
  /** Page of the root bucket; the first one given unless told. */
  readonly root?: number;
  readonly freelist?: number;
  readonly highWaterMark?: number;
}

/** A file whose pages from number 2 on are those given; each takes as many overflow pages as it needs. */
export function boltFile(pages: Readonly<Record<number, Page>>, options: FileOptions = {}): Uint8Array {
  const pageSize = options.pageSize ?? 512;
  const overflow = (page: Page) => Math.max(0, Math.ceil((16 + page.body.length) / pageSize) - 1);
  const ids = Object.keys(pages).map(Number);
  const end = Math.max(4, ...ids.map((id) => id + overflow(pages[id]!) + 1));
  const highWaterMark = options.highWaterMark ?? end;
  const bytes = new Uint8Array(end * pageSize);
  const view = new DataView(bytes.buffer);
  for (const id of ids) {
    const page = pages[id]!;
    header(view, id * pageSize, id, page.flags, page.count, overflow(page));
    bytes.set(page.body, id * pageSize + 16);
  }
  for (const page of [0, 1]) {
    const at = page * pageSize;
    header(view, at, page, META, 0, 0);
    for (const [i, number] of [0xed0cdaed, 2, pageSize, 0].entries()) view.setUint32(at + 16 + 4 * i, number, true);
    view.setBigUint64(at + 32, BigInt(options.root ?? Math.min(...ids)), true);
    view.setBigUint64(at + 48, options.freelist === undefined ? NO_FREELIST : BigInt(options.freelist), true);
    view.setBigUint64(at + 56, BigInt(highWaterMark), true);
    view.setBigUint64(at + 64, BigInt(page), true);
    view.setBigUint64(at + 72, fnv1a64(bytes.subarray(at + 16, at + 72)), true);
  }
  return bytes;
}

function header(view: DataView, at: number, id: number, flags: number, count: number, overflow: number): void {
  view.setBigUint64(at, BigInt(id), true);
  view.setUint16(at + 8, flags, true);
  view.setUint16(at + 10, count, true);
  view.setUint32(at + 12, overflow, true);
}
