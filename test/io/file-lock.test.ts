// The lock of a file: what is decided when, on made-up systems; and on Linux, the real thing between real processes.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DatadirError } from '../../src/errors.ts';
import { openByteFile, openForBoth } from '../../src/io/byte-file.ts';
import { type LockAttempt, type LockSystem, openForWriting, runFlock } from '../../src/io/file-lock.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { type LockSighting, seeLock } from '../../src/io/lock-sighting.ts';
import { buildLockHolder, startHolder } from '../support/lock-holder.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const NOTHING: LockSighting = { state: 'none-seen', certain: false, holders: [] };
const ETCD: LockSighting = { state: 'exclusive', certain: true, holders: [{ pid: 5, command: 'etcd' }] };
const MISSING: LockAttempt = { impossible: 'there is no flock program here' };

interface MadeUpSystem {
  readonly platform?: string;
  /** What comes of each attempt; the last one again and again. */
  readonly attempts?: readonly LockAttempt[];
  readonly sighting?: LockSighting;
  /** What the system says to each open; the last one again and again. */
  readonly opens?: readonly (string | undefined)[];
  readonly onWait?: () => void;
}

/** A system with a clock of its own, which only waiting moves. */
function madeUp({ platform = 'linux', attempts = ['taken'], sighting = NOTHING, opens = [], onWait }: MadeUpSystem) {
  const did = { waits: [] as number[], flags: [] as number[], attempts: 0 };
  let clock = 1000;
  const system: LockSystem = {
    platform,
    flock: () => attempts[Math.min(did.attempts++, attempts.length - 1)] as LockAttempt,
    see: () => sighting,
    open: (path, flags) => {
      const systemCode = opens[Math.min(did.flags.length, opens.length - 1)];
      did.flags.push(flags);
      // As `openRegularFile` wraps what it does not know.
      if (systemCode !== undefined) throw new DatadirError('IO_FAILED', `${path}: ${systemCode}`, { path, systemCode });
      return openForBoth(path, {});
    },
    now: () => clock,
    wait: (ms) => {
      did.waits.push(ms);
      clock += ms;
      onWait?.();
    },
  };
  return { system, did };
}

function newPath(content: Uint8Array | string = 'content'): string {
  const path = join(temporaryDirectory(), 'db');
  writeFileSync(path, content);
  return path;
}

function openDescriptors(): string[] {
  return readdirSync('/proc/self/fd');
}

