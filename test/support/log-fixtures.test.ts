import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/io/byte-source.ts';
import { parseSegmentName } from '../../src/wal/segment-name.ts';
import { logFixture, logFixtures, segments, unpack, wholeFile } from './log-fixtures.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { zeroTailedSource } from './zero-tailed-source.ts';

const SEGMENT_SIZE = 64_000_000;

describe.each(logFixtures())('log fixture $name', (fixture) => {
  test('has files that fit what is listed of them', () => {
    expect(fixture.walFiles.length).toBeGreaterThan(0);
    for (const { bytes, size } of [...fixture.walFiles, ...fixture.snapFiles]) {
      expect(bytes.length).toBeLessThanOrEqual(size);
      expect(bytes.at(-1)).not.toBe(0);
    }
    for (const { name } of fixture.snapFiles) expect(name).toMatch(/^[0-9a-f]{16}-[0-9a-f]{16}\.snap$/);
    for (const { name, size } of fixture.walFiles.slice(0, -1)) {
      if (!name.endsWith('.wal')) continue;
      expect(size).toBeGreaterThan(SEGMENT_SIZE);
    }
    expect(fixture.walFiles.at(-1)!.size).toBe(SEGMENT_SIZE);
  });

  test('has segments numbered without a hole from 0', () => {
    const names = segments(fixture).map(({ name }) => parseSegmentName(name));
    expect(names.map((name) => name?.sequence)).toEqual(names.map((_, i) => BigInt(i)));
    for (const { source } of segments(fixture)) expect(source.size).toBeGreaterThanOrEqual(SEGMENT_SIZE);
  });

  test('has what the real tools said', () => {
    // 3.4 wrote the index with the first change of a client.
    if (fixture.name === '3.4.23/empty/m1') expect(fixture.consistentIndex).toBe(undefined);
    else expect(fixture.consistentIndex).toBeGreaterThan(0n);
    expect(fixture.dumpLogs()).toMatch(/^Snapshot:\n/);
    expect(fixture.dumpLogsRaw()).toMatch(/^CRC: 0\n/);
  });
});

test('unpacked files have the size, the bytes and the mode of the fixture', () => {
  const fixture = logFixture('3.6.14/crash/m1');
  const directory = temporaryDirectory();
  unpack(fixture, directory);
  for (const [folder, files] of [['wal', fixture.walFiles] as const, ['snap', fixture.snapFiles] as const]) {
    for (const file of files) {
      const path = join(directory, 'member', folder, file.name);
      expect(statSync(path).size).toBe(file.size);
      expect(statSync(path).mode & 0o700).toBe(file.mode & 0o700);
      expect(Buffer.compare(readFileSync(path), wholeFile(file))).toBe(0);
    }
  }
});

test('a zero-tailed source reads as the whole bytes do, wherever the read begins and ends', () => {
  const stored = Uint8Array.of(1, 2, 3);
  for (const size of [0, 2, 3, 7]) {
    const whole = new Uint8Array(size);
    whole.set(stored.subarray(0, size));
    const [plain, tailed] = [memorySource(whole), zeroTailedSource(stored, size)];
    expect(tailed.size).toBe(size);
    for (let offset = 0; offset <= 9; offset++) {
      for (let length = 0; length <= 9; length++) {
        const [a, b] = [new Uint8Array(length).fill(0xee), new Uint8Array(length).fill(0xee)];
        expect(tailed.readInto(b, offset)).toBe(plain.readInto(a, offset));
        expect(b).toEqual(a);
      }
    }
  }
});
