/**
 * `wal check`, and `check` of logs and segments: what people see, what `--json` gives, exit codes.
 */
import { cpSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { editableLog, writeLog } from '../support/edited-log.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { logFixture, unpack } from '../support/log-fixtures.ts';
import { walRecipes } from '../support/wal-recipes.ts';
import { type Ran, run } from './run.ts';
import { walFixture, workFolder } from './work-files.ts';

const folder = workFolder();
const json = ({ stdout }: Ran): ReturnType<typeof JSON.parse> => JSON.parse(stdout);
const EXAMPLE = join(FIXTURES, 'example');
const SEGMENT = walFixture().name;

function damaged(recipe: string): string {
  const path = join(folder, recipe);
  const { apply, base } = walRecipes.find(({ name }) => name === recipe)!;
  writeLog(apply(editableLog(logFixture(`3.6.14/${base}/m1`)), 0), path);
  return path;
}

test.each([
  ['the directory of a log', join(EXAMPLE, 'member', 'wal')],
  ['the directory of a member', join(EXAMPLE, 'member')],
  ['a data directory', EXAMPLE],
])('%s is found healthy', async (_, path) => {
  const { code, stdout, stderr } = await run(['wal', 'check', path]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^HEALTHY: no problem was found\n/);
  expect(stdout).toContain('log:       1 segment, entries 1 to 380 (380)\nstate:     term 2, committed up to 380\n');
  expect(stdout).toContain('of:        member dc9794014da78a91, cluster 3485826a2af980ff\n');
  expect(stdout).toContain('etcd 3.4, 3.5, 3.6, 3.7: starts from snapshot 303, log up to 380\n');
});

test('--json has the fields of the log at its top, 64-bit numbers as text', async () => {
  const ran = await run(['wal', 'check', EXAMPLE, '--json']);
  expect(ran.code).toBe(0);
  expect(json(ran)).toMatchObject({
    schema: 1,
    path: EXAMPLE,
    kind: 'wal',
    verdict: 'healthy',
    findings: [],
    firstIndex: '1',
    lastIndex: '380',
    entries: 380,
    commit: '380',
    term: '2',
    nodeId: '15895336143146158737',
    clusterId: '3784574454373908735',
    segments: [
      { name: SEGMENT, records: 766, entries: 380, firstIndex: '1', lastIndex: '380', whole: true, needed: true },
    ],
    wal: { nodeIdHex: 'dc9794014da78a91', snapshot: { index: '303', term: '2' }, damage: [] },
  });
});

test('damage: the record, what is before and behind it, and what each etcd does', async () => {
  const path = damaged('wal-middle-flip');
  const { code, stdout } = await run(['wal', 'check', path]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^DAMAGED: data is lost or wrong\n/);
  expect(stdout).toMatch(
    /corrupt: .*the record has CRC [\da-f]{8}, .* last good entry 190 of term 2; 381 good records of several saves behind it/,
  );
  expect(stdout).toMatch(
    /bad spot: {2}\S+\.wal, byte 140,432: crc; last good entry 190 of term 2; 381 good records behind it, entries 192 to 380 \(189\)/,
  );
  expect(stdout).toMatch(/etcd 3\.4: does not start: walpb: crc mismatch\n/);
  expect(json(await run(['wal', 'check', path, '--json'])).wal.damage).toEqual([
    {
      segment: SEGMENT,
      offset: 140_432,
      kind: 'crc',
      looksTorn: false,
      lastIndex: '190',
      lastTerm: '2',
      behind: {
        records: 381,
        entries: 189,
        firstIndex: '192',
        lastIndex: '380',
        saves: 'several',
        offset: expect.any(Number),
        continuesDirectly: false,
        searchedAll: true,
      },
    },
  ]);
});

test('a torn tail is repairable, and etcd cuts it off', async () => {
  const { code, stdout } = await run(['wal', 'check', damaged('wal-torn-append-short')]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^REPAIRABLE/);
  expect(stdout).toMatch(
    /etcd 3\.4, 3\.5, 3\.6, 3\.7: cuts \S+\.wal at byte 313,568, then starts from snapshot 303, log up to 380/,
  );
});

test('releases that differ have lines of their own', async () => {
  const { stdout } = await run(['wal', 'check', damaged('wal-inner-length-long')]);
  expect(stdout).toMatch(/etcd 3\.4, 3\.5, 3\.6: .*cuts/);
  expect(stdout).toMatch(/etcd 3\.7: does not start/);
});

test('a segment alone is looked at without the questions that need the others', async () => {
  const path = join(folder, 'alone', SEGMENT);
  mkdirSync(join(path, '..'));
  cpSync(join(EXAMPLE, 'member', 'wal', SEGMENT), path);
  for (const command of [['wal', 'check'], ['check']]) {
    const report = json(await run([...command, path, '--json']));
    expect(report).toMatchObject({ kind: 'wal', verdict: 'healthy', wal: { etcd: [], entries: 380 } });
    expect(report.notExamined.join()).toMatch(/the other segments/);
  }
});

describe('check', () => {
  test('takes the directory of a log', async () => {
    const path = join(EXAMPLE, 'member', 'wal');
    expect(json(await run(['check', path, '--json']))).toMatchObject({ kind: 'wal', path, verdict: 'healthy' });
  });

  test('takes a snap folder', async () => {
    const path = join(EXAMPLE, 'member', 'snap');
    expect(json(await run(['check', path, '--json']))).toMatchObject({ kind: 'snap', path, verdict: 'healthy' });
  });

  test('of a data directory has the log in its report', async () => {
    const { code, stdout } = await run(['check', EXAMPLE, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'data-dir', verdict: 'repairable', wal: { entries: 380 } });
  });

  test('of another directory says what it looked for', async () => {
    const path = join(folder, 'other');
    mkdirSync(path);
    writeFileSync(join(path, 'x'), 'x');
    const ran = await run(['check', path, '--json']);
    expect(ran.code).toBe(3);
    expect(json(ran)).toMatchObject({ verdict: 'unreadable', error: { code: 'UNKNOWN_KIND' } });
  });

  test('--level sanity of a log looks at the last segment', async () => {
    const path = join(folder, 'segments');
    mkdirSync(path);
    unpack({ ...logFixture('3.6.14/segments/m1'), snapFiles: [] }, path);
    const report = json(await run(['check', join(path, 'member', 'wal'), '--level', 'sanity', '--json']));
    expect(report).toMatchObject({ verdict: 'healthy', level: 'sanity' });
    expect(report.wal.segments.map(({ records }: { records: number }) => records > 0)).toEqual([false, false, true]);
    expect(report.notExamined).toContain('the segments before the last');
  });
});

test('a directory without a log ends with 3, an empty one called wal with 1', async () => {
  const other = join(folder, 'nothing');
  mkdirSync(join(other, 'wal'), { recursive: true });
  expect((await run(['wal', 'check', join(other, 'wal')])).code).toBe(1);
  expect((await run(['wal', 'check', other])).code).toBe(1);
  mkdirSync(join(folder, 'empty'));
  expect((await run(['wal', 'check', join(folder, 'empty')])).code).toBe(3);
  expect((await run(['wal', 'check', join(folder, 'not-there')])).code).toBe(3);
});

test('nothing of a log is changed by looking at it', async () => {
  const path = damaged('wal-torn-tail-short');
  const state = (): unknown =>
    readdirSync(join(path, 'member', 'wal')).map((name) => {
      const { size, mtimeMs } = statSync(join(path, 'member', 'wal', name));
      return { name, size, mtimeMs };
    });
  const before = state();
  await run(['wal', 'check', path]);
  expect(state()).toEqual(before);
});

test('a segment cut to nothing is empty, not unreadable', async () => {
  const path = join(folder, 'cut');
  cpSync(join(EXAMPLE, 'member', 'wal'), path, { recursive: true });
  truncateSync(join(path, SEGMENT), 0);
  const { code, stdout } = await run(['wal', 'check', path]);
  expect(code).toBe(1);
  expect(stdout).toContain('no record, 0 bytes');
});
