/**
 * Looking never changes anything: every command of the table, run on a file, leaves it as it was. A new command is
 * included by itself, through the example in its entry.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { dataDirContent, memoryDir, openDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { readFixture } from '../support/fixtures.ts';
import { execute, NOBODY } from './program.ts';
import { run } from './run.ts';
import { snapFixture, walFixture, workFolder } from './work-files.ts';

const FIXTURE = 'bolt/mixed-1024';
const UNLISTED_FIXTURE = 'bolt/shapes-1024-none';
const DB_FIXTURE = 'etcd/3.6.14/busy/snapshot';
const DIR_FIXTURE = '3.6.14/busy/m1';
const MADE = new Date('2020-01-02T03:04:05Z');
const folder = workFolder();
chmodSync(folder, 0o755);

/** The healthy file, one with a damaged page, one with a damaged meta, one that ends too early. */
const damages: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  healthy: (bytes) => bytes,
  'damaged page': (bytes) => bytes.fill(0xee, 2 * 1024, 20 * 1024),
  'damaged meta': (bytes) => bytes.fill(0xee, 1024, 1100),
  'cut off': (bytes) => bytes.subarray(0, 50 * 1024),
  'not a bolt file': (bytes) => bytes.reverse(),
};

/** What the words of an example stand for. */
const TOKENS = ['FILE', 'UNLISTED', 'DB', 'SNAP', 'WAL', 'DIR'] as const;
type Files = Readonly<Record<(typeof TOKENS)[number], string>>;

function makeFiles(name: string, damage: (bytes: Uint8Array) => Uint8Array): Files {
  const place = join(folder, name.replaceAll(' ', '-'));
  const make = (below: string, file: string, bytes: Uint8Array): string => {
    mkdirSync(join(place, below), { recursive: true });
    const path = join(place, below, file);
    writeFileSync(path, damage(bytes.slice()));
    utimesSync(path, MADE, MADE);
    return path;
  };
  /** A data directory with this damage in each of its files; the segment ends a little behind its last record. */
  const makeDataDir = (): string => {
    const { files, folders } = dataDirContent(DIR_FIXTURE);
    const damaged = [...files].map(([path, { bytes, size }]) => {
      const changed = damage(bytes.slice());
      return [path, { bytes: changed, size: Math.min(size, changed.length + 4096) }] as const;
    });
    return writeDataDir(memoryDir({ files: new Map(damaged), folders }), join(place, 'volume', 'data'));
  };
  const snap = snapFixture();
  const wal = walFixture();
  return {
    FILE: make('listed', 'db', readFixture(FIXTURE)),
    UNLISTED: make('unlisted', 'db', readFixture(UNLISTED_FIXTURE)),
    DB: make('etcd', 'db', readFixture(DB_FIXTURE)),
    SNAP: make('snap', snap.name, snap.bytes),
    WAL: make('wal', wal.name, wal.bytes),
    DIR: makeDataDir(),
  };
}

/** All that must not change, of a file or of all that is in a directory; the time of the last access may. */
function stateOf(path: string): Record<string, unknown> {
  const place = join(path, '..');
  const { mtimeNs: placeMtimeNs } = statSync(place, { bigint: true });
  return { ...stateOfItem(path), names: readdirSync(place), placeMtimeNs };
}

function stateOfItem(path: string): Record<string, unknown> {
  const stat = statSync(path, { bigint: true });
  const { size, mtimeNs, ctimeNs, mode, ino } = stat;
  if (stat.isDirectory()) {
    const items = readdirSync(path).map((name) => [name, stateOfItem(join(path, name))]);
    return { mtimeNs, ctimeNs, mode, ino, items: Object.fromEntries(items) };
  }
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { size, mtimeNs, ctimeNs, mode, ino, sha256 };
}

