// `check --level deep` as a user sees it, and the sha256 of snapshot files on level full.
import { describe, expect, test } from 'vitest';
import { backendRecipes } from '../support/backend-recipes.ts';
import { readFixture } from '../support/fixtures.ts';
import { run } from './run.ts';
import { workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
const recipe = (name: string) => backendRecipes.find((each) => each.name === name)!;
const snapshot = readFixture('etcd/3.6.14/busy/snapshot');

function file(name: string, bytes: Uint8Array): string {
  return writeWorkFile(folder, name, bytes);
}

async function json(...args: string[]) {
  const { code, stdout } = await run(['check', ...args, '--json']);
  return { code, report: JSON.parse(stdout) as Record<string, never> };
}

test('a healthy snapshot file: figures of what etcd keeps in it', async () => {
  const { code, report } = await json(file('healthy.db', snapshot), '--level', 'deep', '--snapshot');
  expect(code).toBe(0);
  expect(report).toMatchObject({ kind: 'db', level: 'deep', verdict: 'healthy', findings: [] });
  expect(report['backend']).toMatchObject({ revision: '351', keys: 125, etcdVersion: '3.6', trailer: 'right' });
});

test('a damaged record: key and page are named', async () => {
  const { bytes } = recipe('backend-record-mod-revision').apply(snapshot, 0);
  const path = file('record.db', bytes.slice(0, -32));
  const { code, stdout } = await run(['check', path, '--level', 'deep']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^DAMAGED: data is lost or wrong\n/);
  expect(stdout).toMatch(/corrupt: page \d+: record \d+_\d+ of key "[^"]+" says that its revision is \d+\n/);
  expect(stdout).toMatch(/where: {3}page \d+, byte /);
  expect(stdout).toMatch(/bucket: {2}"key"\n/);
  expect(stdout).toMatch(/key: {5}0x[0-9a-f]{34}\n/);
  const { report } = await json(path, '--level', 'deep');
  expect(report['findings'][0]).toMatchObject({ code: 'BACKEND_MOD_REVISION', bucket: ['"key"'], file: path });
});

test('a release that is too old for the data is refused', async () => {
  const path = file('target.db', snapshot);
  const { code, report } = await json(path, '--level', 'deep', '--etcd-version', '3.5');
  expect(code).toBe(1);
  expect(report).toMatchObject({ verdict: 'refused' });
  expect((await json(path, '--level', 'deep', '--etcd-version', '3.7')).code).toBe(0);
});

describe('the sha256 of a snapshot file', () => {
  const states = [
    ['snapshot-trailer-wrong', 1, 'BACKEND_TRAILER_WRONG'],
    ['snapshot-trailer-cut', 1, 'BACKEND_TRAILER_CUT'],
    ['snapshot-body-flip', 1, 'BACKEND_TRAILER_WRONG'],
    ['snapshot-appended', 1, 'BACKEND_TRAILER_WRONG'],
  ] as const;

  test.each(states)('%s is seen on level full', async (name, exit, found) => {
    const { code, report } = await json(file(`${name}.db`, recipe(name).apply(snapshot, 0).bytes));
    expect(code).toBe(exit);
    expect(report).toMatchObject({ level: 'full', verdict: 'damaged' });
    expect((report['findings'] as { code: string }[]).map(({ code }) => code)).toContain(found);
  });

  test('a right one is said to be examined, and nothing else is worth a word', async () => {
    const { report } = await json(file('right.db', snapshot));
    expect(report).toMatchObject({ verdict: 'healthy', findings: [], counts: {} });
    expect(report['examined']).toContain('every byte up to the last page, by the sha256 behind it');
    expect(report['notExamined']).toEqual([]);
  });

  test('a missing one is no fault of a db, but one of a snapshot file', async () => {
    const path = file('missing.db', snapshot.slice(0, -32));
    expect((await json(path)).code).toBe(0);
    const { code, report } = await json(path, '--snapshot');
    expect(code).toBe(1);
    expect(report).toMatchObject({ verdict: 'repairable' });
  });

  test('32 bytes behind a bolt file of another program are not one', async () => {
    const bytes = Uint8Array.from([...readFixture('bolt/mixed-1024'), ...new Uint8Array(32).fill(5)]);
    const { report } = await json(file('other.db', bytes));
    expect(report).toMatchObject({ verdict: 'healthy' });
  });
});
