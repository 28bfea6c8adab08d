// Where surgery is meant to differ from that of bbolt 1.5.0: what bbolt does, live, and what is done here. The help of the
// commands names each of these; when bbolt changes its mind, this is where it shows.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { openBolt } from '../../src/bolt/open.ts';
import { validateMetas } from '../../src/bolt/surgery/validate-metas.ts';
import { run } from '../cli/run.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { boltFile, branch, bucket, leaf } from '../support/bolt-pages.ts';
import { readFixture } from '../support/fixtures.ts';
import { findPeer } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const bbolt = findPeer('bbolt-1.5.0');

describe.skipIf(bbolt === undefined)('unlike bbolt 1.5.0', () => {
  let source: string;
  let theirs: string;
  let ours: string;

  beforeEach(() => {
    const folder = temporaryDirectory();
    source = join(folder, 'db');
    theirs = join(folder, 'theirs');
    ours = join(folder, 'ours');
  });

  /** Runs the same words with both; gives both exit codes and what bbolt said. */
  async function both(bytes: Uint8Array, ...words: string[]) {
    writeFileSync(source, bytes);
    const peer = spawnSync(bbolt as string, ['surgery', ...words, source, '--output', theirs], { encoding: 'utf8' });
    const { code, stderr } = await run(['bolt', 'surgery', ...words, source, '--output', ours]);
    return { bbolt: peer.status, said: `${peer.stdout}${peer.stderr}`, code, stderr };
  }

  function edited(fixture: string, change: (bolt: BoltEdit) => void): Uint8Array {
    const bolt = new BoltEdit(readFixture(fixture));
    change(bolt);
    return bolt.bytes;
  }

  test('revert-meta-page: bbolt copies an invalid meta over the valid one', async () => {
    const bytes = edited('bolt/mixed-1024', (bolt) => bolt.flip(bolt.at(bolt.olderMeta, 40), 1));
    expect(checkBolt(bytes).verdict).toBe('healthy');
    expect(await both(bytes, 'revert-meta-page')).toMatchObject({ bbolt: 0, code: 3 });
    expect(validateMetas(readFileSync(theirs)).current).toBeUndefined();
    expect(existsSync(ours)).toBe(false);
  });

  test('freelist abandon: bbolt makes a torn meta valid', async () => {
    const bytes = edited('bolt/mixed-1024', (bolt) => bolt.setU64(bolt.at(bolt.newerMeta, 32), 77));
    expect(checkBolt(bytes).verdict).toBe('repairable');
    expect(await both(bytes, 'freelist', 'abandon')).toMatchObject({ bbolt: 0, code: 0 });
    expect(checkBolt(readFileSync(theirs)).verdict).toBe('damaged');
    expect(validateMetas(readFileSync(ours)).current).toBe(0);
    expect(checkBolt(readFileSync(ours)).verdict).toBe('repairable');
  });

  test('clear-page-elements: bbolt cuts off the page that the last value ends in', async () => {
    const items = ['a', 'b', 'c', 'd', 'e'].map((key, i) => [key, 'x'.repeat([800, 160, 20, 20, 20][i] ?? 0)] as const);
    const bytes = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(...items) }, { pageSize: 1024 });
    const range = ['--pageId', '3', '--from-index', '2', '--to-index', '-1'];
    expect(await both(bytes, 'clear-page-elements', ...range)).toMatchObject({ bbolt: 0, code: 0 });
    expect(new BoltEdit(readFileSync(theirs)).overflow(3)).toBe(0);
    expect(() => openBolt(readFileSync(theirs)).get('b', 'b')).toThrow(
      expect.objectContaining({ code: 'BOLT_DAMAGED' }),
    );
    expect(new BoltEdit(readFileSync(ours)).overflow(3)).toBe(1);
    expect(openBolt(readFileSync(ours)).get('b', 'b')?.length).toBe(160);
  });

  test('clear-page: bbolt panics at a key of no bytes', async () => {
    const bytes = edited('bolt/mixed-1024', (bolt) => bolt.setU32(bolt.at(70, 16 + 8), 0));
    const { bbolt: status, said, code } = await both(bytes, 'clear-page', '--pageId', '70');
    expect({ status, code }).toEqual({ status: 2, code: 0 });
    expect(said).toContain('zero-length inode key');
  });

  test('clear-page-elements: bbolt copies what lies outside the page', async () => {
    const bytes = edited('bolt/mixed-1024', (bolt) => bolt.setU32(bolt.at(70, 16 + 4), 1000));
    const range = ['--pageId', '70', '--from-index', '1', '--to-index', '2'];
    expect(await both(bytes, 'clear-page-elements', ...range)).toMatchObject({ code: 3 });
  });

  test('copy-page: bbolt copies a leaf over a meta, and behind the end of the file', async () => {
    const bytes = readFixture('bolt/mixed-1024');
    expect(await both(bytes, 'copy-page', '--from-page', '70', '--to-page', '0')).toMatchObject({ bbolt: 0, code: 1 });
  });

  test('copy-page: bbolt makes the file as long as the page number says', async () => {
    const bytes = readFixture('bolt/mixed-1024');
    expect(await both(bytes, 'copy-page', '--from-page', '70', '--to-page', '1000')).toMatchObject({
      bbolt: 0,
      code: 1,
    });
    expect(readFileSync(theirs).length).toBe(1001 * 1024);
  });

  test('every command of bbolt needs a good meta 0', async () => {
    const bytes = edited('bolt/mixed-1024', (bolt) => bolt.bytes.fill(0, 0, 80));
    const { bbolt: status, said, code } = await both(bytes, 'clear-page', '--pageId', '70');
    expect({ status, code }).toEqual({ status: 1, code: 0 });
    expect(said).toContain('wrong (unexpected) magic');
    expect(existsSync(theirs)).toBe(true);
  });

  test('a refused command of bbolt leaves the copy behind', async () => {
    const answer = await both(readFixture('bolt/mixed-1024'), 'clear-page', '--pageId', '9999');
    expect(answer).toMatchObject({ bbolt: 1, code: 1 });
    expect([existsSync(theirs), existsSync(ours)]).toEqual([true, false]);
  });

  test('freelist rebuild: bbolt takes the children of an empty branch page for free', async () => {
    const pages = { 2: leaf(bucket('b', 3)), 3: branch(['a', 4], ['k', 5]), 4: leaf(['a', '1']), 5: leaf(['k', '2']) };
    const bolt = new BoltEdit(boltFile(pages, { pageSize: 1024 }));
    bolt.setU16(bolt.at(3, 10), 0);
    expect(await both(bolt.bytes, 'freelist', 'rebuild')).toMatchObject({ bbolt: 0, code: 1 });
    expect(openBolt(readFileSync(theirs)).freelist().count).toBe(1);
  });

  test('freelist rebuild: bbolt panics at a damaged tree', async () => {
    const bytes = edited('bolt/shapes-1024-none', (bolt) => bolt.setU16(bolt.at(bolt.root, 8), 0));
    const { bbolt: status, code } = await both(bytes, 'freelist', 'rebuild');
    expect({ status, code }).toEqual({ status: 2, code: 1 });
  });

  test('freelist rebuild: bbolt panics at keys out of order, which do not matter', async () => {
    const pages = { 2: leaf(bucket('b', 3)), 3: leaf(['k', '1'], ['a', '2']) };
    const { bbolt: status, code } = await both(boltFile(pages, { pageSize: 1024 }), 'freelist', 'rebuild');
    expect({ status, code }).toEqual({ status: 2, code: 0 });
  });

  test('meta update: bbolt leaves a wrong page header, and its own check fails at it', async () => {
    const bytes = edited('bolt/mixed-1024', (bolt) => bolt.bytes.fill(0, 1024, 1040));
    expect(await both(bytes, 'meta', 'update', '--meta-page', '1')).toMatchObject({ bbolt: 0, code: 0 });
    const check = (path: string) => spawnSync(bbolt as string, ['check', path]).status;
    expect([check(theirs), check(ours)]).toEqual([1, 0]);
  });

  test('meta validate: bbolt ends with 0 when a meta is not valid', async () => {
    writeFileSync(
      source,
      edited('bolt/mixed-1024', (bolt) => bolt.flip(bolt.at(1, 40), 1)),
    );
    const peer = spawnSync(bbolt as string, ['surgery', 'meta', 'validate', source], { encoding: 'utf8' });
    expect(peer.status).toBe(0);
    expect(peer.stdout).toContain("WARNING: The meta page 1 isn't valid: checksum error!");
    expect((await run(['bolt', 'surgery', 'meta', 'validate', source])).code).toBe(1);
  });
});
