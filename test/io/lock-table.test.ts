// The lines of /proc/locks and fdinfo, good and odd ones.
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { matchLock, parseLocks } from '../../src/io/lock-table.ts';

const ETCD = '1: FLOCK  ADVISORY  WRITE 4711 fe:00:9977972 0 EOF';

describe('a line', () => {
  test('of an exclusive lock', () => {
    expect(parseLocks(`${ETCD}\n`)).toEqual([{ exclusive: true, pid: 4711, major: 0xfen, minor: 0n, inode: 9977972n }]);
  });

  test('of a shared lock, and of one descriptor in fdinfo', () => {
    expect(parseLocks('12: FLOCK  ADVISORY  READ  7 103:1a:5 0 EOF')).toEqual([
      { exclusive: false, pid: 7, major: 0x103n, minor: 0x1an, inode: 5n },
    ]);
    expect(parseLocks(`pos:\t0\nflags:\t02102002\nlock:\t${ETCD}\n`)).toHaveLength(1);
  });

  test('whose taker cannot be named has the pid 0', () => {
    expect(parseLocks('1: FLOCK  ADVISORY  WRITE 0 fe:00:9 0 EOF')[0]?.pid).toBe(0);
    expect(parseLocks('1: FLOCK  ADVISORY  WRITE -1 fe:00:9 0 EOF')[0]?.pid).toBe(0);
  });

  test.each([
    '1: -> FLOCK  ADVISORY  WRITE 4711 fe:00:9977972 0 EOF',
    '1: POSIX  ADVISORY  WRITE 4711 fe:00:9977972 0 EOF',
    '1: OFDLCK ADVISORY  WRITE -1 fe:00:9977972 0 EOF',
    '1: LEASE  ACTIVE    READ  4711 fe:00:9977972 0 EOF',
    '1: FLOCK  ADVISORY  WRITE 4711 <none>:0 0 EOF',
    '1: FLOCK  ADVISORY  RW 4711 fe:00:9977972 0 EOF',
    '1: FLOCK  ADVISORY  WRITE 4711 fe:00 0 EOF',
    `1: FLOCK  ADVISORY  WRITE ${'9'.repeat(400)} fe:00:9977972 0 EOF`,
    `1: FLOCK  ADVISORY  WRITE 4711 fe:00:${'9'.repeat(4000)} 0 EOF`,
    'FLOCK',
    '',
  ])('that holds nothing of this kind, or makes no sense, is left out: %s', (line) => {
    expect(parseLocks(line)).toEqual([]);
    expect(parseLocks(`${line}\n${ETCD}\r\n${line}`)).toHaveLength(1);
  });

  test.prop([fc.string()])('of any text gives numbers or nothing', (text) => {
    for (const { pid } of parseLocks(`${text}\n1: FLOCK  ${text}\n${ETCD}${text}`)) {
      expect(Number.isSafeInteger(pid) && pid >= 0).toBe(true);
    }
  });
});

describe('a lock and a file', () => {
  const [lock] = parseLocks(ETCD) as [ReturnType<typeof parseLocks>[number]];

  test('belong together by device and inode', () => {
    expect(matchLock(lock, { dev: 0xfe00n, ino: 9977972n })).toBe('certainly');
    expect(matchLock(lock, { dev: 0xfe01n, ino: 9977972n })).toBe('perhaps');
    expect(matchLock(lock, { dev: 0x27n, ino: 9977972n })).toBe('perhaps');
    expect(matchLock(lock, { dev: 0xfe00n, ino: 9977973n })).toBe('no');
  });

  test('numbers of devices beyond 8 bits', () => {
    const [large] = parseLocks('1: FLOCK  ADVISORY  WRITE 1 103:12345:7 0 EOF');
    // As makedev(0x103, 0x12345) has it.
    expect(matchLock(large as typeof lock, { dev: 0x1231_0345n, ino: 7n })).toBe('certainly');
    expect(matchLock(large as typeof lock, { dev: 0x1231_0346n, ino: 7n })).toBe('perhaps');
  });
});
