// Our commands beside the real bbolt 1.5.0, live, on fixtures and on files that bbolt has just written: the same bytes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../cli/run.ts';
import { BoltEdit, BRANCH } from '../support/bolt-edit.ts';
import { readFixture } from '../support/fixtures.ts';
import { buildGo, findPeer } from '../support/peers.ts';

const FIXTURES = [
  'bolt/overflow-4096',
  'bolt/edges-1024',
  'bolt/levels-512-none',
  'bolt/long-name-4096',
  'bolt/sequences-4096',
  'bolt/branch-overflow-1024-none',
  'bolt/shapes-1000-stored',
  'bolt/backup-even-4096',
  'etcd/3.4.23/busy/m1',
  'etcd/3.5.33/k8s/snapshot',
  'etcd/3.6.14/underload/m1',
  'etcd/3.7.1/cluster/m2',
];
const PAGE_SIZES = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];
/** What make-bolt makes anew: kind, type of freelist, whether it is stored. */
const KINDS = [
  ['shapes', 'map', 'none'],
  ['mixed', 'array', 'stored'],
  ['nested', 'map', 'stored'],
] as const;
const FORMATS = ['auto', 'ascii-encoded', 'hex', 'bytes', 'redacted'];
const TIMEOUT = 120_000;

const bbolt = findPeer('bbolt-1.5.0');

/** First, middle and last, and a few more. */
function sample<T>(list: readonly T[], n: number): T[] {
  if (list.length <= n) return [...list];
  return Array.from({ length: n }, (_, i) => list[Math.floor((i * (list.length - 1)) / (n - 1))] as T);
}

/** Questions about a healthy file, each of which bbolt answers with exit code 0. */
function questions(file: string): string[][] {
  const bolt = new BoltEdit(readFileSync(file));
  const asked: string[][] = ['info', 'buckets', 'pages', 'stats', 'inspect'].map((verb) => [verb, file]);
  const ask = (...args: (string | number)[]) => asked.push(args.map(String));
  const pages = bolt.treePages();
  const branches = pages.filter((page) => bolt.flags(page) === BRANCH);
  const leaves = pages.filter((page) => bolt.flags(page) !== BRANCH);
  const full = leaves.filter((page) => bolt.count(page) > 0);
  const kinds = new Set([0, 1, bolt.root, ...(bolt.freelist === undefined ? [] : [bolt.freelist])]);
  for (const page of [...sample(branches, 3), ...sample(leaves, 4)]) kinds.add(page);
  ask('page', file, ...kinds);
  // It panics unless the page size is a multiple of 16.
  if (bolt.pageSize % 16 === 0) ask('dump', file, ...kinds);
  for (const format of FORMATS) ask('page', '--format-value', format, file, sample(leaves, 3)[1] ?? bolt.root);
  for (const page of sample(full, 2)) {
    for (const item of new Set([0, bolt.count(page) - 1])) {
      ask('page-item', file, page, item);
      for (const option of ['--key-only', '--value-only'])
        ask('page-item', option, '--format', 'hex', file, page, item);
    }
  }
  // Names that are not text cannot be given as arguments, and those of the longest kind are too long for one.
  const named = [...bolt.buckets()].filter(({ path }) => path.every((name) => /^[^\0\ufffd]{1,60000}$/u.test(name)));
  for (const [i, { path }] of sample(named, 5).entries()) {
    ask('keys', file, ...path);
    ask('keys', '--format', FORMATS[i % FORMATS.length] as string, file, ...path);
    const plain = bolt.entries(...path).filter(({ flags, keySize }) => (flags & 1) === 0 && keySize < 30_000);
    for (const [k, { key }] of sample(plain, 2).entries()) {
      const hex = Buffer.from(key).toString('hex');
      ask('get', '--parse-format', 'hex', file, ...path, hex);
      const format = FORMATS[(i + k) % FORMATS.length] as string;
      ask('get', '--parse-format', 'hex', '--format', format, file, ...path, hex);
    }
  }
  return asked;
}

/** Where two outputs part, and what comes there. */
function difference(theirs: Uint8Array, ours: Uint8Array): string {
  const at = theirs.findIndex((byte, i) => byte !== ours[i]);
  const from = Math.max(0, (at < 0 ? theirs.length : at) - 20);
  const text = (bytes: Uint8Array) => JSON.stringify(Buffer.from(bytes.subarray(from, from + 80)).toString());
  return `of ${theirs.length} and ${ours.length}, from ${from} on ${text(theirs)} and ${text(ours)}`;
}

async function compare(file: string): Promise<void> {
  const wrong: string[] = [];
  for (const args of questions(file)) {
    const theirs = spawnSync(bbolt as string, args, { maxBuffer: 1 << 28 });
    const ours = await run(['bolt', ...args]);
    const what = args.map((arg) => arg.slice(0, 40)).join(' ');
    if (theirs.status !== 0) wrong.push(`bbolt ends with ${theirs.status}: ${what}: ${theirs.stderr}`);
    else if (ours.code !== 0) wrong.push(`ours ends with ${ours.code}: ${what}: ${ours.stderr}`);
    else if (!theirs.stdout.equals(ours.bytes))
      wrong.push(`other bytes: ${what}: ${difference(theirs.stdout, ours.bytes)}`);
  }
  const check = await run(['bolt', 'check', file]);
  if (check.code !== 0) wrong.push(`ours check ends with ${check.code}: ${check.stdout}${check.stderr}`);
  if (spawnSync(bbolt as string, ['check', file]).status !== 0) wrong.push('bbolt check finds something');
  expect(wrong).toEqual([]);
}

describe.skipIf(bbolt === undefined)('the same output as bbolt 1.5.0', () => {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-output-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(FIXTURES)('%s', { timeout: TIMEOUT }, async (name) => {
    const file = join(folder, 'fixture.db');
    writeFileSync(file, readFixture(name));
    await compare(file);
  });

  const makeBolt = bbolt && buildGo(new URL('./make-bolt/', import.meta.url), folder, 'make-bolt');
  const fresh = PAGE_SIZES.flatMap((size) => KINDS.map(([kind, type, sync]) => [kind, size, type, sync] as const));
  it.skipIf(makeBolt === undefined).each(fresh)(
    'a new file: %s, pages of %i bytes, freelist %s, %s',
    { timeout: TIMEOUT },
    async (kind, size, type, sync) => {
      const file = join(folder, `${kind}-${size}.db`);
      const seed = `${size + kind.length}`;
      const made = spawnSync(makeBolt as string, [file, kind, seed, `${size}`, type, sync], { maxBuffer: 1 << 28 });
      expect(`${made.stderr}`).toBe('');
      await compare(file);
      rmSync(file);
    },
  );
});
