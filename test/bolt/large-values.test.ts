import { describe, expect, test } from 'vitest';
import { openBolt } from '../../src/bolt/index.ts';
import type { ByteSource } from '../../src/io/byte-source.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { boltFile, branch, bucket, leaf, type Page } from '../support/bolt-pages.ts';
import { faultySource } from '../support/faulty.ts';
import { readFixture } from '../support/fixtures.ts';

const MIB = 2 ** 20;
const PAGE = 4096;
const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

/**
 * A file with one bucket `b` whose only leaf has a key `a` with a value of `size` bytes, and behind that a key `z` with the value
 * `end`. The value is made up when it is read: byte i of the file is i mod 251.
 */
function virtualFile(size: number): ByteSource {
  const head = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['a', ''], ['z', 'end']) }, { pageSize: PAGE });
  const edit = new BoltEdit(head);
  const start = edit.at(3);
  const pages = Math.ceil((16 + 32 + 1 + size + 4) / PAGE);
  edit.setU32(start + 12, pages - 1);
  edit.setU32(start + 16 + 12, size);
  edit.setU32(start + 32 + 4, 16 + 1 + size);
  edit.editMetas((at) => edit.setU64(at + 56, 3 + pages));
  const value = start + 16 + 32 + 1;
  const end = value + size;
  const fixed = edit.bytes.slice(0, value);
  const tail = new TextEncoder().encode('zend');
  return {
    size: (3 + pages) * PAGE,
    readInto(target, offset) {
      const length = Math.max(0, Math.min(target.length, this.size - offset));
      for (let i = 0; i < length; i++) {
        const at = offset + i;
        target[i] = at < value ? fixed[at]! : at < end ? at % 251 : (tail[at - end] ?? 0);
      }
      return length;
    },
    close() {},
  };
}

