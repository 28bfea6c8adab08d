// The command validate: exit codes, the JSON that programs read, what people read, and the words of wrong usage.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { dataDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { damagedDataDir } from '../support/data-dir-recipes.ts';
import { buildLockHolder, startHolder } from '../support/lock-holder.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './run.ts';

let volume: string;
let data: string;

beforeEach(() => {
  volume = temporaryDirectory();
  data = join(volume, 'new.etcd');
});

const makeHealthy = (): string => writeDataDir(dataDirFixture('3.6.14/fresh/m1'), data);

async function validated(args: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await run(['validate', data, '--json', ...args], { env });
  expect(stderr).toBe('');
  return { code, report: JSON.parse(stdout) as Record<string, never> };
}

/** A store with backups up to this revision. */
function makeStore(last: number): string {
  mkdirSync(join(volume, 'store/v2'), { recursive: true });
  writeFileSync(join(volume, 'store/v2', `Full-00000000-${`${last}`.padStart(8, '0')}-1794804198.gz`), 'x');
  return join(volume, 'store');
}

describe('exit codes', () => {
  test('0: etcd may start, also on what it mends itself', async () => {
    makeHealthy();
    expect((await validated()).code).toBe(0);
  });

  test('0 for a torn tail, where check says 1', async () => {
    writeDataDir(damagedDataDir('wal-torn-append-short', '3.6.14'), data);
    const { code, report } = await validated();
    expect({ code, verdict: report['verdict'], recommendation: report['recommendation'] }).toEqual({
      code: 0,
      verdict: 'repairable',
      recommendation: 'start',
    });
    expect((await run(['check', data])).code).toBe(1);
  });

  test('1: damaged, stale, refused, or to be repaired first', async () => {
    makeHealthy();
    for (const args of [
      ['--store', makeStore(53)],
      ['--fail-below-revision', '10'],
      ['--expect-member-id', 'abc'],
      ['--etcd-version', '3.4', '--expect-cluster-id', '0xabc'],
      ['--expect-hashkv', '1@5'],
    ]) {
      expect({ args, code: (await validated(args)).code }).toEqual({ args, code: 1 });
    }
  });

  test('3: no such directory, or it cannot be decided', async () => {
    expect(await validated()).toMatchObject({
      code: 3,
      report: { verdict: 'unreadable', status: 'DataDirectoryNotExist', recommendation: 'keep-and-inspect' },
    });
    expect((await validated(['--allow-missing'])).code).toBe(0);
    makeHealthy();
    expect(await validated(['--store', join(volume, 'gone')])).toMatchObject({
      code: 3,
      report: { verdict: 'undecided', status: 'DataDirectoryStatusUnknown' },
    });
    expect((await run(['validate', data, '--store', 's3://bucket'])).code).toBe(3);
  });

  test('3: a file where the directory should be is not to be restored over', async () => {
    writeFileSync(data, 'something else');
    const { code, report } = await validated(['--store', makeStore(53), '--update-marker']);
    expect(readdirSync(volume).sort()).toEqual(['new.etcd', 'store']);
    expect({ code, ...report }).toMatchObject({
      code: 3,
      verdict: 'undecided',
      recommendation: 'keep-and-inspect',
      status: 'DataDirectoryStatusUnknown',
      action: 'fail',
      findings: [
        { code: 'DIR_UNREADABLE', message: `the directory cannot be read: ${data} is a file, not a directory` },
        { code: 'VALIDATE_REVISION_UNKNOWN', severity: 'unknown' },
      ],
    });
  });

  test('4: in use', async () => {
    makeHealthy();
    const holder = startHolder(await buildLockHolder(volume), join(data, 'member/snap/db'));
    await holder.opened;
    expect(await validated()).toMatchObject({ code: 4, report: { verdict: 'in-use' } });
    const waiting = validated(['--lock-timeout', '60']);
    await holder.close();
    expect((await waiting).code).toBe(0);
  });

  test('2: wrong usage', async () => {
    makeHealthy();
    for (const args of [
      ['--mode', 'quick'],
      ['--expect-hashkv', '5'],
      ['--expect-hashkv', '4294967296@5'],
      ['--expect-member-id', 'xyz'],
      ['--fail-below-revision', '-1'],
      ['--lock-timeout', 'long'],
      ['--marker', join(data, 'marker'), '--update-marker'],
      [],
    ]) {
      const words = args.length === 0 ? [] : [data, ...args];
      expect({ args, code: (await run(['validate', ...words])).code }).toEqual({ args, code: 2 });
    }
  });
});

