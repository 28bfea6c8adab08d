// The two metas: which one is in force when one or both are broken, for every page size, and their odder but healthy forms.
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { readFixture } from '../support/fixtures.ts';

const PAGE_SIZES = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];
const FIXTURES = [
  ...PAGE_SIZES.flatMap((size) => [`shapes-${size}-stored`, `shapes-${size}-none`]),
  'shapes-1000-stored',
];

/** Ways to break a meta page that starts at `start`. */
const BREAKS: Readonly<Record<string, (edit: BoltEdit, start: number) => void>> = {
  zeroed: (edit, start) => edit.bytes.fill(0, start, start + 80),
  magic: (edit, start) => edit.flip(start + 16, 0x01),
  version: (edit, start) => edit.setU32(start + 20, 3),
  checksum: (edit, start) => edit.flip(start + 72, 0x80),
};

function broken(name: string, how: string, ...metas: (0 | 1)[]): BoltEdit {
  const edit = new BoltEdit(readFixture(`bolt/${name}`));
  for (const meta of metas) BREAKS[how]!(edit, edit.at(meta));
  return edit;
}

describe.each(Object.keys(BREAKS))('a meta broken by its %s', (how) => {
  test.each(FIXTURES)('%s', (name) => {
    const whole = new BoltEdit(readFixture(`bolt/${name}`));
    for (const meta of [0, 1] as const) {
      const other = meta === 0 ? 1 : 0;
      const report = checkBolt(broken(name, how, meta).bytes);
      // An odd page size (1000) with meta 0 gone: only what is left of meta 0 tells where meta 1 is.
      if (meta === 0 && how === 'zeroed' && whole.pageSize === 1000) {
        expect(report.verdict).toBe('damaged');
        continue;
      }
      const { txid, ...rest } = report.bolt!;
      expect({ txid, pageSize: rest.pageSize }).toEqual({
        txid: `${whole.u64(whole.at(other, 64))}`,
        pageSize: whole.pageSize,
      });
      // Zeros do not tell which of the two it was; everything else does.
      const older = meta === whole.olderMeta && how !== 'zeroed';
      expect(report.verdict).toBe(older ? 'healthy' : 'repairable');
      expect(report.findings[0]).toMatchObject({
        code: older ? 'BOLT_META_OLDER_INVALID' : 'BOLT_META_NEWER_INVALID',
        page: meta,
        args: { reason: how === 'zeroed' ? 'magic' : how, ...(older || how === 'zeroed' ? {} : { newer: 'surely' }) },
      });
    }
    const both = checkBolt(broken(name, how, 0, 1).bytes);
    expect(both.verdict).toBe('damaged');
    expect(both.findings.map(({ code }) => code)).toEqual(['BOLT_META_BOTH_INVALID', 'BOLT_META_BOTH_INVALID']);
    expect(both.bolt).toBeUndefined();
    expect(both.notExamined.join()).toMatch(/without a valid meta/);
  });
});

test('both metas broken for different reasons: each reason is told', () => {
  const edit = broken('shapes-4096-none', 'version', 0);
  BREAKS['checksum']!(edit, edit.at(1));
  expect(checkBolt(edit.bytes).findings).toMatchObject([
    { page: 0, args: { reason: 'version', expected: '2', actual: '3' } },
    { page: 1, args: { reason: 'checksum' } },
  ]);
});

describe('transaction numbers', () => {
  function withTxids(meta0: bigint, meta1: bigint): BoltEdit {
    const edit = new BoltEdit(readFixture('bolt/backup-even-4096'));
    edit.setU64(edit.at(0, 64), meta0);
    edit.setU64(edit.at(1, 64), meta1);
    edit.sealMeta(0);
    edit.sealMeta(1);
    return edit;
  }
  const LAST = 2n ** 64n - 1n;

  test('near 2^64', () => {
    const report = checkBolt(withTxids(LAST - 1n, LAST).bytes);
    expect(report).toMatchObject({ verdict: 'healthy', bolt: { txid: `${LAST}` } });
  });

  test('a backup of transaction 0 gives meta 1 the number 2^64 - 1, which is then the current one', () => {
    const report = checkBolt(withTxids(0n, LAST).bytes);
    expect(report).toMatchObject({ verdict: 'healthy', bolt: { txid: `${LAST}`, previous: 'same' } });
  });

  test('the meta before transaction 0 is that of 2^64 - 1', () => {
    const edit = withTxids(0n, LAST);
    edit.flip(edit.at(1, 72), 1);
    const report = checkBolt(edit.bytes);
    expect(report).toMatchObject({
      verdict: 'healthy',
      findings: [{ code: 'BOLT_META_OLDER_INVALID' }],
      bolt: { txid: '0' },
    });
  });

  test('parity means nothing: a backup has its transaction in meta 0, whether even or odd', () => {
    for (const name of ['backup-even-4096', 'backup-odd-4096', 'backup-even-1024-none', 'backup-odd-1024-none']) {
      const edit = new BoltEdit(readFixture(`bolt/${name}`));
      const report = checkBolt(edit.bytes);
      const expected = { txid: `${edit.u64(edit.at(0, 64))}`, previous: 'same' };
      expect(report).toMatchObject({ verdict: 'healthy', findings: [], bolt: expected });
    }
  });

  test('a broken meta whose number is that of the other one may be the newer', () => {
    const edit = new BoltEdit(readFixture('bolt-surgery/revert-meta-page-small'));
    edit.flip(edit.at(1, 72), 1);
    expect(checkBolt(edit.bytes)).toMatchObject({
      verdict: 'repairable',
      findings: [{ code: 'BOLT_META_NEWER_INVALID', args: { newer: 'perhaps' } }, { code: 'BOLT_TAIL_NOT_ZERO' }],
    });
  });

  // A bit of the newer meta's transaction number was flipped, so that it seemed to be the older one, or of the same
  // transaction. The file was then called healthy, though its last transaction is lost.
  test('a newer meta of which only the number is damaged is told by its checksum', () => {
    const whole = new BoltEdit(readFixture('bolt/small-512-stored'));
    for (let bit = 0; bit < 64; bit++) {
      const edit = new BoltEdit(whole.bytes);
      edit.flip(edit.at(edit.newerMeta, 64 + (bit >> 3)), 1 << (bit & 7));
      expect(checkBolt(edit.bytes).findings[0]).toMatchObject({
        code: 'BOLT_META_NEWER_INVALID',
        args: { newer: 'surely' },
      });
      const other = new BoltEdit(whole.bytes);
      other.flip(other.at(other.olderMeta, 64 + (bit >> 3)), 1 << (bit & 7));
      expect(checkBolt(other.bytes).verdict).toBe('healthy');
    }
  });
});