describe('a value of 3 GB', () => {
  const size = 3 * 2 ** 30;
  const open = () => {
    const source = faultySource(virtualFile(size));
    return { source, bucket: openBolt(source).requireBucket('b') };
  };

  test('costs nothing while it is not asked for', () => {
    const { source, bucket } = open();
    const keys: string[] = [];
    bucket.scan((element) => keys.push(`${text(element.key)} ${element.valueLength}`));
    expect(keys).toEqual([`a ${size}`, 'z 3']);
    expect(text(bucket.get('z'))).toBe('end');
    expect(text(bucket.cursor().last()?.value())).toBe('end');
    expect(text(bucket.cursor().seek(new TextEncoder().encode('b'))?.key)).toBe('z');
    expect(bucket.stats().leafInuse).toBe(16 + 32 + 1 + size + 4);
    expect(source.bytesRead).toBeLessThan(MIB);
  });

  test('is read in pieces, as far as one likes', () => {
    const { source, bucket } = open();
    let seen = 0;
    let at = 3 * PAGE + 16 + 32 + 1;
    for (const piece of bucket.valueChunks('a')!) {
      expect(piece.length).toBeLessThanOrEqual(65536);
      expect([piece[0], piece.at(-1)]).toEqual([at % 251, (at + piece.length - 1) % 251]);
      at += piece.length;
      seen += piece.length;
      if (seen > 2 * MIB) break;
    }
    expect(source.bytesRead).toBeLessThan(3 * MIB);
  });

  test('cannot be had in pieces of no size', () => {
    expect(() => [...open().bucket.valueChunks('a', 0)!]).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});

test.each([100, 4000, 5000, 70_000, MIB - 100, MIB, MIB + 1, 5 * MIB])(
  'a value of %i bytes is the same in every way',
  (size) => {
    const bucket = openBolt(virtualFile(size)).requireBucket('b');
    const start = 3 * PAGE + 16 + 32 + 1;
    const expected = Uint8Array.from({ length: size }, (_, i) => (start + i) % 251);
    const same = (bytes: Uint8Array | undefined) => Buffer.compare(bytes ?? new Uint8Array(0), expected) === 0;
    expect(same(bucket.get('a'))).toBe(true);
    expect(same(bucket.cursor().first()?.value())).toBe(true);
    expect(same(bucket.cursor().first()?.copy().value)).toBe(true);
    expect(same([...bucket.entries()][0]?.value)).toBe(true);
    for (const chunk of [1000, 65536, 10 * MIB]) {
      const pieces: Uint8Array[] = [];
      for (const piece of bucket.valueChunks('a', chunk)!) pieces.push(piece.slice());
      expect(same(Buffer.concat(pieces))).toBe(true);
    }
    const values: (boolean | string | undefined)[] = [];
    bucket.forEach((key, value) => {
      values.push(text(key) === 'a' ? same(value) : text(value));
    });
    expect(values).toEqual([true, 'end']);
  },
);

test('a key stays valid while its value is read', () => {
  const element = openBolt(virtualFile(500_000)).requireBucket('b').cursor().first()!;
  const { key } = element;
  expect(element.value()?.length).toBe(500_000);
  expect([text(key), text(element.key)]).toEqual(['a', 'a']);
});

test('the pieces of a value end when the cursor moves on', () => {
  const cursor = openBolt(virtualFile(500_000)).requireBucket('b').cursor();
  const pieces = cursor.first()!.valueChunks();
  pieces.next();
  cursor.next();
  expect(() => pieces.next()).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('a value of which the file holds only a part is damage, its key is not', () => {
  const whole = virtualFile(8 * MIB);
  const cut: ByteSource = {
    ...whole,
    size: 4 * MIB,
    readInto: (target, offset) => whole.readInto.call(cut, target, offset),
  };
  const bucket = openBolt(cut).requireBucket('b');
  expect(bucket.cursor().first()?.valueLength).toBe(8 * MIB);
  const damaged = expect.objectContaining({ code: 'BOLT_DAMAGED', pageId: 3 });
  expect(() => bucket.get('a')).toThrow(damaged);
  expect(() => [...bucket.valueChunks('a')!]).toThrow(damaged);
  expect(() => bucket.cursor().last()?.key).toThrow(damaged);
});

describe('reads', () => {
  const manyLeaves = (ids: readonly number[]) => {
    const keys = ids.map((_, i) => `key ${String(i).padStart(5, '0')}`);
    const pages: Record<number, Page> = { 2: leaf(bucket('b', 3)) };
    for (const [i, id] of ids.entries()) pages[id] = leaf([keys[i]!, 'v'.repeat(900)]);
    pages[3] = branch(...ids.map((id, i) => [keys[i]!, id] as const));
    return boltFile(pages, { pageSize: 1024 });
  };
  const dense = Array.from({ length: 600 }, (_, i) => 100 + i);
  const scan = (source: ByteSource) => {
    let count = 0;
    openBolt(source)
      .requireBucket('b')
      .scan(() => count++);
    return count;
  };

  test('of neighbouring leaves are made together', () => {
    const source = faultySource(memorySource(manyLeaves(dense)));
    expect(scan(source)).toBe(600);
    expect(source.reads).toBeLessThan(15);
  });

  test('of scattered leaves do not read what lies between', () => {
    const source = faultySource(memorySource(manyLeaves(Array.from({ length: 300 }, (_, i) => 100 + 20 * i))));
    expect(scan(source)).toBe(300);
    expect(source.bytesRead).toBeLessThan(350 * 1024);
  });

  test('backwards are made together as well', () => {
    const source = faultySource(memorySource(manyLeaves(dense)));
    const cursor = openBolt(source).requireBucket('b').cursor();
    let count = 0;
    for (let element = cursor.last(); element; element = cursor.prev()) count += element.valueLength / 900;
    expect(count).toBe(600);
    expect(source.reads).toBeLessThan(25);
  });

  test('for a look at a few keys stay short', () => {
    const source = faultySource(memorySource(manyLeaves(dense)));
    const cursor = openBolt(source).requireBucket('b').cursor();
    cursor.first();
    cursor.next();
    cursor.next();
    expect(source.bytesRead).toBeLessThan(200 * 1024);
  });

  test('that fail in one place cost only the page that lies there', () => {
    const source = faultySource(memorySource(manyLeaves(dense)), { failAt: [[300 * 1024, 300 * 1024 + 10]] });
    const bucket = openBolt(source).requireBucket('b');
    let count = 0;
    expect(() => bucket.scan(() => count++)).toThrow(expect.objectContaining({ code: 'IO_FAILED' }));
    expect(count).toBe(200);
    expect(bucket.has('key 00199') && bucket.has('key 00201')).toBe(true);
    expect(() => bucket.get('key 00200')).toThrow(expect.objectContaining({ code: 'IO_FAILED' }));
  });

  test('that come in fragments give the same', () => {
    const bytes = readFixture('bolt/mixed-1024');
    const keys = (source: ByteSource) => {
      const list: string[] = [];
      openBolt(source)
        .requireBucket('mixed')
        .forEach((key, value) => {
          list.push(`${text(key)} ${value?.length}`);
        });
      return list;
    };
    expect(keys(faultySource(memorySource(bytes), { shortReads: 7 }))).toEqual(keys(memorySource(bytes)));
  });
});
