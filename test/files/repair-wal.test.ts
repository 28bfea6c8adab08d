/**
 * The repair of a log on the disk: what is left there, whatever happens.
 */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readConsistentIndex } from '../../src/files/consistent-index.ts';
import { repairWal } from '../../src/files/repair-wal.ts';
import { openWalFolder } from '../../src/files/wal-folder.ts';
import type { Progress } from '../../src/io/job.ts';
import { removeTemporaries } from '../../src/io/output.ts';
import { checkWal } from '../../src/wal/check.ts';
import { readFixture } from '../support/fixtures.ts';
import { logFixture, unpack } from '../support/log-fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { SegmentEdit } from '../support/wal-edit.ts';
import { SECOND, THIRD, threeSegments } from '../wal/repair-log.ts';

/** What the system does next; the real thing when nothing is set. */
const system: {
  failWrite: number;
  failSync: number;
  writes: number;
  syncs: number;
  onWrite: (() => void) | undefined;
} = {
  failWrite: -1,
  failSync: -1,
  writes: 0,
  syncs: 0,
  onWrite: undefined,
};

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs')>();
  const failure = (code: string): Error => Object.assign(new Error(code), { code });
  const writeSync = ((...args: Parameters<typeof real.writeSync>) => {
    system.onWrite?.();
    if (system.writes++ === system.failWrite) throw failure('ENOSPC');
    return real.writeSync(...args);
  }) as typeof real.writeSync;
  const sync = (): void => {
    if (system.syncs++ === system.failSync) throw failure('EIO');
  };
  return {
    ...real,
    writeSync,
    fsyncSync: (descriptor: number) => {
      sync();
      real.fsyncSync(descriptor);
    },
    fdatasync: (descriptor: number, done: (error: Error | null) => void) => {
      try {
        sync();
      } catch (error) {
        done(error as Error);
        return;
      }
      real.fdatasync(descriptor, done);
    },
  };
});

let folder: string;
let wal: string;
let target: string;

/** A small log whose first segment is damaged and whose last write is torn. */
beforeEach(() => {
  Object.assign(system, { failWrite: -1, failSync: -1, writes: 0, syncs: 0, onWrite: undefined });
  folder = temporaryDirectory();
  wal = join(folder, 'log');
  target = join(folder, 'new');
  mkdirSync(wal);
  for (const [i, { name, bytes }] of threeSegments().entries()) {
    const last = new SegmentEdit({ bytes, size: bytes.length }).frames.at(-1)!;
    if (i === 0) bytes.fill(0x55, 100, 140);
    writeFileSync(join(wal, name), i === 2 ? bytes.subarray(0, last.at + 10) : bytes);
  }
  writeFileSync(join(wal, '0.tmp'), '');
  system.writes = 0;
});

const hashes = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(directory, name)).isFile())
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(directory, name)))
          .digest('hex'),
      ]),
  );

