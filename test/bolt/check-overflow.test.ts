import { expect, test } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { readFixture } from '../support/fixtures.ts';

// A page that had another finding was not told of for claiming more pages than it needs, so that the pages it covered were
// named nowhere, though bbolt lists them. Random damage beside the real bbolt showed it.
test('a page that claims too many pages is named for it beside its other findings, with the pages it covers', () => {
  const edit = new BoltEdit(readFixture('etcd/3.6.14/busy/m1'));
  const leaf = edit.leaves('key').find((page) => edit.overflow(page) === 0 && edit.count(page) > 2) as number;
  edit.setU64(edit.at(leaf), BigInt(leaf + 1));
  edit.setU32(edit.at(leaf, 12), 2);

  const { findings } = checkBolt(edit.bytes);
  const onLeaf = findings.filter(({ page, severity }) => page === leaf && severity === 'corrupt');
  expect(onLeaf.map(({ code, pages, causedBy }) => ({ code, pages, causedBy }))).toEqual([
    { code: 'BOLT_PAGE_ID', pages: undefined, causedBy: undefined },
    { code: 'BOLT_OVERFLOW_TOO_LARGE', pages: [leaf, leaf + 2], causedBy: { code: 'BOLT_PAGE_ID', page: leaf } },
  ]);
});

// Of a file whose root cannot be, the report said that every page had been examined.
test('a root out of range: the report does not claim that pages were examined', () => {
  const edit = new BoltEdit(readFixture('etcd/3.6.14/busy/m1'));
  edit.editMetas((meta) => edit.setU64(meta + 32, 1_000_000n));

  const { examined, notExamined } = checkBolt(edit.bytes);
  expect(examined.join()).not.toContain('every page');
  expect(notExamined.join()).toContain('all data pages');
});