describe('what is decided', () => {
  test('the lock was taken: the file is open', () => {
    const file = openForWriting(newPath(), {}, madeUp({}).system);
    onTestFinished(() => file.close());
    expect(file.size).toBe(7);
    file.write(0, new Uint8Array([1]));
  });

  test.each([
    ['seen', ETCD, /db: locked by etcd \(pid 5\)$/, /^etcd \(pid 5\)$/],
    ['without a name', { ...ETCD, holders: [{ pid: 5 }] }, /: locked by pid 5$/, 'pid 5'],
    [
      'this process',
      { ...ETCD, holders: [{ pid: 5, self: true as const }] },
      /this process itself, through an/,
      /pid 5/,
    ],
    ['not seen', NOTHING, /another program has locked it; which one cannot be seen from here$/, undefined],
    ['perhaps', { ...ETCD, certain: false }, /another program has locked it, perhaps etcd \(pid 5\)$/, /etcd/],
  ] as const)('held, and the holder %s: FILE_LOCKED', (_, sighting, message, actual) => {
    const path = newPath();
    const { system, did } = madeUp({ attempts: ['held'], sighting });
    const expected = expect.objectContaining({
      code: 'FILE_LOCKED',
      path,
      message: expect.stringMatching(message),
      actual: actual === undefined ? undefined : expect.stringMatching(actual),
    });
    expect(() => openForWriting(path, {}, system)).toThrow(expected);
    expect(did.waits).toEqual([]);
  });

  test('cannot be taken, but somebody is seen to have it: FILE_LOCKED', () => {
    const { system } = madeUp({ attempts: [MISSING], sighting: ETCD });
    expect(() => openForWriting(newPath(), {}, system)).toThrow(expect.objectContaining({ code: 'FILE_LOCKED' }));
  });

  test.each([
    ['nobody is seen', NOTHING, /there is no flock program here\), and nobody was seen to have it: whether etcd/],
    ['one cannot look', { ...NOTHING, state: 'unknown' }, /and it cannot be seen here who has it: /],
    ['it may be another file', { ...ETCD, certain: false }, /and etcd \(pid 5\) has it, or that of another file: /],
    ['the same without a name', { state: 'shared', certain: false, holders: [] }, /and somebody has it, or that of/],
  ] as const)("cannot be taken, and %s: LOCK_UNKNOWN, which names { lock: 'none' }", (_, sighting, message) => {
    const path = newPath();
    const { system } = madeUp({ attempts: [MISSING], sighting });
    const open = (): unknown => openForWriting(path, { lockTimeoutMs: 1000 }, system);
    expect(open).toThrow(expect.objectContaining({ code: 'LOCK_UNKNOWN', path }));
    expect(open).toThrow(message);
    expect(open).toThrow("{ lock: 'none' } goes on without the lock");
  });

  test("lock: 'none' neither takes nor looks", () => {
    const { system, did } = madeUp({ attempts: [MISSING], sighting: ETCD });
    const path = newPath();
    openForWriting(path, { lock: 'none' }, system).close();
    expect(did.attempts).toBe(0);
  });

  test('waits in steps of 50 ms, up to the time given', () => {
    const later = madeUp({ attempts: ['held', 'held', 'held', 'taken'] });
    openForWriting(newPath(), { lockTimeoutMs: 500 }, later.system).close();
    expect(later.did.waits).toEqual([50, 50, 50]);
    const never = madeUp({ attempts: ['held'] });
    expect(() => openForWriting(newPath(), { lockTimeoutMs: 120 }, never.system)).toThrow('has locked it');
    expect(never.did.waits).toEqual([50, 50, 20]);
    expect(never.did.attempts).toBe(4);
    const forever = madeUp({ attempts: [...Array<LockAttempt>(100).fill('held'), 'taken'] });
    openForWriting(newPath(), { lockTimeoutMs: Number.POSITIVE_INFINITY }, forever.system).close();
    expect(forever.did.waits).toHaveLength(100);
  });

  test.each([-1, Number.NaN])('lockTimeoutMs %s is a mistake of the caller', (lockTimeoutMs) => {
    const { system } = madeUp({});
    expect(() => openForWriting(newPath(), { lockTimeoutMs }, system)).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });

  test('a file that grew while it was waited for has its new size', () => {
    const path = newPath();
    const { system } = madeUp({ attempts: ['held', 'taken'], onWait: () => appendFileSync(path, 'more') });
    const file = openForWriting(path, { lockTimeoutMs: 100 }, system);
    expect(file.size).toBe(11);
    file.close();
  });

  test('a file that was replaced while it was waited for is opened anew', () => {
    const path = newPath();
    const { system, did } = madeUp({
      attempts: ['held', 'taken', 'taken'],
      onWait: () => {
        writeFileSync(`${path}.tmp`, 'defragmented');
        renameSync(`${path}.tmp`, path);
      },
    });
    const file = openForWriting(path, { lockTimeoutMs: 100 }, system);
    expect(file.size).toBe(12);
    expect(did.attempts).toBe(3);
    file.close();
  });
});

test('a file that was removed while it was waited for is not there', () => {
  const path = newPath();
  const { system } = madeUp({ attempts: ['held', 'taken'], onWait: () => rmSync(path) });
  expect(() => openForWriting(path, { lockTimeoutMs: 100 }, system)).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND' }),
  );
});

