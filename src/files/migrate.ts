/**
 * The storage version of a db brought to that of another release, in a copy (Node): what `etcdutl migrate` does.
 */
import { compareMajorMinor, parseVersion } from '../backend/go-version.ts';
import { readMeta } from '../backend/meta.ts';
import { fullVersion, versionOf } from '../backend/own-minor.ts';
import { detectStorageVersion } from '../backend/storage-version.ts';
import type { BoltDb } from '../bolt/database.ts';
import { assertKnownSchema, changeStoredVersion, storedVersionOf } from '../datadir/create/storage-migration.ts';
import type { DataDir } from '../datadir/data-dir.ts';
import { DbChanges } from '../datadir/rewrite/db-changes.ts';
import { startsOf } from '../datadir/start/start.ts';
import { DatadirError } from '../errors.ts';
import { compareMinors, type EtcdMinor } from '../etcd-version.ts';
import { decodeEntryPayload } from '../proto/entry-payload.ts';
import type { Steps } from '../wal/etcd/index.ts';
import { MinimumVersion } from '../wal/minimum-version.ts';
import { type EditCopyOptions, type EditedCopy, type EditInput, editCopy } from './edit-copy.ts';
import type { Phases } from './phases.ts';

/** How it is migrated. */
export interface MigrateOptions extends EditCopyOptions {
  /** Goes on where the data of the target might not understand something. Default false. */
  readonly force?: boolean | undefined;
}

/** What was made. */
export interface Migrated extends EditedCopy {
  /** The storage version before and after; null: none is stored. */
  readonly from: string | null;
  readonly to: string | null;
  readonly notes: readonly string[];
}

/** The oldest release that a storage version leads to. */
const OLDEST: EtcdMinor = '3.5';

/** Copies a db, a snapshot file or a data directory to `target`, with the storage version of `release`. Throws `EDIT_REFUSED`. */
export async function migrate(
  path: string,
  target: string,
  release: EtcdMinor,
  options: MigrateOptions = {},
): Promise<Migrated> {
  const { force = false } = options;
  if (compareMinors(release, OLDEST) < 0) {
    throw new DatadirError('USAGE', `target version "${release}" not supported. Minimal "${OLDEST}"`);
  }
  const to = storedVersionOf(release);
  let from: string | null = null;
  const notes: string[] = [];
  const plan = async ({ db, dir, phases }: EditInput): Promise<DbChanges> => {
    from = readMeta(db).storageVersion;
    // Without it nothing can be said of the steps that lie between, force or not.
    const detected = detectVersion(db);
    try {
      await assertPossible(detected, dir, release, phases);
    } catch (error) {
      if (!force) throw error;
      notes.push(`done all the same, as asked for: ${(error as Error).message}`);
    }
    const changes = new DbChanges({ neededBuckets: ['meta'] });
    changeStoredVersion(changes, to);
    return changes;
  };
  const made = await editCopy(path, target, options, plan, { mayBeRefused: true });
  const start = made.report === null ? undefined : startsOf(made.report).find(({ version }) => version === release);
  if (start !== undefined && start.outcome !== 'starts') {
    const words = start.words === '' ? start.outcome : start.words;
    notes.push(
      `etcd ${release} does not start on it yet (${words}): the storage version is not all that matters; 'etcd-datadir explain' tells more, 'etcd-datadir restore --etcd-version ${release}' makes a new cluster for it`,
    );
  }
  return { ...made, from, to, notes };
}

/** The storage version that the db has, or shows. */
function detectVersion(db: BoltDb): string {
  const { detected } = detectStorageVersion(readMeta(db));
  if (detected !== null) return detected;
  throw refused(
    'missing term information: the db is of 3.4 or older, or nothing was ever committed to it; start a 3.5 on it once',
  );
}

/** As etcdutl has it: the version must be known, and the log must hold nothing that the target does not understand. */
async function assertPossible(
  detected: string,
  dir: DataDir | undefined,
  release: EtcdMinor,
  phases: Phases,
): Promise<void> {
  assertKnownSchema(detected);
  const version = parseVersion(fullVersion(detected));
  if (dir === undefined || version === undefined || compareMajorMinor(version, versionOf(release)) <= 0) return;
  const needed = await phases.runSteps(minimumVersion(dir));
  const minimum = needed === null ? undefined : parseVersion(fullVersion(needed));
  if (minimum === undefined || compareMajorMinor(minimum, versionOf(release)) <= 0) return;
  throw refused(`cannot downgrade storage, WAL contains newer entries: ${needed} is needed to understand the log`);
}

/** What the entries behind the newest snapshot need; null if they tell nothing. */
function* minimumVersion(dir: DataDir): Steps<string | null> {
  const newest = dir.wal.state.validSnapshots.at(-1)?.index ?? 0n;
  const minimum = new MinimumVersion();
  let left = STEP_ENTRIES;
  for (const entry of dir.wal.entries({ after: newest })) {
    minimum.add(decodeEntryPayload(entry));
    if (--left > 0) continue;
    left = STEP_ENTRIES;
    yield;
  }
  return minimum.result;
}

/** Entries that are looked at in a step. */
const STEP_ENTRIES = 256;

function refused(words: string): DatadirError {
  return new DatadirError('EDIT_REFUSED', words);
}
