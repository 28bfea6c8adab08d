/**
 * Building, compacting and copying by path: a file that is there whole, synced and checked, or not at all.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SelfCheckJob } from '../../src/bolt/bulk-check.ts';
import { CompactJob } from '../../src/bolt/compact.ts';
import { writeChecked } from '../../src/files/write-checked.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { runSliced } from '../../src/io/job.ts';
import {
  type BuildEntry,
  buildBolt,
  checkBolt,
  compactBolt,
  copyBolt,
  memoryFile,
  openBolt,
  removeTemporaries,
} from '../../src/node.ts';
import { listContent } from '../support/bolt-content.ts';
import { expectBuilt } from '../support/built-shape.ts';
import { readFixture } from '../support/fixtures.ts';
import { asOrdinaryUser } from '../support/ordinary-user.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

function* entries(count: number): Generator<BuildEntry> {
  const bucket = [bytes('b')];
  yield { bucket, sequence: 3n };
  for (let i = 0; i < count; i++) {
    yield { bucket, key: bytes(String(i).padStart(8, '0')), value: bytes('value'.repeat(i % 40)) };
  }
}

function place(fixture = 'bolt/mixed-1024') {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'in'));
  mkdirSync(join(folder, 'out'));
  const source = join(folder, 'in', 'db');
  writeFileSync(source, readFixture(fixture));
  return { folder, source, out: join(folder, 'out'), target: join(folder, 'out', 'db') };
}

/** The three of them, each making `target` of `source`. */
const WAYS = {
  build: (_: string, target: string, options = {}) => buildBolt(target, entries(1000), options),
  compact: (source: string, target: string, options = {}) => compactBolt(source, target, options),
  copy: (source: string, target: string, options = {}) => copyBolt(source, target, options),
} as const;
const ways = Object.entries(WAYS);

test('a file is built from entries', async () => {
  const { target } = place();
  const summary = await buildBolt(target, entries(1000), { pageSize: 1024, freelistStored: false });
  expect(summary).toMatchObject({ pairs: 1000, buckets: 1, size: statSync(target).size });
  expectBuilt(readFileSync(target));
  expect(checkBolt(target, { digest: true }).bolt).toMatchObject({
    pageSize: 1024,
    freelistStored: false,
    digest: { pairs: 1000, buckets: 1, value: summary.digest },
  });
});

test('a file is compacted', async () => {
  const { source, target } = place();
  const before = sha256(source);
  const summary = await compactBolt(source, target);
  expect(summary).toMatchObject({ size: statSync(target).size, sourceSize: statSync(source).size });
  expectBuilt(readFileSync(target));
  expect(listContent(readFileSync(target))).toEqual(listContent(readFileSync(source)));
  expect(sha256(source)).toBe(before);
});

test('a file is copied', async () => {
  const { source, target } = place('bolt/backup-odd-4096');
  await copyBolt(source, target);
  expect(sha256(target)).toBe(sha256(source));
});

test('bytes are compacted and copied into files, and files into memory', async () => {
  const { source, out } = place();
  await compactBolt(readFileSync(source), join(out, 'a'));
  await copyBolt(readFileSync(source), join(out, 'b'));
  expect(listContent(readFileSync(join(out, 'a')))).toEqual(listContent(readFileSync(join(out, 'b'))));
  const [compacted, copied, built] = [memoryFile(), memoryFile(), memoryFile()];
  await compactBolt(source, compacted);
  await copyBolt(source, copied);
  await buildBolt(built, entries(10));
  expect(Buffer.from(compacted.bytes()).equals(readFileSync(join(out, 'a')))).toBe(true);
  expect(Buffer.from(copied.bytes()).equals(readFileSync(join(out, 'b')))).toBe(true);
  expect(openBolt(built).requireBucket('b').sequence).toBe(3n);
});