describe('other systems (decisions only: not run there)', () => {
  const O_EXLOCK = 0x20;

  test.each([
    ['darwin', O_EXLOCK],
    ['freebsd', O_EXLOCK],
    ['win32', 0x1000_0000],
  ])('%s locks while opening, with flag %i', (platform, flag) => {
    const { system, did } = madeUp({ platform });
    openForWriting(newPath(), {}, system).close();
    openForWriting(newPath(), { lock: 'none' }, system).close();
    expect(did).toMatchObject({ flags: [flag, 0], attempts: 0 });
  });

  test.each([
    ['darwin', 'EAGAIN'],
    ['openbsd', 'EWOULDBLOCK'],
    ['win32', 'EBUSY'],
  ])('%s: %s is FILE_LOCKED, after waiting', (platform, code) => {
    const held = madeUp({ platform, opens: [code] });
    expect(() => openForWriting(newPath(), { lockTimeoutMs: 60 }, held.system)).toThrow(
      expect.objectContaining({ code: 'FILE_LOCKED' }),
    );
    expect(held.did.waits).toEqual([50, 10]);
    const freed = madeUp({ platform, opens: [code, undefined] });
    openForWriting(newPath(), { lockTimeoutMs: 60 }, freed.system).close();
    expect(freed.did.flags).toHaveLength(2);
  });

  test('a file system without locks is LOCK_UNKNOWN; other errors stay what they are', () => {
    for (const [systemCode, code] of [
      ['ENOTSUP', 'LOCK_UNKNOWN'],
      ['EIO', 'IO_FAILED'],
    ]) {
      const { system } = madeUp({ platform: 'darwin', opens: [systemCode] });
      expect(() => openForWriting(newPath(), {}, system)).toThrow(expect.objectContaining({ code }));
    }
  });

  test.each(['sunos', 'aix', 'android'])('%s: no way is known', (platform) => {
    const { system, did } = madeUp({ platform });
    expect(() => openForWriting(newPath(), {}, system)).toThrow(`no way is known on ${platform}`);
    expect(did.attempts).toBe(0);
  });
});

const hasFlock = process.platform === 'linux' && spawnSync('flock', ['--version']).error === undefined;
if (!hasFlock) console.warn('\n!! no Linux with a flock program here: tests of the real lock are SKIPPED\n');

