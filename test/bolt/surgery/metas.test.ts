// Surgery of the two meta pages: going back to the older one, looking at both, setting fields.
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../../src/bolt/check.ts';
import { openBolt } from '../../../src/bolt/open.ts';
import { revertMetaPage } from '../../../src/bolt/surgery/revert-meta-page.ts';
import { updateMeta } from '../../../src/bolt/surgery/update-meta.ts';
import { validateMetas } from '../../../src/bolt/surgery/validate-metas.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { BoltEdit } from '../../support/bolt-edit.ts';
import { boltFile, bucket, leaf } from '../../support/bolt-pages.ts';
import { readFixture } from '../../support/fixtures.ts';
import { freshFile, widgetsFile } from '../../support/golden-bolt.ts';

const FIXTURE = 'bolt/mixed-1024';

function edited(change: (bolt: BoltEdit) => void, fixture = FIXTURE): Uint8Array {
  const bolt = new BoltEdit(readFixture(fixture));
  change(bolt);
  return bolt.bytes;
}

/** A page without its number. */
const content = (bytes: Uint8Array, page: number, pageSize: number): Uint8Array =>
  bytes.slice(page * pageSize + 8, (page + 1) * pageSize);

describe('revertMetaPage', () => {
  test('makes both metas the older one', () => {
    const source = freshFile();
    const file = memoryFile(source);
    expect(revertMetaPage(file)).toEqual({
      operation: 'revert-meta-page',
      from: 0,
      to: 1,
      txid: 0n,
      previousTxid: 1n,
    });
    const after = file.bytes();
    const older = content(source, 0, 4096);
    expect(content(after, 0, 4096)).toEqual(older);
    expect(content(after, 1, 4096)).toEqual(older);
    expect(after.slice(8192)).toEqual(source.slice(8192));
    expect(openBolt(after).metas.map(({ headerId }) => headerId)).toEqual([0n, 1n]);
  });

  test('brings back what the last transaction changed', () => {
    const file = memoryFile(widgetsFile());
    expect([...openBolt(file).buckets()].length).toBe(1);
    revertMetaPage(file);
    expect([...openBolt(file).buckets()]).toEqual([]);
    expect(checkBolt(file).verdict).toBe('healthy');
  });

  test('with equal transaction numbers meta 0 counts as the newer one, as bbolt has it', () => {
    const file = memoryFile(readFixture('bolt-surgery/revert-meta-page'));
    expect(revertMetaPage(file)).toMatchObject({ from: 1, to: 0 });
  });

  test('a newer meta that is torn is overwritten with the older one', () => {
    const bytes = edited((bolt) => bolt.flip(bolt.at(bolt.newerMeta, 40), 1));
    const file = memoryFile(bytes);
    expect(validateMetas(file)).toMatchObject({ valid: false, current: 0 });
    expect(revertMetaPage(file)).toMatchObject({ from: 0, to: 1 });
    expect(validateMetas(file)).toMatchObject({ valid: true });
  });

  test('an older meta that is not valid is refused: it would destroy the other one', () => {
    const bytes = edited((bolt) => bolt.flip(bolt.at(bolt.olderMeta, 40), 1));
    const file = memoryFile(bytes);
    expect(() => revertMetaPage(file)).toThrow(
      expect.objectContaining({ code: 'BOLT_NO_META', message: expect.stringContaining('no older state') }),
    );
    expect(file.bytes()).toEqual(bytes);
  });

  test('without a valid meta there is nothing to go back to', () => {
    const bytes = edited((bolt) => {
      for (const page of [0, 1]) bolt.flip(bolt.at(page, 40), 1);
    });
    expect(() => revertMetaPage(memoryFile(bytes))).toThrow(expect.objectContaining({ code: 'BOLT_NO_META' }));
  });

  test('a wrong number in the header of a meta page does not matter', () => {
    const bytes = edited((bolt) => bolt.setU64(bolt.at(bolt.olderMeta), 77));
    const file = memoryFile(bytes);
    revertMetaPage(file);
    expect(new BoltEdit(file.bytes()).u64(1024)).toBe(1n);
  });

  test('damage of meta 0 does not hide the page size, as it does from bbolt', () => {
    const bytes = edited((bolt) => bolt.bytes.fill(0, 0, 80));
    // Its transaction number is gone too, so it counts as the older one.
    expect(() => revertMetaPage(memoryFile(bytes))).toThrow('meta 0 is not valid');
  });
});

describe('validateMetas', () => {
  test.each([
    ['magic', 16],
    ['version', 20],
    ['checksum', 72],
  ])('names the reason: %s', (problem, offset) => {
    for (const page of [0, 1] as const) {
      const bytes = edited((bolt) => bolt.flip(bolt.at(page, offset), 1));
      const { metas, valid, current, pageSize } = validateMetas(bytes);
      expect(metas[page].problem).toBe(problem);
      expect({ valid, current, pageSize }).toEqual({ valid: false, current: 1 - page, pageSize: 1024 });
    }
  });

  test('finds meta 1 though meta 0 names another page size', () => {
    const bytes = edited((bolt) => bolt.setU32(24, 4096));
    expect(validateMetas(bytes)).toMatchObject({ pageSize: 1024, current: 1, valid: false });
  });

  test('looks where it is told to, when neither meta is valid', () => {
    const bytes = edited((bolt) => {
      bolt.bytes.fill(0, 0, 80);
      bolt.bytes.fill(0xee, 1024 + 16, 1024 + 32);
    });
    expect(validateMetas(bytes)).toMatchObject({ valid: false, current: undefined });
    expect(validateMetas(bytes, { pageSize: 1024 }).metas[1].txid).toBe(41n);
    expect(validateMetas(bytes, { pageSize: 1024 }).pageSize).toBe(1024);
  });

  test('does not throw for anything that is no bolt file', () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(100), new Uint8Array(9000).fill(0xaa)]) {
      expect(validateMetas(bytes)).toMatchObject({ valid: false, current: undefined });
    }
    expect(() => validateMetas(new Uint8Array(9000), { pageSize: 3 })).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });
});

