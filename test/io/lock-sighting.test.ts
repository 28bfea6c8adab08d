// Who is seen to hold a lock, in a made-up /proc: other users' processes, ended ones, other PID namespaces.
import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { seeLock } from '../../src/io/lock-sighting.ts';
import { asOrdinaryUser } from '../support/ordinary-user.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SELF = 77;

interface MadeUpProcess {
  readonly name?: string;
  /** Lines of locks in the fdinfo of its descriptors. */
  readonly descriptors?: readonly string[];
  readonly forbidden?: true;
}

interface MadeUp {
  readonly locks?: readonly string[];
  readonly processes?: Readonly<Record<number, MadeUpProcess>>;
}

/** What is seen of a file when /proc is as given; DEV stands for its device, INO for its inode. */
function see({ locks, processes = {} }: MadeUp): ReturnType<typeof seeLock> {
  const folder = temporaryDirectory();
  const descriptor = openSync(join(folder, 'db'), 'w+');
  onTestFinished(() => closeSync(descriptor));
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  const device = `${((dev >> 8n) & 0xfffn).toString(16)}:${((dev & 0xffn) | ((dev >> 12n) & 0xffffff00n)).toString(16)}`;
  const text = (lines: readonly string[], prefix = ''): string =>
    lines.map((line, i) => `${prefix}${i + 1}: ${line.replace('DEV', device).replace('INO', `${ino}`)}\n`).join('');
  const proc = join(folder, 'proc');
  mkdirSync(proc);
  symlinkSync(`${SELF}`, join(proc, 'self'));
  mkdirSync(join(proc, 'sys'));
  if (locks !== undefined) writeFileSync(join(proc, 'locks'), text(locks));
  for (const [pid, { name, descriptors = [], forbidden }] of Object.entries(processes)) {
    const fdinfo = join(proc, pid, 'fdinfo');
    mkdirSync(fdinfo, { recursive: true });
    if (name !== undefined) writeFileSync(join(proc, pid, 'comm'), `${name}\n`);
    descriptors.forEach((line, i) => {
      writeFileSync(join(fdinfo, `${i}`), `pos:\t0\nflags:\t02\nino:\t${ino}\n${text([line], 'lock:\t')}`);
    });
    if (forbidden === true) chmodSync(fdinfo, 0);
  }
  chmodSync(folder, 0o755);
  return asOrdinaryUser(() => seeLock(descriptor, 'db', proc));
}

const lock = (pid: number, mode = 'WRITE', place = 'DEV:INO'): string =>
  `FLOCK  ADVISORY  ${mode} ${pid} ${place} 0 EOF`;
const OTHER_FILE = lock(9, 'WRITE', 'DEV:1');

describe('a lock', () => {
  test('of a running etcd', () => {
    const processes = { 5: { name: 'etcd', descriptors: [OTHER_FILE, lock(5)] } };
    expect(see({ locks: [OTHER_FILE, lock(5)], processes })).toEqual({
      state: 'exclusive',
      certain: true,
      holders: [{ pid: 5, command: 'etcd' }],
    });
  });

  test('of a process that may not be looked into', () => {
    const processes = { 5: { name: 'etcd', forbidden: true } } as const;
    expect(see({ locks: [lock(5)], processes }).holders).toEqual([{ pid: 5, command: 'etcd' }]);
  });

  test('of this process itself', () => {
    const processes = { [SELF]: { name: 'node', descriptors: [lock(SELF)] } };
    expect(see({ locks: [lock(SELF)], processes }).holders).toEqual([{ pid: SELF, command: 'node', self: true }]);
  });

  test('shared by several readers', () => {
    const processes = { 5: { descriptors: [lock(5, 'READ')] }, 6: { descriptors: [lock(6, 'READ')] } };
    expect(see({ locks: [lock(5, 'READ'), lock(6, 'READ')], processes })).toEqual({
      state: 'shared',
      certain: true,
      holders: [{ pid: 5 }, { pid: 6 }],
    });
  });

  test('that was taken by a helper which has ended is held by whoever has the descriptor', () => {
    const processes = { 5: { name: 'node', descriptors: [lock(4)] }, 6: { name: 'other', descriptors: [OTHER_FILE] } };
    expect(see({ locks: [lock(4)], processes }).holders).toEqual([{ pid: 5, command: 'node' }]);
  });

  test('is not put down to a process that got the number of the one that took it', () => {
    const processes = { 4: { name: 'innocent', descriptors: [OTHER_FILE] } };
    expect(see({ locks: [lock(4)], processes })).toEqual({ state: 'exclusive', certain: true, holders: [] });
  });

  test('that is not listed, as in a container, is found at its holder', () => {
    const processes = { 5: { name: 'node', descriptors: [lock(0)] } };
    expect(see({ locks: [], processes })).toEqual({
      state: 'exclusive',
      certain: true,
      holders: [{ pid: 5, command: 'node' }],
    });
  });

  test('on another device with the same inode is perhaps one on this file', () => {
    const elsewhere = lock(5, 'WRITE', 'ff:fe:INO');
    const processes = { 5: { name: 'etcd', descriptors: [elsewhere] } };
    expect(see({ locks: [elsewhere], processes })).toEqual({
      state: 'exclusive',
      certain: false,
      holders: [{ pid: 5, command: 'etcd' }],
    });
    expect(see({ locks: [], processes })).toMatchObject({ state: 'exclusive', certain: false });
    // And does not matter when there is one on this device.
    expect(see({ locks: [elsewhere, lock(6, 'READ')], processes: { 6: { forbidden: true } } })).toEqual({
      state: 'shared',
      certain: true,
      holders: [{ pid: 6 }],
    });
  });
});

test('no lock: none is seen, which proves nothing', () => {
  const waiting = `-> ${lock(5)}`;
  for (const locks of [[], [OTHER_FILE], [waiting], ['', 'nonsense']]) {
    expect(see({ locks, processes: { 5: { descriptors: [OTHER_FILE] } } })).toEqual({
      state: 'none-seen',
      certain: false,
      holders: [],
    });
  }
});

test('without /proc/locks nothing is known', () => {
  expect(see({})).toEqual({ state: 'unknown', certain: false, holders: [] });
});

test('a name that a terminal could act on is made harmless', () => {
  const processes = { 5: { name: '\u001b[2Jetcd\u202e x', descriptors: [lock(5)] } };
  expect(see({ locks: [lock(5)], processes }).holders).toEqual([{ pid: 5, command: '?[2Jetcd??x' }]);
});
