// Forgetting the stored list of free pages, and storing one.
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../../src/bolt/check.ts';
import { openBolt } from '../../../src/bolt/open.ts';
import { abandonFreelist } from '../../../src/bolt/surgery/abandon-freelist.ts';
import { clearPage } from '../../../src/bolt/surgery/clear-page-elements.ts';
import { rebuildFreelist } from '../../../src/bolt/surgery/rebuild-freelist.ts';
import { validateMetas } from '../../../src/bolt/surgery/validate-metas.ts';
import { openWritable } from '../../../src/bolt/writable.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { BoltEdit, NO_FREELIST } from '../../support/bolt-edit.ts';
import { boltFile, branch, bucket, leaf } from '../../support/bolt-pages.ts';
import { listDbFixtures, readFixture } from '../../support/fixtures.ts';
import { freshFile } from '../../support/golden-bolt.ts';

function edited(fixture: string, change: (bolt: BoltEdit) => void): Uint8Array {
  const bolt = new BoltEdit(readFixture(fixture));
  change(bolt);
  return bolt.bytes;
}

describe('abandonFreelist', () => {
  test('makes both metas name none', () => {
    const source = freshFile();
    const file = memoryFile(source);
    expect(abandonFreelist(file)).toEqual({
      operation: 'abandon-freelist',
      metas: [
        { page: 0, freelist: 2n },
        { page: 1, freelist: 2n },
      ],
      skipped: [],
    });
    const { metas, valid } = validateMetas(file);
    expect(valid).toBe(true);
    expect(metas.map(({ freelist }) => freelist)).toEqual([NO_FREELIST, NO_FREELIST]);
    expect(file.bytes().slice(8192)).toEqual(source.slice(8192));
  });

  test('cures a file whose freelist is ruined', () => {
    const bytes = edited('bolt/mixed-1024', (bolt) => bolt.bytes.fill(0xee, bolt.at(bolt.freelist as number)));
    const small = bytes.slice(0, 283 * 1024);
    expect(checkBolt(small).verdict).toBe('damaged');
    const file = memoryFile(
      edited('bolt/mixed-1024', (bolt) => bolt.setU16(bolt.at(bolt.freelist as number, 8), 0x20)),
    );
    expect(checkBolt(file).verdict).toBe('damaged');
    abandonFreelist(file);
    expect(checkBolt(file).verdict).toBe('healthy');
  });

  test('leaves a meta that is not valid alone: a fresh checksum would make it the one in use', () => {
    const bytes = edited('bolt/mixed-1024', (bolt) => bolt.flip(bolt.at(bolt.newerMeta, 40), 1));
    const file = memoryFile(bytes);
    expect(abandonFreelist(file)).toMatchObject({
      metas: [{ page: 0 }],
      skipped: [{ page: 1, problem: 'checksum' }],
    });
    expect(file.bytes().slice(1024)).toEqual(bytes.slice(1024));
    expect(validateMetas(file).current).toBe(0);
  });

  test('changes nothing where none is stored', () => {
    const source = readFixture('bolt/mixed-4096-map-none');
    const file = memoryFile(source);
    expect(abandonFreelist(file).metas.map(({ freelist }) => freelist)).toEqual([undefined, undefined]);
    expect(Buffer.compare(file.bytes(), source)).toBe(0);
  });

  test('needs a valid meta', () => {
    const bytes = edited('bolt/mixed-1024', (bolt) => {
      for (const page of [0, 1]) bolt.flip(bolt.at(page, 72), 1);
    });
    expect(() => abandonFreelist(memoryFile(bytes))).toThrow(expect.objectContaining({ code: 'BOLT_NO_META' }));
  });
});

