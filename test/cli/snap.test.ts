/**
 * `snap show` and `snap check`: what people see, what `--json` gives, exit codes.
 */
import { mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { editableLog, writeLog } from '../support/edited-log.ts';
import { logFixture, unpack } from '../support/log-fixtures.ts';
import { leftoverRecipes, snapRecipes } from '../support/snap-recipes.ts';
import { type Ran, run } from './run.ts';
import { workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
const json = ({ stdout }: Ran): ReturnType<typeof JSON.parse> => JSON.parse(stdout);
const NEWEST = '0000000000000002-000000000000012f.snap';

function dataDirectory(fixture: string): string {
  const path = join(folder, fixture.replaceAll('/', '-'));
  mkdirSync(path);
  const { snapFiles } = logFixture(fixture);
  unpack({ walFiles: [], snapFiles }, path);
  return path;
}

function damagedDirectory(recipe: string): string {
  const path = join(folder, recipe);
  const { apply } = [...snapRecipes, ...leftoverRecipes].find(({ name }) => name === recipe)!;
  const log = apply(editableLog(logFixture('3.6.14/busy/m1')), 0);
  writeLog({ ...log, segments: new Map() }, path);
  return path;
}

const busy = dataDirectory('3.6.14/busy/m1');
const busySnaps = join(busy, 'member', 'snap');
const cluster = dataDirectory('3.7.1/cluster/m1');
const v2 = dataDirectory('3.5.33/v2/m1');

describe('snap show', () => {
  test('of a file', async () => {
    const path = join(busySnaps, NEWEST);
    const { code, stdout, stderr } = await run(['snap', 'show', path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(0, 3)).toEqual([path, 'index:     303', 'term:      2']);
    expect(stdout).toContain('voters:    dc9794014da78a91\nlearners:  none\n');
    expect(stdout).toContain('version:   3.6.0\nmembers:\n  dc9794014da78a91  m1  peers http://');
  });

  test.each([
    ['a snap folder', busySnaps],
    ['the folder of a member', join(busy, 'member')],
    ['a data directory', busy],
  ])('of %s shows the newest', async (_, path) => {
    const ran = await run(['snap', 'show', path, '--json']);
    expect(ran.code).toBe(0);
    expect(json(ran)).toMatchObject({ schema: 1, path: join(busySnaps, NEWEST), index: '303', term: '2' });
  });

  test('--json has everything, ids as decimals and as etcd prints them', async () => {
    const shown = json(await run(['snap', 'show', cluster, '--json']));
    expect(Object.keys(shown)).toEqual([
      'schema',
      'path',
      'size',
      'index',
      'term',
      'crc',
      'confState',
      'dataKind',
      'members',
      'removed',
      'version',
      'v2Keys',
      'customContent',
      'v2Auth',
      'v2Index',
    ]);
    expect(shown).toMatchObject({
      index: '404',
      crc: expect.any(Number),
      confState: {
        voters: ['2146459920839817998', '10457630520013351133'],
        learners: ['2867065902666370583'],
        votersOutgoing: [],
        learnersNext: [],
        autoLeave: false,
      },
      dataKind: 'v2-store',
      members: [
        { id: '2146459920839817998', idHex: '1dc9c1ecf2453b0e', name: 'm2', isLearner: false },
        { id: '2867065902666370583', name: 'm4', peerURLs: ['http://127.0.0.1:13129'], isLearner: true },
        { clientURLs: ['http://127.0.0.1:13122'] },
      ],
      removed: ['1197066720773243208'],
      version: '3.7.0',
      v2Keys: { files: 0, directories: 0, listed: [] },
      v2Auth: { users: 0, roles: 0, enabled: false },
      v2Index: '8',
    });
  });

  test('learners and removed members are named', async () => {
    const { stdout } = await run(['snap', 'show', cluster]);
    expect(stdout).toContain('  27c9dd3f84104e17  m4 (learner)  peers ');
    expect(stdout).toContain('removed:   109cd5d718218148\n');
  });

  test('v2 keys are listed up to --max-keys, without values', async () => {
    const { stdout } = await run(['snap', 'show', v2, '--max-keys', '3']);
    expect(stdout).toContain('v2 keys:   37 keys, 6 directories\n  /dir0/key0\n');
    expect(stdout).toMatch(/\n {2}40 more \(--max-keys\)\n$/);
    expect(stdout).not.toContain('v2-1-');
    const all = await run(['snap', 'show', v2]);
    expect(all.stdout).toContain('\n  /emptydir/\n');
    expect(all.stdout).toContain('\n  /expiring  (expires 2027-');
  });

  test('of a damaged file ends with 3 and says why', async () => {
    const path = writeWorkFile(folder, NEWEST, logFixture('3.6.14/busy/m1').snapFiles.at(-1)!.bytes);
    truncateSync(path, 1000);
    const { code, stdout, stderr } = await run(['snap', 'show', path]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^etcd-datadir: .*12f\.snap: not a snapshot: length \d+ reaches beyond the message/);
    expect(json(await run(['snap', 'show', path, '--json']))).toMatchObject({ error: { code: 'SNAP_DAMAGED', path } });
  });

  test('of a folder without any ends with 3', async () => {
    const path = join(folder, 'empty', 'snap');
    mkdirSync(path, { recursive: true });
    expect(await run(['snap', 'show', path])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no .snap file'),
    });
  });
});

mkdirSync(join(folder, 'something-else'));

describe('snap check', () => {
  test.each([
    ['a file', join(busySnaps, NEWEST)],
    ['a snap folder', busySnaps],
    ['a data directory', busy],
  ])('of %s that is whole', async (_, path) => {
    const { code, stdout, stderr } = await run(['snap', 'check', path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^HEALTHY: no problem was found\n.*\(snap, level full\)\n/);
    expect(stdout).toContain('\nnot examined:\n  whether the log has a record');
  });

  test('of a damaged newest file ends with 1 and says what to do', async () => {
    const path = damagedDirectory('snap-newest-data-flip');
    const { code, stdout } = await run(['snap', 'check', path]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^REPAIRABLE: /);
    expect(stdout).toMatch(
      /\nrepairable: snap file .*12f\.snap: the checksum of its data is [0-9a-f]{8}, the file says /,
    );
    expect(stdout).toContain(`\n  where:   file ${NEWEST}\n  to do:   etcd gets over it`);
    expect(stdout).toContain('\n  code:    SNAP_CRC_MISMATCH\n');
  });

  test('--json is the report with what is in the files', async () => {
    const path = damagedDirectory('snap-newest-empty');
    const ran = await run(['snap', 'check', path, '--json']);
    expect(ran.code).toBe(1);
    expect(json(ran)).toMatchObject({
      schema: 1,
      path,
      kind: 'snap',
      verdict: 'repairable',
      findings: [{ code: 'SNAP_EMPTY', severity: 'repairable', file: NEWEST, message: expect.any(String) }],
      snap: {
        newest: { index: '202' },
        files: [{ name: NEWEST, usable: false, problem: 'SNAP_EMPTY' }, { usable: true }, { usable: true }],
        startsFrom: '0000000000000002-00000000000000ca.snap',
      },
    });
  });

  test('leftovers are no problem, and stay where they are', async () => {
    const path = damagedDirectory('dir-leftovers');
    const place = join(path, 'member', 'snap');
    const before = readdirSync(place).map((name) => [name, statSync(join(place, name)).mtimeMs]);
    const ran = await run(['snap', 'check', path, '--json']);
    expect(ran.code).toBe(0);
    expect(json(ran).counts).toEqual({ info: 4 });
    expect(readdirSync(place).map((name) => [name, statSync(join(place, name)).mtimeMs])).toEqual(before);
  });

  test('--max-findings cuts the list, not the count', async () => {
    const { counts, findings } = json(
      await run(['snap', 'check', join(folder, 'dir-leftovers'), '--json', '--max-findings', '1']),
    );
    expect({ counts, listed: findings.length }).toEqual({ counts: { info: 4 }, listed: 1 });
  });

  test.each([
    ['nothing there', join(folder, 'nothing'), 'NOT_FOUND'],
    ['a directory of something else', join(folder, 'something-else'), 'UNKNOWN_KIND'],
  ])('of %s ends with 3, with a report under --json', async (_, path, code) => {
    expect(await run(['snap', 'check', path])).toMatchObject({ code: 3, stdout: '' });
    const ran = await run(['snap', 'check', path, '--json']);
    expect(ran.code).toBe(3);
    expect(json(ran)).toMatchObject({ kind: 'snap', verdict: 'unreadable', error: { code } });
  });

  test('of any other file says that it is none', async () => {
    writeFileSync(join(folder, 'text'), 'just text');
    expect(await run(['snap', 'check', join(folder, 'text')])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('SNAP_UNPARSABLE'),
    });
  });
});
