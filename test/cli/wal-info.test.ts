import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkWal } from '../../src/wal/check.ts';
import { walInfo } from '../../src/wal/info.ts';
import { readWal } from '../../src/wal/reader.ts';
import { editableLog, writeLog } from '../support/edited-log.ts';
import { logFixture, logFixtures, segments, unpack } from '../support/log-fixtures.ts';
import { walRecipes } from '../support/wal-recipes.ts';
import { run } from './run.ts';
import { workFolder } from './work-files.ts';

const folder = workFolder();

function member(name: string, part: string): string {
  const path = join(folder, part);
  unpack(logFixture(name), path);
  return path;
}

describe('wal info', () => {
  test('tells what a log holds', async () => {
    const path = member('3.6.14/busy/m1', 'text');
    const { code, stdout, stderr } = await run(['wal', 'info', path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        join(path, 'member', 'wal'),
        'node:       dc9794014da78a91',
        'cluster:    3485826a2af980ff',
        'entries:    380, from 1 to 380',
        'kinds:      378 requests, 1 conf change, 0 requests of the v2 API, 1 no-op',
        'hard state: term 2, vote dc9794014da78a91, commit 380',
        'needs etcd: 3.0 or later',
        'damage:     none',
        'segments:   1, 64,000,000 bytes (61.0 MiB)',
        '  name                                   size        end of data  records  entries',
        '  0000000000000000-0000000000000000.wal  64,000,000  313,568      766      1 to 380',
        'snapshots:  4',
        '  index  term  state',
        '  0      0     valid',
        '  101    2     valid',
        '  202    2     valid',
        '  303    2     valid',
        '',
      ].join('\n'),
    );
  });

  test('--json is one object', async () => {
    const path = member('3.5.33/segments/m1', 'json');
    const { code, stdout } = await run(['wal', 'info', path, '--json']);
    expect(code).toBe(0);
    const info = JSON.parse(stdout) as { segments: { records: number; lastIndex: string; firstIndex: string }[] };
    expect(info).toMatchObject({ schema: 1, path, damage: null, hardState: { term: '2' }, overwritten: 0 });
    expect(info.segments).toHaveLength(3);
    expect(BigInt(info.segments[1]!.firstIndex)).toBe(BigInt(info.segments[0]!.lastIndex) + 1n);
  });

  test('damage ends what is known, with 1', async () => {
    const path = join(folder, 'damaged');
    const recipe = walRecipes.find(({ name }) => name === 'wal-middle-flip')!;
    writeLog(recipe.apply(editableLog(logFixture('3.6.14/busy/m1')), 0), path);
    const text = await run(['wal', 'info', path]);
    expect(text.code).toBe(1);
    expect(text.stdout).toMatch(/^damage: {5}crc, 0{16}-0{16}\.wal at byte [\d,]+; nothing behind it was read$/m);
    const { stdout } = await run(['wal', 'info', path, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ damage: { kind: 'crc', segment: expect.stringMatching(/\.wal$/) } });
  });

  test('etcd 3.4 and 3.5 write requests of the v2 API, and old logs need no version', () => {
    expect(walInfo(readWal({ segments: segments(logFixture('3.4.23/v2/m1')) })).kinds.v2).toBeGreaterThan(10);
    const { minimumVersion } = walInfo(readWal({ segments: segments(logFixture('3.6.14/fresh/m1')) }));
    expect(minimumVersion).toBe('3.5');
  });

  const few = logFixtures().filter(({ scenario }) => scenario !== 'segments');
  test.each(few.map((fixture) => [fixture.name, fixture] as const))('%s: the check says the same', (_, fixture) => {
    const info = walInfo(readWal({ segments: segments(fixture) }));
    const wal = checkWal({ segments: segments(fixture) }).wal!;
    expect(info.segments).toEqual(wal.segments.map(({ whole: _, needed: __, ...rest }) => rest));
    const { firstIndex, lastIndex, entries, overwritten, nodeId, clusterId, nodeIdHex, clusterIdHex } = wal;
    expect(info).toMatchObject({
      firstIndex,
      lastIndex,
      entries,
      overwritten,
      nodeId,
      clusterId,
      nodeIdHex,
      clusterIdHex,
    });
    expect(info.hardState).toEqual({ term: wal.term, vote: wal.vote, voteHex: wal.voteHex, commit: wal.commit });
    expect(info.snapshots).toHaveLength(wal.snapshotRecords);
    const { normal, confChange, v2, noop, other } = info.kinds;
    expect(normal + confChange + v2 + noop + other).toBe(entries);
  });
});
