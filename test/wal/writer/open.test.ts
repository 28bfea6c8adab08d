// Opening a log to append to it: what is refused, what is zeroed, where it goes on.
import { describe, expect, test } from 'vitest';
import { crc32c } from '../../../src/checksum/crc32c.ts';
import { type ErrorCode, isDatadirError } from '../../../src/errors.ts';
import { encodeEntry } from '../../../src/proto/raft.ts';
import { encodeFrame, frameOf } from '../../../src/wal/encode-frame.ts';
import { memoryLogDirectory } from '../../../src/wal/log-directory.ts';
import { createWal, openWal } from '../../../src/wal/writer.ts';
import { decodeLog } from '../../support/wal-writer-decoder.ts';

const OPTIONS = { etcdVersion: '3.6', segmentSize: 1024 } as const;
const FIRST = '0000000000000000-0000000000000000.wal';
const MEMBERS = { voters: [1n], learners: [], votersOutgoing: [], learnersNext: [] };
const entry = (index: bigint, text = 'x') => ({ term: 1n, index, data: new TextEncoder().encode(text) });

type Files = Record<string, Uint8Array>;

/** Three segments: entries 1 and 2, entry 3, entry 4 and a snapshot at 3. */
function threeSegments(): Files {
  const directory = memoryLogDirectory();
  const log = createWal(directory, { nodeId: 1n, clusterId: 2n }, OPTIONS);
  log.save({ term: 1n, vote: 1n, commit: 2n }, [entry(1n), entry(2n)]);
  log.cut();
  log.save(undefined, [entry(3n)]);
  log.cut();
  log.save(undefined, [entry(4n)]);
  log.saveSnapshot({ index: 3n, term: 1n, confState: MEMBERS });
  log.close();
  return Object.fromEntries(directory.list().map((name) => [name, directory.read(name)]));
}

const SECOND = '0000000000000001-0000000000000003.wal';
const THIRD = '0000000000000002-0000000000000004.wal';

function codeOf(action: () => unknown): ErrorCode | undefined {
  try {
    action();
  } catch (error) {
    if (isDatadirError(error)) return error.code;
    throw error;
  }
  return undefined;
}

/** The code with which opening is refused; and nothing may have been changed. */
function refusal(files: Files, from?: { index: bigint; term: bigint }): ErrorCode | undefined {
  const directory = memoryLogDirectory(files);
  const code = codeOf(() => openWal(directory, { ...OPTIONS, from }));
  if (code !== undefined) {
    const now = Object.fromEntries(directory.list().map((name) => [name, directory.read(name)]));
    expect(now).toEqual(files);
  }
  return code;
}

/** With another content of one file: that which `change` returns, or has made of the copy it gets. */
function changed(files: Files, name: string, change: (bytes: Uint8Array) => unknown): Files {
  const copy = (files[name] as Uint8Array).slice();
  const result = change(copy);
  return { ...files, [name]: result instanceof Uint8Array ? result : copy };
}

/** Appends a record with a right CRC behind the last one. */
function appended(files: Files, type: number, data: Uint8Array): Files {
  const { records, offset } = decodeLog(new Map(Object.entries(files)));
  const last = records.at(-1);
  const crc = crc32c(data, 0, data.length, last?.crc);
  return changed(files, last?.segment ?? '', (bytes) => bytes.set(frameOf({ type, crc, data }), offset));
}