describe.skipIf(!hasFlock)('on Linux', () => {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-lock-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let program: string;
  beforeAll(async () => {
    program = await buildLockHolder(folder);
  });

  function errorOf(work: () => unknown): DatadirError {
    try {
      work();
    } catch (error) {
      return error as DatadirError;
    }
    throw new Error('nothing was thrown');
  }

  function hasOpen(pid: number, path: string): boolean {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((name) => readlinkSync(`${folder}/${name}`) === path);
  }

  test('two handles of one process conflict', () => {
    const path = newPath();
    const before = openDescriptors();
    const first = openForWriting(path);
    const error = errorOf(() => openForWriting(path));
    expect(error).toMatchObject({ code: 'FILE_LOCKED' });
    expect(error.message).toBe(`${path}: locked by this process itself, through another handle (pid ${process.pid})`);
    first.close();
    openForWriting(path).close();
    expect(openDescriptors()).toEqual(before);
  });

  test('two processes conflict; the second one gets the lock when the first one closes', async () => {
    const path = newPath();
    const first = startHolder(program, path);
    expect(await first.opened).toEqual({ size: 7 });
    const second = await startHolder(program, path).opened;
    expect(second.code).toBe('FILE_LOCKED');
    expect(second.message).toMatch(new RegExp(`: locked by \\S+ \\(pid ${first.pid}\\)$`));
    await first.close();
    expect(await startHolder(program, path).opened).toEqual({ size: 7 });
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('%s of the holder releases the lock', async (signal) => {
    const path = newPath();
    const first = startHolder(program, path);
    await first.opened;
    expect(errorOf(() => openForWriting(path)).message).toContain(`(pid ${first.pid})`);
    await first.end(signal);
    openForWriting(path).close();
  });

  test('who waits gets the lock as soon as it is free', async () => {
    const path = newPath();
    const file = openForWriting(path);
    const waiting = startHolder(program, path, { lockTimeoutMs: 20_000 });
    await expect.poll(() => hasOpen(waiting.pid, path)).toBe(true);
    appendFileSync(path, 'more');
    file.close();
    expect(await waiting.opened).toEqual({ size: 11 });
  });

  test('the lock is seen while it is held', () => {
    const path = newPath();
    const reader = openFileSource(path);
    onTestFinished(() => reader.close());
    expect(seeLock(reader.descriptor, path)).toMatchObject({ state: 'none-seen' });
    const file = openForWriting(path);
    expect(seeLock(reader.descriptor, path)).toMatchObject({
      state: 'exclusive',
      certain: true,
      holders: [{ pid: process.pid, self: true }],
    });
    file.close();
    expect(seeLock(reader.descriptor, path)).toMatchObject({ state: 'none-seen' });
  });

  test('a shared lock of another program is in the way too', () => {
    const path = newPath();
    const reader = openFileSource(path);
    onTestFinished(() => reader.close());
    expect(
      spawnSync('flock', ['-n', '-s', '3'], { stdio: ['ignore', 'ignore', 'ignore', reader.descriptor] }).status,
    ).toBe(0);
    expect(seeLock(reader.descriptor, path).state).toBe('shared');
    expect(errorOf(() => openForWriting(path)).code).toBe('FILE_LOCKED');
  });

  test('the helper gets standard streams of its own and the descriptor as number 3, and nothing else', () => {
    const place = temporaryDirectory();
    const helper = join(place, 'flock');
    const answer = join(place, 'answer');
    // The shell keeps its script open as a number above these.
    writeFileSync(
      helper,
      `#!/bin/sh\necho "args $@" >${answer}\nfor fd in 0 1 2 3 4 5 6 7 8 9; do readlink /proc/$$/fd/$fd; done >>${answer}\nexit 0\n`,
    );
    chmodSync(helper, 0o755);
    const path = newPath();
    const file = openByteFile(path);
    onTestFinished(() => file.close());
    expect(runFlock(file.descriptor, [helper])).toBe('taken');
    const [args, ...targets] = spawnSync('cat', [answer], { encoding: 'utf8' }).stdout.trim().split('\n');
    expect(args).toBe('args -n -x 3');
    expect(targets).toEqual([
      '/dev/null',
      // Standard output is the answer itself while this is written.
      answer,
      expect.stringMatching(/^(?:socket|pipe):/),
      path,
    ]);
  });

  test.each([
    ['#!/bin/sh\necho "flock: unrecognized option: x" >&2; exit 1\n', 'flock: unrecognized option: x'],
    ['#!/bin/sh\necho "flock: applet not found" >&2; exit 127\n', 'flock: applet not found'],
    ['#!/bin/sh\nexit 71\n', expect.stringMatching(/flock ended with 71$/)],
    ['#!/bin/sh\nkill -9 $$\n', expect.stringMatching(/flock ended with SIGKILL$/)],
    ['#!/nonexistent/interpreter\n', expect.stringMatching(/no flock program|ENOENT/)],
  ])('a helper that cannot do it is told from one that says "held": %s', (script, impossible) => {
    const place = temporaryDirectory();
    const helper = join(place, 'flock');
    writeFileSync(helper, script, { mode: 0o755 });
    const file = openByteFile(newPath());
    onTestFinished(() => file.close());
    expect(runFlock(file.descriptor, [helper])).toEqual({ impossible });
  });

  test('an odd PATH does no harm; without the program the lock is unknown', () => {
    const { PATH } = process.env;
    onTestFinished(() => {
      process.env['PATH'] = PATH;
    });
    const place = temporaryDirectory();
    mkdirSync(join(place, 'flock'));
    const file = openByteFile(newPath());
    onTestFinished(() => file.close());
    for (const odd of ['', place, '/nonexistent::.']) {
      process.env['PATH'] = odd;
      expect(runFlock(file.descriptor)).toBe('taken');
      const before = openDescriptors();
      const reason = odd === place ? /EACCES|no flock/ : 'there is no flock program here';
      expect(runFlock(file.descriptor, ['/nonexistent/flock'])).toEqual({
        impossible: typeof reason === 'string' ? reason : expect.stringMatching(reason),
      });
      expect(openDescriptors()).toEqual(before);
    }
  });
});
