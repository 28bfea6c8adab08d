/**
 * What must be true of the pages of a file that was built in one go, whatever is in it.
 */
import { expect } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { BoltEdit, BRANCH, LEAF } from './bolt-edit.ts';

/** Healthy without a finding, no free page, not a byte more than its pages, no lonely child, inline what bbolt has inline. */
export function expectBuilt(bytes: Uint8Array): void {
  const report = checkBolt(bytes);
  expect(report.findings.filter(({ code }) => code !== 'BOLT_PAGE_SIZE_ODD')).toEqual([]);
  expect(report.bolt).toMatchObject({ freePages: 0, previous: 'same', txid: '1' });
  const edit = new BoltEdit(bytes);
  expect(bytes.length).toBe(Math.max(4096, edit.highWaterMark * edit.pageSize));
  for (const page of edit.treePages()) {
    if (edit.flags(page) === BRANCH) expect(edit.count(page)).toBeGreaterThanOrEqual(2);
  }
  for (const { root, inlineAt, item, path } of edit.buckets()) {
    const limit = Math.floor(edit.pageSize / 4);
    if (inlineAt !== undefined) expect(item.valueSize - 16).toBeLessThanOrEqual(limit);
    else if (edit.flags(root) === LEAF) {
      const elements = edit.leafElements(edit.at(root));
      const size = elements.reduce((sum, { keySize, valueSize }) => sum + 16 + keySize + valueSize, 16);
      const hasBuckets = elements.some(({ flags }) => flags !== 0);
      expect({ path, inline: !hasBuckets && size <= limit }).toEqual({ path, inline: false });
    }
  }
}