describe('a log that can be repaired', () => {
  test('is repaired into a new directory, and is itself left as it was', async () => {
    const before = hashes(wal);
    const { outcome, report, plan, needsSnapFile, directory } = await repairWal(wal, target, { keepIndex: 7n });
    expect({ outcome, directory, verdict: report?.verdict }).toEqual({
      outcome: 'repaired',
      directory: wal,
      verdict: 'healthy',
    });
    expect(report?.path).toBe(target);
    expect(plan.notCopied).toEqual(['0.tmp']);
    expect(needsSnapFile).toBe('0000000000000002-0000000000000006.snap');
    expect(readdirSync(target).sort()).toEqual([SECOND, THIRD]);
    expect(hashes(wal)).toEqual(before);
    expect(readdirSync(folder).sort()).toEqual(['log', 'new']);
    const { files, close } = openWalFolder(target);
    expect(checkWal(files).verdict).toBe('healthy');
    close();
  });

  test.skipIf(process.platform === 'win32')('only its owner can read the copy', async () => {
    await repairWal(wal, target);
    expect(statSync(target).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(target)) expect(statSync(join(target, name)).mode & 0o777).toBe(0o600);
  });

  test('progress goes up to the end', async () => {
    const seen: Progress[] = [];
    await repairWal(wal, target, { onProgress: (progress) => seen.push(progress) });
    expect(seen.length).toBeGreaterThan(3);
    for (const [i, { done, total }] of seen.entries()) {
      expect(done).toBeGreaterThanOrEqual(seen[i - 1]?.done ?? 0);
      expect(done).toBeLessThanOrEqual(total);
    }
  });

  test('one segment stands for its log if it is the only one', async () => {
    const [first, , third] = threeSegments();
    await expect(repairWal(join(wal, third!.name), target)).rejects.toMatchObject({ code: 'USAGE' });
    const alone = join(folder, 'alone');
    mkdirSync(alone);
    writeFileSync(join(alone, first!.name), first!.bytes.subarray(0, first!.bytes.length - 3));
    expect(await repairWal(join(alone, first!.name), target)).toMatchObject({ outcome: 'repaired' });
  });
});

