/**
 * `populate [DB]`: data directories of a new cluster without data, from a list of its members.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import { type PopulateOptions, populate, populateCluster } from '../../files/populate.ts';
import { readSmallFile } from '../../files/volume-root.ts';
import { usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { allMembersOption, clusterOptions, memberOptions, runCreation, textOption } from '../new-members.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const [db] = invocation.positionals;
  const options: PopulateOptions = { ...clusterOptions(invocation), ...(await membersOption(invocation)), db };
  const outDir = allMembersOption(invocation);
  if (outDir !== undefined) return runCreation(invocation, db, outDir, () => populateCluster(outDir, options));
  const one = memberOptions(invocation);
  const target = one.dataDir ?? `${one.name ?? 'default'}.etcd`;
  return runCreation(invocation, db, target, () => populate({ ...options, ...one }));
}

/** Who the members are: by `--members` or `--initial-cluster`. */
async function membersOption(
  invocation: Invocation,
): Promise<Pick<PopulateOptions, 'initialCluster' | 'initialClusterToken' | 'learners'>> {
  const text = (name: string): string | undefined => textOption(invocation, name);
  const file = text('members');
  const listed = text('initial-cluster');
  const learner = text('learner');
  const learners = learner === undefined ? [] : [learner];
  const token = text('initial-cluster-token');
  if (file === undefined) {
    return { initialCluster: listed ?? 'default=http://localhost:2380', initialClusterToken: token, learners };
  }
  if (listed !== undefined) throw usageError('--members and --initial-cluster exclude one another');
  const { parseMemberList } = await import('../../membership/member-list.ts');
  const list = parseMemberList(
    await readText(file, invocation),
    (text('etcd-version') as EtcdMinor | undefined) ?? '3.7',
  );
  return {
    initialCluster: list.cluster,
    initialClusterToken: token ?? list.token,
    learners: [...list.learners, ...learners],
  };
}

/** More than any list of members has. */
const MAX_LIST = 1 << 20;

async function readText(path: string, { stdin }: Invocation): Promise<string> {
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  // One byte more than allowed, which the parser then refuses.
  if (path !== '-') return decode(readSmallFile(path, MAX_LIST));
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stdin()) {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_LIST) throw usageError(`the list of members is longer than ${MAX_LIST} bytes`);
  }
  return decode(Buffer.concat(pieces));
}
