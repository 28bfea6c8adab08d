/**
 * The storage version brought to another one offline, beside the real `etcdutl migrate` on a copy: the same version after it, the same refusals.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openDataDir } from '../../src/datadir/data-dir.ts';
import { startsOf } from '../../src/datadir/start/start.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { listDataDir } from '../../src/files/data-dir-folder.ts';
import { type Migrated, migrate } from '../../src/files/migrate.ts';
import { fileLogDirectory } from '../../src/files/wal-directory.ts';
import { openWal } from '../../src/wal/writer.ts';
import { dataDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { observeServer } from '../support/observed-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { encodeFields } from '../support/wal-edit.ts';
import { bucketLines, differingBuckets, metaOf } from './edited-buckets.ts';
import type { LiveEtcd } from './live-etcds.ts';
import { lastEntryOf } from './recluster-live.ts';
import { copyDirectory } from './replay-directory.ts';

/** Etcdutl, and the newest release whose storage it knows. */
export interface MigratingTool {
  readonly program: string;
  readonly minor: EtcdMinor;
}

/** Fields of an entry: its header with the id, and what only tests of etcd write: it says itself from which version on it is understood. */
const HEADER = 100;
const VERSION_TEST = 9900;

/** What came of a migration: the version that is stored then, or why not. */
interface Outcome {
  readonly stored: string | null;
  readonly refusal: string | undefined;
}

/** Every target, with and without force, for a stored directory such as `3.6.14/busy/m1`. Gives a line for each. */
export async function sameMigrations(
  fixture: string,
  tools: readonly MigratingTool[],
  { versionTest }: { readonly versionTest?: string } = {},
): Promise<string[]> {
  const folder = temporaryDirectory();
  const source = writeDataDir(dataDirFixture(fixture), join(folder, 'source'));
  if (versionTest !== undefined) appendVersionTest(source, versionTest);
  const lines: string[] = [];
  for (const target of ETCD_MINORS) {
    for (const force of [false, true]) {
      const name = `${target}${force ? '-forced' : ''}`;
      const ours = await migrateHere(source, join(folder, `ours-${name}`), target, force);
      for (const tool of tools) {
        const theirs = migrateThere(tool, source, join(folder, `theirs-${tool.minor}-${name}`), target, force);
        expect([fixture, tool.minor, name, theirs]).toEqual([fixture, tool.minor, name, expected(ours, theirs, tool)]);
      }
      lines.push(`${fixture} to ${name}: ${ours.refusal ?? ours.stored}`);
    }
  }
  return lines;
}

/**
 * What a tool must come to, by what we do. Ours knows all releases up to the newest; an older tool refuses those that it does not know, and
 * where it is forced writes what it is asked for all the same.
 */
function expected(ours: Outcome, theirs: Outcome, { minor }: MigratingTool): Outcome {
  const unknown = theirs.refusal?.match(/version "(3\.\d)\.0" is not supported/)?.[1];
  if (unknown !== undefined && unknown > minor) return theirs;
  return ours;
}

/** Words that both have in a refusal. */
const REFUSALS = [
  'missing term information',
  'cannot downgrade storage, WAL contains newer entries',
  'not supported. Minimal "3.5"',
  'is not supported',
];

const refusalIn = (words: string): string => REFUSALS.find((each) => words.includes(each)) ?? words;

async function migrateHere(source: string, to: string, target: EtcdMinor, force: boolean): Promise<Outcome> {
  try {
    const { from, to: now, report } = await migrate(source, to, target, { force });
    expect(from).toBe(metaOf(source).storageVersion);
    const { storageVersion } = metaOf(to);
    expect(storageVersion).toBe(now);
    expect(differingBuckets(source, to)).toEqual(from === now ? [] : ['meta']);
    expect(report?.verdict).toBeDefined();
    return { stored: storageVersion, refusal: undefined };
  } catch (error) {
    expect(existsSync(to)).toBe(false);
    return { stored: metaOf(source).storageVersion, refusal: refusalIn((error as Error).message) };
  }
}

function migrateThere(tool: MigratingTool, source: string, to: string, target: string, force: boolean): Outcome {
  copyDirectory(source, to);
  const { status, stderr, stdout } = spawnSync(
    tool.program,
    ['migrate', '--data-dir', to, '--target-version', target, ...(force ? ['--force'] : [])],
    { encoding: 'utf8' },
  );
  const { storageVersion } = metaOf(to);
  if (status === 0) return { stored: storageVersion, refusal: undefined };
  const words = stdout + stderr;
  const unknown = /version "3\.\d\.0" is not supported/.exec(words)?.[0].replaceAll('\\', '');
  return { stored: storageVersion, refusal: unknown ?? refusalIn(words.replaceAll('\\"', '"')) };
}

/** Puts an entry behind the others that needs a version. */
function appendVersionTest(directory: string, version: string): void {
  const { term, index } = lastEntryOf(directory);
  using dir = openDataDir(listDataDir(directory));
  const { vote } = dir.wal.state.hardState!;
  const data = encodeFields([
    { number: HEADER, value: encodeFields([{ number: 1, value: 1n }]) },
    { number: VERSION_TEST, value: encodeFields([{ number: 1, value: new TextEncoder().encode(version) }]) },
  ]);
  const writer = openWal(fileLogDirectory(join(directory, 'member/wal')), { etcdVersion: dir.ownVersion });
  writer.save({ term, vote, commit: index + 1n }, [{ term, index: index + 1n, data }]);
  writer.close();
}

/** Real servers of every release on what was made: each does what the report of the migration says. */
export async function sameStarts(fixture: string, target: EtcdMinor, etcds: readonly LiveEtcd[]): Promise<string[]> {
  const folder = temporaryDirectory();
  const source = writeDataDir(dataDirFixture(fixture), join(folder, 'source'));
  const made: Migrated = await migrate(source, join(folder, 'made'), target);
  const lines: string[] = [];
  for (const { program, minor } of etcds) {
    const copy = join(folder, `started-${minor}`);
    copyDirectory(made.path, copy);
    const { state, said } = await observeServer(program, copy);
    const told = startsOf(made.report!).find(({ version }) => version === minor)!;
    const line = `${fixture} migrated to ${target}, etcd ${minor}: ${state}`;
    expect([line, told.outcome === 'starts' || told.outcome === 'repairs'], said.slice(-2000)).toEqual([
      line,
      state === 'up',
    ]);
    if (minor === target)
      expect(made.notes.some((note) => note.includes('does not start on it yet'))).toBe(state !== 'up');
    lines.push(line);
  }
  expect(bucketLines(made.path).size).toBeGreaterThan(0);
  return lines;
}