describe('nothing is written', () => {
  test('if there is nothing to repair', async () => {
    await repairWal(wal, target);
    expect(await repairWal(target, `${target}2`)).toMatchObject({ outcome: 'nothing', report: null });
    expect(readdirSync(folder).sort()).toEqual(['log', 'new']);
  });

  test('if something would be lost', async () => {
    const { outcome, plan } = await repairWal(wal, target, { keepIndex: 8n });
    expect(outcome).toBe('refused');
    expect(plan.reasons.map(({ code }) => code)).toContain('APPLIED');
    expect(readdirSync(folder)).toEqual(['log']);
    expect(await repairWal(wal, target, { keepIndex: 8n, acceptLoss: true })).toMatchObject({ outcome: 'repaired' });
  });

  test('over what is there, be it an empty directory', async () => {
    mkdirSync(target);
    await expect(repairWal(wal, target)).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    await expect(repairWal(wal, wal)).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(readdirSync(target)).toEqual([]);
  });

  test('into the log itself', async () => {
    for (const inside of [join(wal, 'new'), join(wal, 'a', 'b')]) {
      await expect(repairWal(wal, inside)).rejects.toMatchObject({ code: 'USAGE' });
    }
  });

  test('where no directory can be made', async () => {
    await expect(repairWal(wal, join(folder, 'no', 'such'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('when the disk is full, whichever write it is', async () => {
    for (let n = 0; ; n++) {
      Object.assign(system, { failWrite: n, writes: 0 });
      const running = repairWal(wal, target);
      if (n === 2) {
        // One for each of two small segments.
        expect(await running).toMatchObject({ outcome: 'repaired' });
        break;
      }
      await expect(running).rejects.toMatchObject({ code: 'IO_FAILED', systemCode: 'ENOSPC' });
      expect(readdirSync(folder)).toEqual(['log']);
    }
  });

  test('when the disk fails, whichever sync it is', async () => {
    let failures = 0;
    for (let n = 0; n < 20; n++) {
      Object.assign(system, { failSync: n, syncs: 0 });
      const outcome = await repairWal(wal, target).catch((error: { code: string }) => error.code);
      if (typeof outcome !== 'string') break;
      failures++;
      expect(outcome).toBe('IO_FAILED');
      expect(readdirSync(folder)).toEqual(['log']);
    }
    // Two truncations, two files, the directory and the one above.
    expect(failures).toBe(6);
  });

  test('after an abort', async () => {
    const controller = new AbortController();
    system.onWrite = () => controller.abort();
    await expect(repairWal(wal, target, { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(repairWal(wal, target, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(readdirSync(folder)).toEqual(['log']);
  });

  test('when the program ends meanwhile', async () => {
    let seen = 0;
    system.onWrite = () => {
      if (seen++ === 0) removeTemporaries();
    };
    await expect(repairWal(wal, target)).rejects.toMatchObject({ code: 'ABORTED' });
    expect(readdirSync(folder)).toEqual(['log']);
  });

  test('when the log is changed while it is copied', async () => {
    let seen = 0;
    system.onWrite = () => {
      if (seen++ === 0) appendFileSync(join(wal, THIRD), 'x');
    };
    await expect(repairWal(wal, target)).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
    expect(readdirSync(folder)).toEqual(['log']);
  });

  test('when what was written is not what was planned', async () => {
    let seen = 0;
    system.onWrite = () => {
      const [temporary] = readdirSync(folder).filter((name) => name.startsWith('.etcd-datadir'));
      // The first file is written by then: it becomes shorter behind our back.
      if (seen++ === 1) truncateSync(join(folder, temporary!, SECOND), 100);
    };
    await expect(repairWal(wal, target)).rejects.toMatchObject({ code: 'SELF_CHECK_FAILED' });
    expect(readdirSync(folder)).toEqual(['log']);
  });
});

describe('a data directory', () => {
  const fixture = logFixture('3.6.14/busy/m1');

  /** As a server of 3.6 left it, with the last record torn. */
  function dataDirectory(): { directory: string; segment: string; db: string } {
    const directory = join(folder, 'data');
    unpack(fixture, directory);
    const db = join(directory, 'member/snap/db');
    writeFileSync(db, readFixture('etcd/3.6.14/busy/m1'));
    const segment = join(directory, 'member/wal', fixture.walFiles.find(({ name }) => name.endsWith('.wal'))!.name);
    return { directory, segment, db };
  }

  test('the consistent index of its db is the one that is stored with the fixture', () => {
    const { db } = dataDirectory();
    expect(readConsistentIndex(db)).toBe(fixture.consistentIndex);
  });

  test('the last segment keeps its length, without taking up room', async () => {
    const { directory, segment } = dataDirectory();
    const { frames } = new SegmentEdit(fixture.walFiles.find(({ name }) => name.endsWith('.wal'))!);
    const last = frames.at(-1)!;
    writeFileSync(
      segment,
      readFileSync(segment)
        .fill(0x11, last.end + 8, last.end + 64)
        .fill(0x7f, last.end, last.end + 4),
    );
    const { outcome, report } = await repairWal(directory, target, { keepIndex: fixture.consistentIndex });
    expect({ outcome, verdict: report?.verdict }).toEqual({ outcome: 'repaired', verdict: 'healthy' });
    const { size, blocks } = statSync(join(target, readdirSync(target)[0]!));
    expect(size).toBe(64_000_000);
    if (process.platform === 'linux') expect(blocks * 512).toBeLessThan(8_000_000);
  });

  test('old segments stay if the .snap file is missing that the log would then need', async () => {
    const snap = join(folder, 'member', 'snap');
    mkdirSync(join(folder, 'member', 'wal'), { recursive: true });
    mkdirSync(snap);
    for (const name of readdirSync(wal))
      writeFileSync(join(folder, 'member', 'wal', name), readFileSync(join(wal, name)));
    const { outcome, plan, needsSnapFile } = await repairWal(folder, target);
    expect({ outcome, reasons: plan.reasons.map(({ code }) => code), needsSnapFile }).toEqual({
      outcome: 'refused',
      reasons: ['SNAP_MISSING'],
      needsSnapFile: '0000000000000002-0000000000000006.snap',
    });
    // One that cannot be read is as good as none.
    writeFileSync(join(snap, needsSnapFile!), 'x');
    expect(await repairWal(folder, target)).toMatchObject({ outcome: 'refused' });
    rmSync(join(snap, needsSnapFile!));
    expect(await repairWal(folder, target, { withoutSnap: true })).toMatchObject({ outcome: 'repaired' });
    expect(existsSync(target)).toBe(true);
  });
});
