/**
 * Checks one damaged file and holds the answer to what must always be true of it, whatever the bytes are.
 */
import { expect } from 'vitest';
import { checkBolt } from '../../../src/bolt/check.ts';
import { describeFinding } from '../../../src/findings.ts';
import type { ByteSource } from '../../../src/io/byte-source.ts';
import type { CheckReport } from '../../../src/report.ts';

/** `found`: the verdict is not healthy. `noted`: healthy, with a note. `silent`: nothing was said at all. */
export type Outcome = 'found' | 'noted' | 'silent';

export interface Judgement {
  readonly outcome: Outcome;
  readonly report: CheckReport;
}

/** Bytes as a source that counts. */
export class CountingSource implements ByteSource {
  readonly size: number;
  reads = 0;
  bytesRead = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.size = bytes.length;
  }

  readInto(target: Uint8Array, offset: number): number {
    if (!Number.isSafeInteger(offset) || offset < 0) throw new Error(`read at ${offset}`);
    const end = Math.min(this.size, offset + target.length);
    this.reads++;
    if (end <= offset) return 0;
    target.set(this.#bytes.subarray(offset, end));
    this.bytesRead += end - offset;
    return end - offset;
  }

  close(): void {}
}

/** So much may be read of a file, and in so many reads. The pages of these files are the smallest, and so the most. */
const READS_PER_PAGE = 3;
const MORE_READS = 60;
const BYTES_PER_BYTE = 8;
const MORE_BYTES = 1 << 16;

/** The largest numbers seen, for the curious. */
export const extremes = { reads: 0, bytesRead: 0, reportLength: 0 };

export function judge(bytes: Uint8Array, pageSize = 512): Judgement {
  const source = new CountingSource(bytes);
  const report = checkBolt(source);
  const text = JSON.stringify(report);
  const pages = Math.ceil(bytes.length / pageSize);
  extremes.reads = Math.max(extremes.reads, source.reads);
  extremes.bytesRead = Math.max(extremes.bytesRead, source.bytesRead);
  extremes.reportLength = Math.max(extremes.reportLength, text.length);
  // By hand first: a matcher costs more than the check itself.
  const bounded =
    source.reads <= READS_PER_PAGE * pages + MORE_READS &&
    source.bytesRead <= BYTES_PER_BYTE * bytes.length + MORE_BYTES &&
    text.length < 64 * 1024 &&
    report.bytesRead === source.bytesRead;
  if (!bounded) {
    expect(source.reads).toBeLessThanOrEqual(READS_PER_PAGE * pages + MORE_READS);
    expect(source.bytesRead).toBeLessThanOrEqual(BYTES_PER_BYTE * bytes.length + MORE_BYTES);
    expect(text.length).toBeLessThan(64 * 1024);
    expect(report.bytesRead).toBe(source.bytesRead);
  }
  for (const finding of report.findings) {
    const { message } = describeFinding(finding);
    if (/undefined|NaN/.test(message)) expect(message).toBe('a sentence without holes');
  }
  const outcome = report.verdict !== 'healthy' ? 'found' : report.findings.length > 0 ? 'noted' : 'silent';
  return { outcome, report };
}