describe('rebuildFreelist', () => {
  test('stores the pages that no tree reaches, in a transaction of its own', () => {
    const source = readFixture('bolt/mixed-4096-map-none');
    const before = openBolt(source);
    const free = before.freelist().count;
    const file = memoryFile(source);
    const result = rebuildFreelist(file);
    expect(result).toMatchObject({ pages: 1, freePages: free - 1, txid: before.txid + 1n, size: source.length });
    const after = openBolt(file);
    expect(after.txid).toBe(before.txid + 1n);
    expect(after.meta.page).toBe(result.metaPage);
    expect(after.freelistStored).toBe(true);
    expect(after.freelist()).toMatchObject({ stored: true, pageId: result.page, count: free - 1 });
    expect(checkBolt(file).verdict).toBe('healthy');
  });

  test('a file that has one is refused', () => {
    const file = memoryFile(freshFile());
    expect(() => rebuildFreelist(file)).toThrow(expect.objectContaining({ code: 'BOLT_FREELIST_STORED' }));
    expect(file.bytes()).toEqual(freshFile());
  });

  test('a list without room among the free pages goes to the high water mark, and the file grows', () => {
    const bytes = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['k', 'v']) }, { pageSize: 4096 });
    const file = memoryFile(bytes);
    expect(rebuildFreelist(file)).toMatchObject({ page: 4, pages: 1, freePages: 0, size: 32768 });
    expect(file.size).toBe(32768);
    expect(openBolt(file).highWaterMark).toBe(5);
    expect(checkBolt(file).verdict).toBe('healthy');
  });

  test('is what the writer stores when it is told to', () => {
    const healthy = listDbFixtures().filter(({ name }) => /^bolt\/\S*none$/.test(name));
    expect(healthy.length).toBeGreaterThan(10);
    for (const fixture of healthy) {
      const ours = memoryFile(readFixture(fixture));
      rebuildFreelist(ours);
      const written = memoryFile(readFixture(fixture));
      openWritable(written, { noFreelistSync: false }).update(() => {});
      expect([fixture.name, Buffer.compare(ours.bytes(), written.bytes())]).toEqual([fixture.name, 0]);
    }
  });

  test.each<[string, (bolt: BoltEdit) => void]>([
    ['a page that is none', (bolt) => bolt.setU16(bolt.at(4, 8), 0)],
    ['a page with the number of another', (bolt) => bolt.setU64(bolt.at(4), 9)],
    ['a child outside the file', (bolt) => bolt.setU64(bolt.at(3, 16 + 8), 1000)],
    ['an element outside its page', (bolt) => bolt.setU32(bolt.at(2, 16 + 4), 5000)],
    ['more overflow pages than there are', (bolt) => bolt.setU32(bolt.at(4, 12), 77)],
    ['a page below two branches', (bolt) => bolt.setU64(bolt.at(3, 16 + 8), 5)],
    ['a high water mark beyond the file', (bolt) => bolt.editMetas((start) => bolt.setU64(start + 56, 1000))],
    ['a high water mark of nothing', (bolt) => bolt.editMetas((start) => bolt.setU64(start + 56, 2))],
    ['the last transaction there can be', (bolt) => bolt.editMetas((start) => bolt.setU64(start + 64, NO_FREELIST))],
  ])('a tree with %s is refused, and nothing is written', (_, damage) => {
    const bolt = new BoltEdit(
      boltFile({ 2: leaf(bucket('b', 3)), 3: branch(['a', 4], ['k', 5]), 4: leaf(['a', '1']), 5: leaf(['k', '2']) }),
    );
    damage(bolt);
    const file = memoryFile(bolt.bytes);
    expect(() => rebuildFreelist(file)).toThrow(expect.objectContaining({ code: 'BOLT_SOURCE_DAMAGED' }));
    expect(file.bytes()).toEqual(bolt.bytes);
  });

  test('the children of an empty branch page are not called free', () => {
    const file = memoryFile(
      boltFile({ 2: leaf(bucket('b', 3)), 3: branch(['a', 4], ['k', 5]), 4: leaf(['a', '1']), 5: leaf(['k', '2']) }),
    );
    clearPage(file, 3);
    expect(() => rebuildFreelist(file)).toThrow(expect.objectContaining({ code: 'BOLT_SOURCE_DAMAGED' }));
  });
});
