/**
 * Data directories of a new cluster without any data (Node): the second of the two phases of a bootstrap. Whoever knows the members can
 * make each member's directory, and the servers then form the cluster without any other discovery.
 */
import { DatadirError } from '../errors.ts';
import { ETCD_MINORS, type EtcdMinor } from '../etcd-version.ts';
import { assertTargetsFree, type NewMembersPlan } from './new-members.ts';
import { Phases } from './phases.ts';
import {
  allMembers,
  type ClusterOptions,
  type CreatedMembers,
  makeMembers,
  type NewMemberOptions,
  type OneMemberOptions,
  oneMember,
} from './restore.ts';
import { BLANK_SOURCE, openRestoreSource, type RestoreSource } from './restore-source.ts';

/** The members of a new cluster, as whoever knows them gives them. */
export type MemberSource = NonNullable<ClusterOptions['initialCluster']>;

/** How a cluster is populated. */
export interface PopulateOptions extends Omit<NewMemberOptions, 'initialCluster'> {
  /** The members, or who tells them: any discovery. */
  readonly initialCluster: MemberSource | (() => MemberSource | Promise<MemberSource>);
  /** A blank db, of `initDb` or of another tool; what it lacks is added. Default: none is needed. */
  readonly db?: string | undefined;
}

/** Releases on which a member that was made as a learner was seen to start, to follow the others, and to be promoted. */
const LEARNERS_SEEN: ReadonlySet<EtcdMinor> = new Set(ETCD_MINORS);

/** Makes the data directory of one member of a new cluster. Throws `USAGE` for members that etcd refuses, in its words. */
export async function populate(options: PopulateOptions & OneMemberOptions): Promise<CreatedMembers> {
  const known = await withMembers(options);
  const { cluster, place } = oneMember(known);
  return populateAt({ cluster, places: [place] }, known, options.db);
}

/** Makes the data directories of all members, each in a folder of its name in the new directory `outDir`. */
export async function populateCluster(outDir: string, options: PopulateOptions): Promise<CreatedMembers> {
  const known = await withMembers(options);
  const { cluster, places } = allMembers(outDir, known);
  return populateAt({ cluster, places, outDir }, known, options.db);
}

async function withMembers<Options extends PopulateOptions>({
  initialCluster,
  ...options
}: Options): Promise<Omit<Options, 'initialCluster'> & { readonly initialCluster: MemberSource }> {
  return {
    ...options,
    initialCluster: typeof initialCluster === 'function' ? await initialCluster() : initialCluster,
  };
}

async function populateAt(
  where: Pick<NewMembersPlan, 'cluster' | 'places' | 'outDir'>,
  options: NewMemberOptions,
  db: string | undefined,
): Promise<CreatedMembers> {
  const { etcdVersion } = options;
  if (where.cluster.members.some(({ isLearner }) => isLearner)) assertLearners(etcdVersion);
  assertTargetsFree(where);
  const phases = new Phases(options, 0);
  const source = db === undefined ? BLANK_SOURCE : await openRestoreSource(db, { skipHashCheck: true }, phases);
  try {
    if (db !== undefined) assertBlank(source, db);
    return await makeMembers(source, where, options, phases);
  } finally {
    source.close();
  }
}

function assertLearners(etcdVersion: EtcdMinor | undefined): void {
  const missing = (etcdVersion === undefined ? ETCD_MINORS : [etcdVersion]).filter(
    (minor) => !LEARNERS_SEEN.has(minor),
  );
  if (missing.length === 0) return;
  throw new DatadirError('USAGE', `a learner cannot be made for ${missing.join(', ')}: add it to the running cluster`);
}

/** With keys in it, it is somebody's data. */
function assertBlank({ kind, revisions: { last, current } }: RestoreSource, path: string): void {
  if (kind !== 'data-dir' && last === null && current === 1n) return;
  throw new DatadirError(
    'EDIT_REFUSED',
    `${path}: not a blank db, there are keys in it (revision ${current}): 'etcd-datadir restore' makes a cluster that has them`,
    { path },
  );
}