/** Makes a file, or all that is in a directory, readable by all and writable by nobody; `writable` undoes it. */
function protect(path: string, writable: boolean): void {
  const isDirectory = statSync(path).isDirectory();
  if (isDirectory) {
    chmodSync(path, 0o755);
    for (const name of readdirSync(path)) protect(join(path, name), writable);
  }
  chmodSync(path, isDirectory ? (writable ? 0o755 : 0o555) : 0o444);
}

/** Where commands write to, each time to another file. */
const outputs = join(folder, 'outputs');
mkdirSync(outputs);
chmodSync(outputs, 0o777);
let outputCount = 0;

/** Whose directory DIR is. */
const OWN_MEMBER = `${openDirFixture(DIR_FIXTURE).wal.state.metadata?.nodeId?.toString(16)}`;
/** What the examples end with where all is well, if not with 0: the only member cannot be removed. */
const REFUSED: Readonly<Record<string, { readonly code: number; readonly stderr: unknown }>> = {
  'member remove': { code: 1, stderr: expect.stringContaining('the only one that votes: it cannot be removed') },
};
const endOf = ({ words }: Command): { readonly code: number; readonly stderr: unknown } =>
  REFUSED[words.join(' ')] ?? { code: 0, stderr: '' };

/** The arguments of an example for this file: 261 is the root page of the fixture. */
function argumentsFor(example: readonly string[], path: string): string[] {
  const known: Readonly<Record<string, string>> = {
    FILE: path,
    UNLISTED: path,
    DB: path,
    SNAP: path,
    WAL: path,
    DIR: path,
    ROOT: '261',
    BUCKET: 'mixed',
    KEY: 'mixed/00000000',
    MEMBER: OWN_MEMBER,
    REVISION: '300',
    OUT: join(outputs, `${outputCount++}`),
  };
  return example.map((word) => known[word] ?? word);
}

/** The file that the example of a command is run with. */
function fileFor({ example }: Command, files: Files): string {
  return files[TOKENS.find((token) => example.includes(token)) ?? 'FILE'];
}

const reading = COMMANDS.filter(({ example }) => TOKENS.some((token) => example.includes(token)));

test('every command that takes a file has an example with it', () => {
  const taking = COMMANDS.filter(({ arguments: specs }) =>
    specs.some(({ name, complete, optional }) => complete === 'file' && optional !== true && name !== 'OUT'),
  );
  const names = reading.map(({ words }) => words);
  // Some take it by an option, or may go without.
  expect(names).toEqual(expect.arrayContaining(taking.map(({ words }) => words)));
});

describe.each(Object.keys(damages))('%s', (kind) => {
  const files = makeFiles(kind, damages[kind] as (bytes: Uint8Array) => Uint8Array);

  test.each(reading.map((command) => ({ name: command.words.join(' '), command })))('$name', async ({ command }) => {
    const path = fileFor(command, files);
    const before = stateOf(path);
    for (const extra of [[], ['--json']]) {
      const { code, stderr } = await run([...command.words, ...argumentsFor(command.example, path), ...extra]);
      if (kind === 'healthy') expect({ code, stderr }).toEqual(endOf(command));
      expect({ code, stderr }).not.toMatchObject({ code: 5 });
    }
    expect(stateOf(path)).toEqual(before);
  });
});

describe('a read-only file in a read-only folder, as a user who owns nothing', () => {
  const files = makeFiles('read-only', (bytes) => bytes);
  for (const path of Object.values(files)) protect(join(path, '..'), false);
  afterAll(() => {
    for (const path of Object.values(files)) protect(join(path, '..'), true);
  });

  test.each(reading.map((command) => ({ name: command.words.join(' '), command })))('$name', async ({ command }) => {
    const path = fileFor(command, files);
    const before = stateOf(path);
    const ended = await execute([...command.words, ...argumentsFor(command.example, path)], NOBODY);
    expect(ended).toMatchObject(endOf(command));
    expect(stateOf(path)).toEqual(before);
  });
});

test('an example that takes no file runs too', async () => {
  for (const { words, example } of COMMANDS.filter((command) => !reading.includes(command))) {
    expect((await run([...words, ...argumentsFor(example, '')])).code).toBe(0);
  }
});