describe('updateMeta', () => {
  const cases = [
    { root: 50n },
    { freelist: 40n },
    { highWaterMark: 600n },
    { root: 45n, freelist: 46n },
    { highWaterMark: 256n, freelist: 47n },
    { root: 43n, freelist: 62n, highWaterMark: 256n },
    { pageSize: 2048 },
    { freelist: 0xffff_ffff_ffff_ffffn },
  ];
  for (const page of [0, 1] as const) {
    test.each(cases)(`sets fields of meta ${page}: %o`, (fields) => {
      const source = freshFile();
      const file = memoryFile(source);
      const { before, after, changed } = updateMeta(file, page, fields);
      expect(changed).toBe(true);
      expect(after).toMatchObject({ ...fields, magic: 0xed0cdaed, version: 2, flags: 4, problem: undefined });
      expect(after.txid).toBe(before.txid);
      // Nothing but the 64 bytes of that meta is touched.
      const bytes = file.bytes();
      bytes.set(source.subarray(page * 4096 + 16, page * 4096 + 80), page * 4096 + 16);
      expect(bytes).toEqual(source);
    });
  }

  test('setting the root sets the sequence of the root bucket to 0, and nothing else does', () => {
    const bytes = edited((bolt) => bolt.setU64(40, 9));
    expect(updateMeta(memoryFile(bytes), 0, { freelist: 3n }).after.sequence).toBe(9n);
    expect(updateMeta(memoryFile(bytes), 0, { root: 3n }).after.sequence).toBe(0n);
  });

  test('makes a damaged meta valid', () => {
    const bytes = edited((bolt) => bolt.bytes.fill(0xee, 16, 24));
    const file = memoryFile(bytes);
    expect(updateMeta(file, 0, {})).toMatchObject({ changed: true, before: { problem: 'magic' } });
    expect(validateMetas(file)).toMatchObject({ valid: true });
    expect(checkBolt(file).verdict).toBe('healthy');
  });

  test('does nothing to a meta that is just so already', () => {
    const file = memoryFile(readFixture('bolt-surgery/meta-update-flags-0'));
    expect(updateMeta(file, 0, {})).toMatchObject({ changed: false });
  });

  test('brings back a file of which both metas are damaged', () => {
    const bytes = edited((bolt) => {
      bolt.flip(bolt.at(0, 17), 1);
      bolt.flip(bolt.at(1, 72), 1);
    });
    expect(checkBolt(bytes).verdict).toBe('damaged');
    const file = memoryFile(bytes);
    updateMeta(file, 1, {});
    expect(checkBolt(file).verdict).not.toBe('damaged');
  });

  test('of a file without any sign of metas only when the page size is told', () => {
    const source = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['key', 'value']) });
    const bytes = source.slice();
    bytes.fill(0, 0, 80);
    bytes.fill(0, 512, 592);
    const fields = { pageSize: 512, root: 2n, freelist: 0xffff_ffff_ffff_ffffn, highWaterMark: 4n };
    expect(() => updateMeta(memoryFile(bytes), 1, fields)).toThrow(expect.objectContaining({ code: 'BOLT_NO_META' }));
    const file = memoryFile(bytes);
    expect(updateMeta(file, 1, fields, { pageSize: 512 })).toMatchObject({ headerCorrected: true });
    expect(new TextDecoder().decode(openBolt(file).get('b', 'key'))).toBe('value');
  });

  test('a page size that the rest of the file does not have is told', () => {
    expect(updateMeta(memoryFile(freshFile()), 1, { pageSize: 2048 })).toMatchObject({ otherPageSize: 4096 });
    expect(updateMeta(memoryFile(freshFile()), 1, { root: 3n }).otherPageSize).toBeUndefined();
  });

  test('fields that do not fit are refused', () => {
    const file = memoryFile(freshFile());
    for (const fields of [{ pageSize: 2 ** 32 }, { pageSize: -1 }, { root: 1n << 64n }, { freelist: -1n }]) {
      expect(() => updateMeta(file, 0, fields)).toThrow(expect.objectContaining({ code: 'USAGE' }));
    }
    expect(() => updateMeta(file, 2 as 0, {})).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(file.bytes()).toEqual(freshFile());
  });

  test('a file that ends before the meta page is refused', () => {
    const bytes = freshFile().slice(0, 4100);
    expect(() => updateMeta(memoryFile(bytes), 1, {})).toThrow(expect.objectContaining({ code: 'BOLT_DAMAGED' }));
  });
});