describe('opening a log', () => {
  test('goes on behind its last record', () => {
    const files = threeSegments();
    const directory = memoryLogDirectory(files);
    const log = openWal(directory, OPTIONS);
    expect(log.lastIndex).toBe(4n);
    expect(log.segment).toBe(THIRD);
    expect(log.metadata).toEqual(new Uint8Array([8, 1, 16, 2]));
    log.save(undefined, [entry(5n)]);
    log.cut();
    log.close();
    expect(directory.list().at(-1)).toBe('0000000000000003-0000000000000006.wal');
    const { records, stop } = decodeLog(new Map(directory.list().map((name) => [name, directory.read(name)])));
    expect(stop).toBe('end');
    expect(records.map(({ type }) => type)).toEqual([4, 1, 5, 2, 2, 3, 4, 1, 3, 2, 4, 1, 3, 2, 5, 2, 4, 1]);
  });

  test('changes nothing of a log that ends in zeros', () => {
    const files = threeSegments();
    const directory = memoryLogDirectory(files);
    openWal(directory, OPTIONS).close();
    expect(Object.fromEntries(directory.list().map((name) => [name, directory.read(name)]))).toEqual(files);
  });

  test.each([1, 8, 200])('zeroes what lies %i bytes behind the last record', (behind) => {
    const files = threeSegments();
    const { offset } = decodeLog(new Map(Object.entries(files)));
    const torn = changed(files, THIRD, (bytes) => bytes.fill(0xee, offset + 8 + behind, offset + 300));
    const directory = memoryLogDirectory(torn);
    openWal(directory, OPTIONS).close();
    expect(directory.read(THIRD)).toEqual(files[THIRD]);
  });

  test('reads only what a snapshot needs, and the name of the next cut shows it', () => {
    const files = threeSegments();
    const { [FIRST]: _, ...without } = changed(files, SECOND, (bytes) => bytes);
    expect(openWal(memoryLogDirectory(without), { ...OPTIONS, from: { index: 3n, term: 1n } }).lastIndex).toBe(4n);
    // Damage in a segment that is not needed is not seen.
    const damaged = changed(files, FIRST, (bytes) => bytes.fill(0xff));
    expect(refusal(damaged)).toBe('WAL_DAMAGED');
    expect(refusal(damaged, { index: 3n, term: 1n })).toBe(undefined);
    const empty = memoryLogDirectory(files);
    const log = openWal(empty, OPTIONS);
    log.cut();
    log.saveSnapshot({ index: 4n, term: 1n, confState: MEMBERS });
    log.close();
    const again = openWal(empty, { ...OPTIONS, from: { index: 5n, term: 1n } });
    expect(again.lastIndex).toBe(0n);
  });

  test('appends to a short segment and to an empty one, as etcd does', () => {
    const files = threeSegments();
    const { offset } = decodeLog(new Map(Object.entries(files)));
    const short = memoryLogDirectory(changed(files, THIRD, (bytes) => bytes.slice(0, offset)));
    const log = openWal(short, OPTIONS);
    log.save(undefined, [entry(5n)]);
    log.close();
    expect(short.read(THIRD).length).toBe(log.position);
    const empty = memoryLogDirectory({ ...files, [THIRD]: new Uint8Array(0) });
    const other = openWal(empty, OPTIONS);
    expect(other.lastIndex).toBe(3n);
    other.save(undefined, [entry(4n)]);
    other.close();
    expect(decodeLog(new Map(empty.list().map((name) => [name, empty.read(name)]))).stop).toBe('end');
  });

  test('is not disturbed by other files', () => {
    const files = {
      ...threeSegments(),
      'lost+found': new Uint8Array(0),
      'x.wal': new Uint8Array(9),
      '1.tmp': new Uint8Array(5),
    };
    expect(refusal(files)).toBe(undefined);
  });

  test('sees entries that a later one has replaced, and ones behind a snapshot of the leader', () => {
    const directory = memoryLogDirectory();
    const log = createWal(directory, undefined, OPTIONS);
    log.save(undefined, [entry(1n), entry(2n), entry(3n)]);
    log.save(undefined, [entry(2n)]);
    log.saveSnapshot({ index: 70n, term: 1n, confState: MEMBERS });
    log.save(undefined, [entry(71n)]);
    log.close();
    expect(openWal(directory, OPTIONS).lastIndex).toBe(71n);
    expect(codeOf(() => openWal(directory, { ...OPTIONS, from: { index: 0n, term: 0n } }))).toBe('WAL_DAMAGED');
    expect(codeOf(() => openWal(directory, { ...OPTIONS, from: { index: 70n, term: 1n } }))).toBe(undefined);
  });
});

