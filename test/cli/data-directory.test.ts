/**
 * Commands that read a db, given a whole data directory: the db's answers, how many entries of the log are not in them, and
 * nothing changed.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { readFixture } from '../support/fixtures.ts';
import { logFixture, unpack } from '../support/log-fixtures.ts';
import { run } from './run.ts';
import { workFolder } from './work-files.ts';

const folder = workFolder();

function dataDirectory(name: string): string {
  const path = join(folder, name.replaceAll('/', '-'));
  unpack(logFixture(name), path);
  writeFileSync(join(path, 'member', 'snap', 'db'), readFixture(`etcd/${name}`));
  return path;
}

function stateOf(path: string): unknown[] {
  return readdirSync(path, { withFileTypes: true, recursive: true }).map((entry) => {
    const file = join(entry.parentPath, entry.name);
    const { size, mtimeNs, ctimeNs, mode } = statSync(file, { bigint: true });
    const content = entry.isFile() ? createHash('sha256').update(readFileSync(file)).digest('hex') : undefined;
    return { file, size, mtimeNs, ctimeNs, mode, content };
  });
}

const crash = dataDirectory('3.6.14/crash/m1');
const closed = dataDirectory('3.6.14/busy/m1');
const elsewhere = dataDirectory('3.5.33/crash/m1');
const movedLog = `${elsewhere}-wal`;
renameSync(join(elsewhere, 'member', 'wal'), movedLog);
const before = [crash, closed].map(stateOf);
// Those that write a copy have their own say on the log.
const reading = COMMANDS.filter(({ example }) => example.includes('DB') && !example.includes('OUT'));
const commands = reading.map(({ words, example }) => ({
  name: words.join(' '),
  args: (path: string) => [...words, ...example.map((word) => (word === 'DB' ? path : word))],
}));

test('all commands that read what etcd keeps in the db are there', () => {
  const names = 'status hashkv hash meta get history log export diff du members leases auth alarms';
  expect(commands.map(({ name }) => name).sort()).toEqual(names.split(' ').sort());
});

describe.each(commands)('$name', ({ args }) => {
  test('says how many entries of the log are not in the db', async () => {
    for (const extra of [[], ['--json']]) {
      const { stderr } = await run([...args(crash), ...extra]);
      expect(stderr).toMatch(/the log holds [\d,]+ entries beyond the db/);
    }
  });

  test('looks where the log is said to be', async () => {
    if (args('')[0] === 'diff')
      return expect(COMMANDS.find(({ words }) => words[0] === 'diff')?.options).not.toHaveProperty('wal-dir');
    expect((await run(args(elsewhere))).stderr).not.toContain('beyond the db');
    expect((await run([...args(elsewhere), '--wal-dir', movedLog])).stderr).toMatch(/the log holds [\d,]+ entr/);
  });

  test('says nothing where all of them are', async () => {
    const { code, stderr } = await run(args(closed));
    expect(code).toBe(0);
    expect(stderr).not.toContain('beyond the db');
  });
});

test('nothing was changed', () => {
  expect([crash, closed].map(stateOf)).toEqual(before);
});