describe('JSON', () => {
  test('has the fields that programs go by, 64-bit numbers as text', async () => {
    makeHealthy();
    const { report } = await validated(['--store', makeStore(5), '--replay']);
    expect(report).toMatchObject({
      schema: 1,
      path: data,
      kind: 'data-dir',
      level: 'full',
      verdict: 'healthy',
      findings: expect.any(Array),
      counts: expect.any(Object),
      examined: expect.any(Array),
      notExamined: expect.any(Array),
      bytesRead: expect.any(Number),
      elapsedMs: expect.any(Number),
      mode: 'full',
      modeReason: 'no-marker',
      revision: {
        db: '5',
        compactFinished: null,
        compactScheduled: null,
        effective: '5',
        afterWalReplay: '5',
        atMost: null,
        store: '5',
      },
      raft: {
        clusterId: expect.stringMatching(/^\d+$/),
        memberId: expect.stringMatching(/^\d+$/),
        term: expect.stringMatching(/^\d+$/),
        vote: expect.stringMatching(/^\d+$/),
        commit: expect.stringMatching(/^\d+$/),
        firstIndex: '1',
        lastIndex: expect.stringMatching(/^\d+$/),
        consistentIndex: expect.stringMatching(/^\d+$/),
        dbTerm: expect.stringMatching(/^\d+$/),
        snapshots: expect.any(Array),
      },
      recommendation: 'start',
      status: 'DataDirectoryValid',
      action: 'start',
      plan: null,
      guard: { state: 'skipped' },
      marker: { form: 'none', written: [] },
      store: { state: 'found', revision: '5', base: expect.stringMatching(/^v2\/Full-/) },
      steps: expect.any(Array),
    });
  });

  test('findings come with their words', async () => {
    makeHealthy();
    const { report } = await validated(['--store', makeStore(53)]);
    expect(report['findings']).toContainEqual(
      expect.objectContaining({
        code: 'VALIDATE_STALE',
        severity: 'stale',
        message: expect.stringContaining('53'),
        remedy: expect.any(String),
      }),
    );
  });
});

describe('the environment', () => {
  test('POD_NAMESPACE is the owner, unless another is named', async () => {
    makeHealthy();
    writeFileSync(join(volume, 'safe_guard'), 'shoot--a');
    expect((await validated([], { POD_NAMESPACE: 'shoot--a' })).report['guard']).toMatchObject({ state: 'equal' });
    expect(await validated([], { POD_NAMESPACE: 'shoot--b' })).toMatchObject({
      code: 1,
      report: { status: 'WrongVolumeMounted' },
    });
    const named = ['--guard-value', 'shoot--a'];
    expect((await validated(named, { POD_NAMESPACE: 'shoot--b' })).report['guard']).toMatchObject({ state: 'equal' });
    expect((await validated()).report['guard']).toMatchObject({ state: 'skipped' });
  });
});

test('ids are taken as etcd prints them and as its JSON has them', async () => {
  makeHealthy();
  const { report } = await validated();
  const { memberId, clusterId } = report['raft'] as { memberId: string; clusterId: string };
  for (const form of [
    (id: string) => id,
    (id: string) => BigInt(id).toString(16),
    (id: string) => `0x${BigInt(id).toString(16)}`,
  ]) {
    const args = ['--expect-member-id', form(memberId), '--expect-cluster-id', form(clusterId)];
    expect({ args, code: (await validated(args)).code }).toEqual({ args, code: 0 });
  }
});

test('with the flags for it, marker and guard are written, and nothing else', async () => {
  makeHealthy();
  const { report } = await validated(['--update-marker', '--create-guard', '--guard-value', 'shoot--a']);
  expect(report).toMatchObject({ guard: { state: 'created' }, marker: { written: ['validating', 'running'] } });
  expect(readdirSync(volume).sort()).toEqual(['etcd-datadir-run.json', 'new.etcd', 'safe_guard']);
  expect(readFileSync(join(volume, 'safe_guard'), 'utf8')).toBe('shoot--a');
});

describe('for people', () => {
  const text = async (args: readonly string[] = []): Promise<string> => (await run(['validate', data, ...args])).stdout;

  test('the decision comes first, then what it rests on, then what was found', async () => {
    makeHealthy();
    expect(await text(['--store', makeStore(5)])).toMatch(
      /^START: etcd may be started on it\nmode: {6}full: there is no marker.*\nguard: .*\nrevision: {2}5 in the db\nbackups: {3}revision 5 in .*\nreference: DataDirectoryValid, start\n\nHEALTHY/,
    );
  });

  test.each([
    ['dir-db-missing', [], /^REPAIR FIRST/],
    ['wal-middle-flip', [], /^KEEP AND INSPECT/],
    [
      'wal-middle-flip',
      ['--multi-node', '--others-reachable', 'yes'],
      /^REPLACE[\s\S]*plan: {6}single-member-restoration/,
    ],
    ['wal-middle-flip', ['--expect-member-id', '1'], /^REFUSED/],
  ] as const)('%s %j', async (recipe, args, words) => {
    writeDataDir(damagedDataDir(recipe, '3.6.14'), data);
    const multi = args.includes('--multi-node' as never) ? ['--in-cluster', 'yes'] : [];
    expect(await text([...args, ...multi])).toMatch(words);
  });

  test('restore', async () => {
    makeHealthy();
    expect(await text(['--store', makeStore(53)])).toMatch(/^RESTORE[\s\S]*at most [\s\S]*STALE/);
  });

  test('control characters in a guard do not reach the terminal', async () => {
    makeHealthy();
    writeFileSync(join(volume, 'safe_guard'), 'evil\u001b[2J');
    const shown = await text(['--guard-value', 'x']);
    expect(shown).not.toContain('\u001b');
    expect(shown).toContain('evil');
  });
});