describe('refused is', () => {
  const files = threeSegments();
  const { offset } = decodeLog(new Map(Object.entries(files)));

  test('an empty directory', () => {
    expect(refusal({})).toBe('NOT_FOUND');
  });

  test('a flipped bit in the data of an entry', () => {
    expect(refusal(changed(files, FIRST, (bytes) => bytes.fill(0x79, 90, 91)))).toBe('WAL_DAMAGED');
  });

  test('a missing segment', () => {
    const { [SECOND]: _, ...without } = files;
    expect(refusal(without)).toBe('WAL_DAMAGED');
    const names = Object.keys(files).sort();
    const [a = '', b = ''] = names;
    // Between 1 and 3 it is seen by the names alone.
    const renamed = { [a]: files[a] as Uint8Array, [b]: files[b] as Uint8Array };
    const gap = { ...renamed, '0000000000000003-0000000000000004.wal': files[THIRD] as Uint8Array };
    expect(refusal(gap)).toBe('WAL_DAMAGED');
  });

  test('no segment at or before the snapshot', () => {
    const { [FIRST]: _, ...without } = files;
    expect(refusal(without, { index: 2n, term: 1n })).toBe('NOT_FOUND');
  });

  test('another term of the snapshot', () => {
    expect(refusal(files, { index: 3n, term: 2n })).toBe('WAL_DAMAGED');
  });

  test('a name that etcd reads but does not write', () => {
    expect(refusal({ ...files, '3-5.wal': new Uint8Array(0) })).toBe('WAL_DAMAGED');
  });

  test.each([1, 4, 7])('%i bytes behind the last record', (more) => {
    expect(refusal(changed(files, THIRD, (bytes) => bytes.slice(0, offset + more)))).toBe('WAL_DAMAGED');
  });

  test('a record that reaches beyond the file', () => {
    const cut = changed(files, THIRD, (bytes) => bytes.slice(0, offset - 8));
    expect(refusal(cut)).toBe('WAL_DAMAGED');
    expect(refusal(changed(files, FIRST, (bytes) => bytes.slice(0, bytes.length - 8)))).toBe('WAL_DAMAGED');
  });

  test('a record of an unknown type', () => {
    expect(refusal(appended(files, 9, new Uint8Array(1)))).toBe('WAL_DAMAGED');
  });

  test('metadata that are not those of before', () => {
    expect(refusal(appended(files, 1, new Uint8Array([8, 1, 16, 3])))).toBe('WAL_DAMAGED');
    expect(refusal(appended(files, 1, new Uint8Array([8, 1, 16, 2])))).toBe(undefined);
  });

  test('an entry behind a gap', () => {
    expect(refusal(appended(files, 2, encodeEntry({ term: 1n, index: 6n }, 'gogo')))).toBe('WAL_DAMAGED');
    expect(refusal(appended(files, 2, encodeEntry({ term: 1n, index: 5n }, 'gogo')))).toBe(undefined);
  });

  test.each([2, 3, 5])('a record of type %i whose data cannot be parsed', (type) => {
    expect(refusal(appended(files, type, new Uint8Array([0x0f])))).toBe('WAL_DAMAGED');
  });

  test('a frame that holds no record', () => {
    const frame = encodeFrame(new Uint8Array([0xff, 0xff]));
    expect(refusal(changed(files, THIRD, (bytes) => bytes.set(frame, offset)))).toBe('WAL_DAMAGED');
  });

  test('zeros in front of saves that had been on the disk', () => {
    const directory = memoryLogDirectory();
    const log = createWal(directory, undefined, OPTIONS);
    const ends = [1n, 2n, 3n, 4n].map((index) => {
      log.save({ term: 1n, vote: 1n, commit: index }, [entry(index)]);
      return log.position;
    });
    log.close();
    const whole = { [FIRST]: directory.read(FIRST) };
    const zeroed = changed(whole, FIRST, (bytes) => bytes.fill(0, ends[0], ends[1]));
    expect(refusal(zeroed)).toBe('WAL_DAMAGED');
    // With only one save behind it, it can be a torn write, and is dealt with as etcd does.
    const torn = changed(whole, FIRST, (bytes) => bytes.fill(0, ends[2], (ends[2] ?? 0) + 8));
    const other = memoryLogDirectory(torn);
    expect(openWal(other, OPTIONS).lastIndex).toBe(3n);
    expect(
      other
        .read(FIRST)
        .subarray(ends[2])
        .every((byte) => byte === 0),
    ).toBe(true);
  });

  test('whatever a flipped byte breaks, and it is never another error', () => {
    for (let at = 0; at < offset; at++) {
      const damaged = changed(files, THIRD, (bytes) => bytes.fill((bytes[at] ?? 0) ^ 0x41, at, at + 1));
      const { stop } = decodeLog(new Map(Object.entries(damaged)));
      const code = codeOf(() => openWal(memoryLogDirectory(damaged), OPTIONS).close());
      if (stop === 'crc' || stop === 'cut off') expect(code, `byte ${at}`).toBe('WAL_DAMAGED');
      else expect([undefined, 'WAL_DAMAGED']).toContain(code);
    }
  });
});

