// Whatever a real etcd left behind is healthy: every stored data directory of every release, after clean stops and kills, restored and
// upgraded ones, with the db of the last commit or an older one. And each is refused by exactly the releases that do not start on it.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createNodeSha256 } from '../../src/checksum/node-sha256.ts';
import { type CheckDirOptions, DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { describeFinding } from '../../src/findings.ts';
import { drain } from '../../src/io/job.ts';
import { check as checkPath } from '../../src/node.ts';
import type { CheckReport, Level } from '../../src/report.ts';
import {
  dataDirFixture,
  dataDirFixtures,
  hasOtherDb,
  openDirFixture,
  writeDataDir,
} from '../support/data-dir-fixtures.ts';
import { DIR_VERSIONS } from '../support/data-dir-recipes.ts';
import { logFixture } from '../support/log-fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const LEVELS: readonly Level[] = ['sanity', 'full', 'deep'];

function check(name: string, options: CheckDirOptions = {}, db?: string): CheckReport {
  using dir = openDirFixture(name, db === undefined ? {} : { db });
  return drain(new DataDirCheckJob(dir, { sha256: createNodeSha256, ...options }));
}

const wordsOf = ({ findings }: CheckReport): string =>
  findings.map((finding) => `${finding.severity} ${finding.code}: ${describeFinding(finding).message}`).join('\n');

function expectHealthy(report: CheckReport): void {
  const above = report.findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
  expect(above, wordsOf(report)).toEqual([]);
  expect(report, wordsOf(report)).toMatchObject({ kind: 'data-dir', verdict: 'healthy' });
}

/**
 * Whether a release refuses a directory for its log: requests of the v2 store that it would have to apply. 3.6 knows those that 3.5
 * and 3.4 write for members and the cluster version (PUT) only. 3.7 knows none; SYNC happens to look to it like a request that does
 * nothing. `etcd-dump-logs` printed what lies behind the newest raft snapshot.
 */
function refusesLog(name: string, target: EtcdMinor): boolean {
  const methods = [
    ...logFixture(name)
      .dumpLogs()
      .matchAll(/\bmethod=([A-Z]+)\b/g),
  ].map(([, method]) => method);
  if (target === '3.7') return methods.some((method) => method !== 'SYNC');
  return target === '3.6' && methods.some((method) => method !== 'PUT');
}

/** 3.4 restores the keys and leaves the old members beside them; from 3.6 on the members of the db count. */
const refusesMembers = (name: string, target: EtcdMinor): boolean =>
  name.startsWith('3.4.23/restored/') && target >= '3.6';

const codesFor = (report: CheckReport, target: EtcdMinor): string[] =>
  report
    .dataDir!.versions.find(({ version }) => version === target)!
    .findings.filter(({ severity }) => severity === 'refuse')
    .map(({ code }) => code);

describe.each(DIR_VERSIONS)('etcd %s', (version) => {
  const names = dataDirFixtures().filter((name) => name.startsWith(`${version}/`));

  const reports = new Map<string, CheckReport>();

  test.each(names)('%s has nothing above info, at each level', (name) => {
    for (const level of LEVELS) {
      const report = check(name, { level });
      reports.set(name, report);
      expectHealthy(report);
      expect(report.level).toBe(level);
      expect(report.dataDir).toMatchObject({ layout: 'member', inUse: false, etcdVersion: version.slice(0, 3) });
    }
  });

  test('also with the db that a kill left', () => {
    const killed = names.filter((name) => hasOtherDb(name, 'killed'));
    expect(killed).toHaveLength(4);
    for (const name of killed) for (const level of LEVELS) expectHealthy(check(name, { level }, 'killed'));
  });

  test('on disk it is the same', async () => {
    const name = `${version}/crash/m1`;
    const path = writeDataDir(dataDirFixture(name), join(temporaryDirectory(), 'data'));
    const onDisk = await checkPath(path, { level: 'deep', worker: false });
    expectHealthy(onDisk);
    const { findings, examined, notExamined, dataDir } = check(name, { level: 'deep' });
    expect(onDisk).toMatchObject({ findings, examined, notExamined, dataDir });
  });

  test.each(names)('%s is refused by the releases that do not start on it', (name) => {
    const report = reports.get(name)!;
    const refusing = ETCD_MINORS.filter((target) => codesFor(report, target).length > 0);
    const expected = ETCD_MINORS.filter(
      (target) => target < version.slice(0, 3) || refusesLog(name, target) || refusesMembers(name, target),
    );
    expect(refusing).toEqual(expected);
  });

  test('asked for, the release decides the verdict', () => {
    for (const scenario of ['busy', 'fresh', 'restored']) {
      const name = `${version}/${scenario}/${scenario === 'restored' ? 'one' : 'm1'}`;
      for (const etcdVersion of ETCD_MINORS) {
        const report = check(name, { level: 'full', etcdVersion });
        const codes = codesFor(report, etcdVersion);
        expect(report.verdict, wordsOf(report)).toBe(codes.length > 0 ? 'refused' : 'healthy');
        expect(report.findings.filter(({ severity }) => severity === 'refuse').map(({ code }) => code)).toEqual(codes);
        expect(report.dataDir?.etcdVersion).toBe(etcdVersion);
      }
    }
  });
});