describe('checksums and flags', () => {
  test('no checksum is let pass in the two metas of a new file only', () => {
    const fresh = new BoltEdit(readFixture('bolt/fresh-4096'));
    fresh.setU64(fresh.at(0, 72), 0);
    fresh.setU64(fresh.at(1, 72), 0);
    const report = checkBolt(fresh.bytes);
    expect(report.verdict).toBe('healthy');
    expect(report.findings.map(({ code }) => code)).toEqual([
      'BOLT_META_WITHOUT_CHECKSUM',
      'BOLT_META_WITHOUT_CHECKSUM',
    ]);
    const later = new BoltEdit(readFixture('bolt/small-512-stored'));
    later.setU64(later.at(later.newerMeta, 72), 0);
    expect(checkBolt(later.bytes).findings[0]).toMatchObject({ code: 'BOLT_META_NEWER_INVALID' });
  });

  test('meta.flags of surgery in one or both metas', () => {
    const edit = new BoltEdit(readFixture('bolt/small-512-stored'));
    edit.editMetas((start) => edit.setU32(start + 28, 4));
    const report = checkBolt(edit.bytes);
    expect(report.verdict).toBe('healthy');
    expect(report.findings).toMatchObject([
      { code: 'BOLT_META_FLAGS', page: 0, args: { flags: '0x4' } },
      { code: 'BOLT_META_FLAGS', page: 1, args: { flags: '0x4' } },
    ]);
  });
});

describe('page size', () => {
  test.each([0, 1, 256, 512, 1000, 2048, 8192, 65536, 2 ** 26, 2 ** 31, 2 ** 32 - 1])(
    '%d in both metas of a file of 4096, with right checksums, is found out',
    (claimed) => {
      const edit = new BoltEdit(readFixture('bolt/shapes-4096-stored'));
      edit.editMetas((start) => edit.setU32(start + 24, claimed));
      const report = checkBolt(edit.bytes);
      expect(report.verdict).toBe('damaged');
      expect(report.findings).toMatchObject([
        { code: 'BOLT_PAGE_SIZE_WRONG', args: { claimed: `${claimed}`, found: '4096' } },
        // The tree of the older meta is whole, but to fall back to it would not help.
        { code: 'BOLT_PREVIOUS_DAMAGED' },
      ]);
      // The rest was examined with the size found.
      expect(report.bolt?.pageSize).toBe(4096);
    },
  );

  test('a wrong one in the older meta only does no harm to the examination', () => {
    const edit = new BoltEdit(readFixture('bolt/shapes-4096-stored'));
    edit.setU32(edit.at(edit.olderMeta, 24), 512);
    edit.sealMeta(edit.olderMeta);
    const report = checkBolt(edit.bytes);
    expect(report.findings.map(({ code }) => code)).toEqual(['BOLT_PAGE_SIZE_WRONG', 'BOLT_PREVIOUS_DAMAGED']);
    expect(report.bolt?.pageSize).toBe(4096);
  });

  test('a page size of a mebibyte', () => {
    const report = checkBolt(readFixture('bolt/shapes-1048576-stored'));
    expect(report).toMatchObject({ verdict: 'healthy', bolt: { pageSize: 1048576 } });
  });
});

test.each([0, 1, 79, 80, 511, 512, 1023, 1024, 4095, 4096, 8191, 8192])('a file of %d zeros', (length) => {
  const report = checkBolt(new Uint8Array(length));
  expect(report.verdict).toBe('damaged');
  const code = length < 8192 ? 'BOLT_FILE_TOO_SMALL' : 'BOLT_META_BOTH_INVALID';
  expect(new Set(report.findings.map((finding) => finding.code))).toEqual(new Set([code]));
});

test('level sanity looks at the metas and the length, and says so', () => {
  const edit = new BoltEdit(readFixture('bolt/small-512-stored'));
  edit.span(edit.root).fill(0);
  const report = checkBolt(edit.bytes, { level: 'sanity' });
  expect(report).toMatchObject({ verdict: 'healthy', level: 'sanity' });
  expect(report.notExamined.join()).toMatch(/all data pages/);
  expect(report.bytesRead).toBeLessThan(200);
  expect(checkBolt(edit.bytes.subarray(0, 5000), { level: 'sanity' }).verdict).toBe('damaged');
});

test('level full and deep say the same of the pages', () => {
  const edit = new BoltEdit(readFixture('bolt/small-512-stored'));
  edit.span(edit.root).fill(0);
  const { level: _, notExamined: __, elapsedMs: ___, ...full } = checkBolt(edit.bytes, { level: 'full' });
  expect(checkBolt(edit.bytes, { level: 'deep' })).toMatchObject(full);
});