describe('calls', () => {
  test('after close are refused', () => {
    const log = createWal(memoryLogDirectory(), undefined, OPTIONS);
    log.close();
    for (const action of [() => log.save(undefined, [entry(1n)]), () => log.cut(), () => log.sync()]) {
      expect(codeOf(action)).toBe('WAL_CLOSED');
    }
    expect(codeOf(() => log.saveSnapshot({ index: 0n, term: 0n }))).toBe('WAL_CLOSED');
  });

  test('that are wrong change nothing', () => {
    const directory = memoryLogDirectory();
    const log = createWal(directory, undefined, OPTIONS);
    const before = directory.read(FIRST);
    const wrong = [
      () => log.save(undefined, [entry(1n), { term: 1n, index: -1n }]),
      () => log.save({ term: 1n << 64n }, [entry(1n)]),
      () => log.save({ vote: -1n }),
      () => log.saveSnapshot({ index: 1n, term: 1n }),
      () => log.saveSnapshot({ index: 1n, term: -1n, confState: MEMBERS }),
      () => log.saveSnapshot({ index: 1n, term: 1n, confState: { ...MEMBERS, voters: [-1n] } }),
    ];
    for (const action of wrong) expect(codeOf(action)).toBe('USAGE');
    log.sync();
    expect(directory.read(FIRST)).toEqual(before);
    expect(log.lastIndex).toBe(0n);
    expect(codeOf(() => createWal(memoryLogDirectory(), { nodeId: -1n }, OPTIONS))).toBe('USAGE');
    expect(codeOf(() => createWal(memoryLogDirectory(), undefined, { ...OPTIONS, segmentSize: -1 }))).toBe('USAGE');
  });

  test('of 3.4 that it could not read again are refused', () => {
    const log = createWal(memoryLogDirectory(), undefined, { ...OPTIONS, etcdVersion: '3.4' });
    const large = { term: 1n, index: 1n, data: new Uint8Array(10 * 1024 * 1024) };
    expect(codeOf(() => log.save(undefined, [large]))).toBe('USAGE');
    const other = createWal(memoryLogDirectory(), undefined, OPTIONS);
    expect(codeOf(() => other.save(undefined, [large]))).toBe(undefined);
  });

  test('make a log only where there is nothing', () => {
    expect(codeOf(() => createWal(memoryLogDirectory({ x: new Uint8Array(0) }), undefined, OPTIONS))).toBe(
      'TARGET_EXISTS',
    );
  });
});