describe.each(ways)('%s', (_, make) => {
  test('makes a file for its owner alone, or as told, and leaves nothing else', async () => {
    const { source, out, target } = place();
    await make(source, target);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    await make(source, join(out, 'open'), { mode: 0o640 });
    expect(statSync(join(out, 'open')).mode & 0o777).toBe(0o640 & ~process.umask());
    await make(source, join(out, 'unsynced'), { noSync: true });
    expect(readdirSync(out)).toEqual(['db', 'open', 'unsynced']);
  });

  test('refuses a name that is taken', async () => {
    const { source, out, target } = place();
    writeFileSync(target, 'mine');
    symlinkSync(join(out, 'nowhere'), join(out, 'link'));
    mkdirSync(join(out, 'folder'));
    for (const name of ['db', 'link', 'folder']) {
      await expect(make(source, join(out, name))).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    }
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(readdirSync(out).sort()).toEqual(['db', 'folder', 'link']);
  });

  test('refuses the name of its own source', async () => {
    const { source } = place();
    const before = sha256(source);
    await expect(make(source, source)).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(sha256(source)).toBe(before);
  });

  test('says that there is no such folder', async () => {
    const { source, out } = place();
    await expect(make(source, join(out, 'none', 'db'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('says that the folder may not be written to', async () => {
    const { folder, source, out, target } = place();
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'in'), 0o755);
    chmodSync(source, 0o644);
    chmodSync(out, 0o555);
    // All files are opened before the first wait.
    await expect(asOrdinaryUser(() => make(source, target))).rejects.toMatchObject({ code: 'NO_PERMISSION' });
    expect(readdirSync(out)).toEqual([]);
  });

  test.runIf(existsSync('/dev/shm'))('writes to another file system', async () => {
    const { source } = place();
    const elsewhere = mkdtempSync('/dev/shm/etcd-datadir-test-');
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    await make(source, join(elsewhere, 'db'));
    expect(readdirSync(elsewhere)).toEqual(['db']);
    expect(checkBolt(join(elsewhere, 'db')).verdict).toBe('healthy');
  });

  test('leaves nothing when it is stopped', async () => {
    const { source, out, target } = place();
    const controller = new AbortController();
    const running = make(source, target, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    const stopped = AbortSignal.abort();
    await expect(make(source, target, { signal: stopped })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(readdirSync(out)).toEqual([]);
  });

  test('leaves nothing when temporaries are removed in the middle', async () => {
    const { source, out, target } = place();
    const running = make(source, target, { onProgress: removeTemporaries });
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(readdirSync(out)).toEqual([]);
  });

  test('tells how far it has come: never backwards, and to the end', async () => {
    const { source, target } = place();
    const seen: { done: number; total: number }[] = [];
    await make(source, target, { onProgress: (progress: { done: number; total: number }) => seen.push(progress) });
    expect(seen.length).toBeGreaterThan(1);
    for (const [i, { done, total }] of seen.entries()) {
      expect(done).toBeGreaterThanOrEqual(seen[i - 1]?.done ?? 0);
      expect(done).toBeLessThanOrEqual(total);
    }
    expect(seen.at(-1)?.done).toBe(seen.at(-1)?.total);
  });
});

test('no target when the entries are not in order', async () => {
  const { out, target } = place();
  const disorder = [...entries(5)].reverse();
  await expect(buildBolt(target, disorder)).rejects.toMatchObject({ code: 'BOLT_BUCKET_NOT_FOUND' });
  expect(readdirSync(out)).toEqual([]);
});

test('no target when the source is damaged or missing', async () => {
  const { source, out, target } = place();
  const damaged = readFileSync(source);
  damaged.fill(0xff, 4096, 12_288);
  writeFileSync(source, damaged);
  await expect(compactBolt(source, target)).rejects.toMatchObject({ code: 'BOLT_SOURCE_DAMAGED', path: source });
  await expect(compactBolt(join(out, 'none'), target)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(readdirSync(out)).toEqual([]);
});

test('no target when what was written is wrong', async () => {
  const { source, out, target } = place();
  const input = openFileSource(source);
  onTestFinished(() => input.close());
  // The last byte of a value is changed after the writing: no structure tells, only the digest.
  const running = writeChecked(
    target,
    async (file, run) => {
      const summary = await runSliced(new CompactJob(input, file), run);
      const content = new Uint8Array(file.size);
      file.readInto(content, 0);
      const at = Buffer.from(content).indexOf('mixed/00000000') + 'mixed/00000000'.length;
      file.write(at, Uint8Array.of((content[at] as number) ^ 0x20));
      return summary;
    },
    (written, summary) => new SelfCheckJob(written, summary, target),
    {},
  );
  await expect(running).rejects.toMatchObject({ code: 'SELF_CHECK_FAILED', path: target });
  await expect(running).rejects.toThrow(/^\S+: not made, what was written is wrong: .*; what went in was /);
  expect(readdirSync(out)).toEqual([]);
});
