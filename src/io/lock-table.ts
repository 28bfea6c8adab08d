/**
 * The lines in which Linux shows file locks: in `/proc/locks`, and, for one descriptor, in `/proc/PID/fdinfo/N`.
 *
 *     1: FLOCK  ADVISORY  WRITE 4711 fe:00:9977972 0 EOF
 *     2: -> FLOCK  ADVISORY  WRITE 4712 fe:00:9977972 0 EOF      waits, holds nothing
 *     lock:	1: FLOCK  ADVISORY  WRITE 4711 fe:00:9977972 0 EOF   in fdinfo
 */

/** A lock of the `flock` call that somebody holds. */
export interface LockLine {
  readonly exclusive: boolean;
  /** Who made the call; may have ended since. 0 when that process is not one of the reader's PID namespace. */
  readonly pid: number;
  readonly major: bigint;
  readonly minor: bigint;
  readonly inode: bigint;
}

/** What tells one file of a machine from another, as `fs.statSync` with `bigint` gives it. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** How well a line fits a file; `perhaps`: only the inode does. */
export type LockMatch = 'certainly' | 'perhaps' | 'no';

const LINE =
  /^(?:lock:\s*)?\d+:\s+FLOCK\s+\S+\s+(READ|WRITE)\s+(-?\d{1,10})\s+([\da-f]{1,8}):([\da-f]{1,8}):(\d{1,20})\s/;

/** The locks of the `flock` call in a text. Lines of other kinds, waiting ones and ones that make no sense are left out. */
export function parseLocks(text: string): LockLine[] {
  const locks: LockLine[] = [];
  for (const line of text.split('\n')) {
    const [, mode, pid, major, minor, inode] = LINE.exec(`${line} `) ?? [];
    if (inode === undefined) continue;
    locks.push({
      exclusive: mode === 'WRITE',
      pid: Math.max(0, Number(pid)),
      major: BigInt(`0x${major}`),
      minor: BigInt(`0x${minor}`),
      inode: BigInt(inode),
    });
  }
  return locks;
}

/**
 * Whether a lock is on that file. The kernel names the device of the file system here, which on some (btrfs) is another one
 * than `stat` gives: with the same inode and another device it may or may not be the file.
 */
export function matchLock({ major, minor, inode }: LockLine, { dev, ino }: FileIdentity): LockMatch {
  if (inode !== ino) return 'no';
  return major === majorOf(dev) && minor === minorOf(dev) ? 'certainly' : 'perhaps';
}

/** Linux spreads both numbers over a `dev_t`: mmmM MMmm in hex, and what is larger above that. */
function majorOf(dev: bigint): bigint {
  return ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
}

function minorOf(dev: bigint): bigint {
  return (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
}
