// `check DIR` as a user sees it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { run } from './run.ts';
import { workFolder } from './work-files.ts';

const folder = workFolder();
const made = (name: string, as: string): string => writeDataDir(dataDirFixture(name), join(folder, as));

test('a healthy directory: its parts, how far each has got, and what was examined', async () => {
  const path = made('3.6.14/crash/m1', 'healthy');
  const { code, stdout } = await run(['check', path]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^HEALTHY: no problem was found\n/);
  expect(stdout).toContain('(data-dir, level full)');
  expect(stdout).toContain(
    [
      'for:       etcd 3.6',
      'db:        has entries up to 462, term 2',
      'to apply:  4 entries of the log that the db has not got',
      'snapshots: 51, 102, 153, 204, 255, 306, 357, 410, 462',
      'log:       1 segment, entries 1 to 466 (466)',
    ].join('\n'),
  );
  expect(stdout).toContain('  log: every record: frame, CRC, and the CRC chain from segment to segment\n');
  expect(stdout).toContain('  db: values of buckets meta, cluster and members\n');
  // What each release does with it hangs on more than the log.
  expect(stdout).not.toContain('etcd 3.4, ');
});

test('a missing db: the place, and what to do', async () => {
  const path = made('3.6.14/fresh/m1', 'without-db');
  rmSync(join(path, 'member', 'snap', 'db'));
  const { code, stdout } = await run(['check', path]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^REPAIRABLE: .*\n.*\n\nrepairable: there is a log up to entry 9, but no db: member\/snap has none\n/,
  );
  expect(stdout).toContain('  where:   file member/snap/db\n');
  expect(stdout).toContain('  code:    DIR_DB_MISSING\n');
  expect(stdout).toContain('db:        none\n');
});

test('--etcd-version: another release may refuse it', async () => {
  const path = made('3.4.23/fresh/m1', 'old');
  expect((await run(['check', path])).code).toBe(0);
  const { code, stdout } = await run(['check', path, '--etcd-version', '3.7', '--level', 'sanity', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'data-dir', level: 'sanity', dataDir: { etcdVersion: '3.7' } });
  const full = await run(['check', path, '--etcd-version', '3.7', '--json']);
  expect(full.code).toBe(1);
  const report = JSON.parse(full.stdout) as { verdict: string; findings: { code: string; message: string }[] };
  expect(report.verdict).toBe('refused');
  expect(report.findings[0]).toMatchObject({ code: 'DIR_V2_REQUESTS', file: 'member/wal', severity: 'refuse' });
});

test('--wal-dir, and a directory that is none', async () => {
  const path = made('3.6.14/fresh/m1', 'elsewhere');
  const { code, stdout } = await run(['check', path, '--wal-dir', join(folder, 'no-log')]);
  expect(code).toBe(1);
  expect(stdout).toContain('corrupt: the db has entries up to 9, but there is no log\n');
  expect((await run(['check', join(path, 'member', 'snap')])).code).toBe(0);
  const none = await run(['check', folder]);
  expect(none.code).toBe(3);
});
