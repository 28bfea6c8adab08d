/**
 * A writable database in memory for one test, and what a test asks of the file it leaves. What is in the file is read by
 * the read-only half of the library; pages are looked at with `BoltEdit`, which shares nothing with it.
 */
import { expect } from 'vitest';
import {
  type CreateBoltOptions,
  checkBolt,
  createBolt,
  type ErrorCode,
  openBolt,
  type WritableBoltDb,
  type WriteOptions,
} from '../../src/bolt/index.ts';
import { describeFinding, type FindingCode } from '../../src/findings.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { type MemoryFile, memoryFile } from '../../src/io/memory-file.ts';
import { BoltEdit } from './bolt-edit.ts';

/** A database and the file it is in. */
export interface TestDb {
  readonly db: WritableBoltDb;
  readonly file: MemoryFile;
}

/** A new database in memory. */
export function newDb(options: CreateBoltOptions = {}): TestDb {
  const file = memoryFile();
  return { db: createBolt(file, options), file };
}

/** Opens a copy of `bytes` for writing. */
export function openDb(bytes: Uint8Array, options: WriteOptions = {}): TestDb {
  const file = memoryFile(bytes);
  return { db: openBolt(file, { readOnly: false, ...options }), file };
}

/** The file with nothing in common but its bytes: every test of what was written looks at it so. */
export function pagesOf({ file }: TestDb): BoltEdit {
  return new BoltEdit(file.bytes());
}

/** What is in a bucket: values as text, buckets as further objects. */
export interface Content {
  [key: string]: string | Content;
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Everything that the last commit left, as read from the bytes of the file alone. */
export function contentOf({ file }: TestDb): Content {
  const root: Content = {};
  const db = openBolt(memorySource(file.bytes()));
  const waiting = [{ bucket: db.root, into: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { bucket, into } = next;
    bucket.forEach((key, value) => {
      const inner: Content = {};
      into[text(key)] = value === undefined ? inner : text(value);
      if (value === undefined) waiting.push({ bucket: bucket.requireBucket(key), into: inner });
    });
  }
  return root;
}

/** The file is healthy, free pages and all, but for notes that are expected; returns it for a further look. */
export function expectHealthy(database: TestDb, ...notes: readonly FindingCode[]): BoltEdit {
  const report = checkBolt(database.file.bytes());
  // An odd page size is what the test asked for.
  const words = report.findings
    .filter(({ code }) => code !== 'BOLT_PAGE_SIZE_ODD' && !notes.includes(code))
    .map((finding) => `${finding.severity} ${finding.code}: ${describeFinding(finding).message}`);
  expect(words).toEqual([]);
  expect(report.verdict).toBe('healthy');
  const pages = pagesOf(database);
  if (report.bolt?.freelistStored === true) expect(storedIds(pages)).toEqual(pages.freePages());
  return pages;
}

/** The ids of the stored freelist, as they lie there. */
export function storedIds(pages: BoltEdit): number[] {
  const list = pages.freelist;
  if (list === undefined) return [];
  const start = pages.at(list, 16);
  const escaped = pages.count(list) === 0xffff;
  const count = escaped ? Number(pages.u64(start)) : pages.count(list);
  return Array.from({ length: count }, (_, i) => Number(pages.u64(start + 8 * (i + (escaped ? 1 : 0)))));
}

/** The same bytes. (`toEqual` takes seconds for them.) */
export function expectSameBytes(actual: Uint8Array, expected: Uint8Array): void {
  expect(actual.length).toBe(expected.length);
  expect(Buffer.compare(actual, expected)).toBe(0);
}

/** An error of ours with that code, for `toThrow`. */
export function code(wanted: ErrorCode): Error {
  return expect.objectContaining({ code: wanted }) as Error;
}

/** `k000`, `k001`, … */
export function numbered(i: number, digits = 4): string {
  return `k${String(i).padStart(digits, '0')}`;
}

/** Puts `count` numbered keys, each with a value of `size` times the same letter. */
export function fill(
  bucket: { put(key: string, value: Uint8Array): void },
  count: number,
  size: number,
  from = 0,
): void {
  for (let i = from; i < from + count; i++) bucket.put(numbered(i), new Uint8Array(size).fill(0x78));
}
