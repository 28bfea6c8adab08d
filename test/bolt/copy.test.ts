import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { CopyJob, copyBolt } from '../../src/bolt/copy.ts';
import { openReadable } from '../../src/bolt/database.ts';
import { crc32c } from '../../src/checksum/crc32c.ts';
import { isDatadirError } from '../../src/errors.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import type { Input } from '../../src/io/input.ts';
import { drain } from '../../src/io/job.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { changingSource } from '../support/bolt-builder.ts';
import { listContent } from '../support/bolt-content.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { faultyFile, faultySource } from '../support/faulty.ts';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { freshFile, widgetsFile } from '../support/golden-bolt.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function copy(input: Input) {
  const file = memoryFile();
  const summary = await copyBolt(input, file);
  return { summary, bytes: file.bytes() };
}

describe('what bbolt’s Tx.WriteTo has written', () => {
  const backups = listDbFixtures().filter(({ name }) => name.startsWith('bolt/backup-'));

  test('there are such files, of even and odd transactions', () => {
    expect(backups.length).toBeGreaterThanOrEqual(4);
  });

  test.each(backups.map(({ name }) => name))('%s is copied byte for byte', async (name) => {
    const source = readFixture(name);
    const { bytes, summary } = await copy(source);
    expect(sha256(bytes)).toBe(sha256(source));
    expect(summary).toEqual({ txid: openReadable(source).txid, size: source.length, crc32c: crc32c(source) });
  });
});

describe('any file', () => {
  const names = ['bolt/mixed-1024', 'bolt/shapes-4096-none', 'bolt/fresh-65536', 'etcd/3.5.33/busy/m1'].filter((name) =>
    listDbFixtures().some((fixture) => fixture.name === name),
  );
  test.each(names)('%s: both metas describe the newest state, the other pages are the same', async (name) => {
    const source = readFixture(name);
    const { bytes } = await copy(source);
    const db = openReadable(source);
    const end = db.highWaterMark * db.pageSize;
    expect(bytes.length).toBe(end);
    expect(sha256(bytes.subarray(2 * db.pageSize))).toBe(sha256(source.subarray(2 * db.pageSize, end)));
    const copied = openReadable(bytes);
    const { root, freelist, highWaterMark, sequence } = db.meta;
    for (const meta of copied.metas)
      expect(meta).toMatchObject({ root, freelist, highWaterMark, sequence, headerFlags: 4 });
    expect(copied.metas.map(({ txid, headerId }) => [txid, headerId])).toEqual([
      [db.txid, 0n],
      [db.txid - 1n, 1n],
    ]);
    expect(checkBolt(bytes).verdict).toBe('healthy');
    expect(listContent(bytes)).toEqual(listContent(source));
  });

  test('transaction 0, of a new file with its meta 1 damaged: the one before is 2^64 - 1, as with bbolt', async () => {
    const edit = new BoltEdit(freshFile());
    edit.flip(edit.at(1, 72), 1);
    const { bytes } = await copy(edit.bytes);
    expect(openReadable(bytes).metas.map(({ txid }) => txid)).toEqual([0n, 2n ** 64n - 1n]);
    expect(checkBolt(bytes).verdict).toBe('healthy');
  });

  test('the flags that surgery leaves in a meta are kept, as bbolt keeps them', async () => {
    const edit = new BoltEdit(widgetsFile());
    edit.editMetas((at) => edit.setU32(at + 28, 4));
    expect(openReadable((await copy(edit.bytes)).bytes).metas.map(({ flags }) => flags)).toEqual([4, 4]);
  });
});

describe('what cannot be copied', () => {
  const codeOf = async (input: Input) => {
    const error: unknown = await copy(input).catch((thrown) => thrown);
    return isDatadirError(error) ? error.code : error;
  };

  test('no metas, or pages that the file does not have', async () => {
    expect(await codeOf(new Uint8Array(9000))).toBe('BOLT_NO_META');
    expect(await codeOf(readFixture('bolt/mixed-1024').slice(0, 20_000))).toBe('BOLT_DAMAGED');
  });

  test('metas that are wrong about the page size', async () => {
    const edit = new BoltEdit(readFixture('bolt/mixed-1024'));
    edit.editMetas((at) => edit.setU32(at + 24, 2048));
    expect(await codeOf(edit.bytes)).toBe('BOLT_DAMAGED');
  });

  test('a place that cannot be read', async () => {
    const source = faultySource(memorySource(readFixture('bolt/mixed-1024')), { failAt: [[10_000, 10_001]] });
    expect(await codeOf(source)).toBe('IO_FAILED');
  });
});

describe('a file in use', () => {
  const [first, second] = [widgetsFile(), widgetsFile()];
  const edit = new BoltEdit(second);
  edit.setU64(edit.at(1, 64), 3n);
  edit.setU64(edit.at(1, 32), 4n);
  edit.setU64(edit.at(1, 48), 5n);
  edit.setU64(edit.at(1, 56), 6n);
  edit.sealMeta(1);

  test('is copied again when it was written to', async () => {
    const source = changingSource((read) => (read < 3 ? first : edit.bytes));
    const { summary, bytes } = await copy(source);
    expect(summary.txid).toBe(3n);
    expect(openReadable(bytes).metas.map(({ txid }) => txid)).toEqual([3n, 2n]);
  });

  test('is given up when it always is', async () => {
    const source = changingSource((read) => (Math.floor(read / 3) % 2 === 0 ? first : edit.bytes));
    await expect(copy(source)).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
  });
});

describe('failing writes', () => {
  const source = readFixture('bolt/shapes-65536-none');

  test('at each write, and at the sync', () => {
    for (let n = 0; ; n++) {
      const memory = memoryFile();
      const job = new CopyJob(memorySource(source), faultyFile(memory, { failWriteAfter: n }));
      try {
        drain(job);
      } catch (error) {
        expect(isDatadirError(error, 'IO_FAILED')).toBe(true);
        expect(() => openReadable(memory)).toThrow('no valid meta');
        expect(() => job.result).toThrow('not finished');
        continue;
      }
      expect(n).toBeGreaterThan(1);
      expect(job.progress.done).toBe(job.progress.total);
      break;
    }
    const job = new CopyJob(memorySource(source), faultyFile(memoryFile(), { failSyncAt: 0 }));
    expect(() => drain(job)).toThrow('sync gave EIO');
    drain(new CopyJob(memorySource(source), faultyFile(memoryFile(), { failSyncAt: 0 }), { noSync: true }));
  });

  test('what was written wrongly is found by reading it again', async () => {
    for (const damage of [
      (bytes: Uint8Array) => bytes.fill(1, 70, 71),
      (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 1),
    ]) {
      const memory = memoryFile();
      const target = {
        ...faultyFile(memory),
        get size() {
          return memory.size;
        },
        write: (offset: number, bytes: Uint8Array) => memory.write(offset, offset > 0 ? damage(bytes.slice()) : bytes),
      };
      await expect(copyBolt(source, target)).rejects.toMatchObject({ code: 'SELF_CHECK_FAILED' });
    }
  });
});
