/**
 * `hashkv PATH`: the hash by which etcd compares the keys of its members.
 */
import { HashKvJob } from '../../backend/hash-kv.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import { uint64Argument } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { noteUnreadable, runJob, withBackend } from '../open-backend.ts';
import { type Form, hashKvForm } from '../render/etcd-forms.ts';
import { grouped } from '../render/size.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, json, out } = invocation;
  const form = json ? 'json' : (options['write-out'] as Form | undefined);
  const minor = (options['etcd-version'] ?? '3.7') as EtcdMinor;
  const rev = typeof options['rev'] === 'string' ? uint64Argument('--rev', options['rev']) : undefined;
  return withBackend(invocation, async ({ file, path, fields }) => {
    const found = await runJob(invocation, new HashKvJob(file, { revision: rev }));
    const { hash, hashRevision, compactRevision, unreadable } = found;
    if (form === undefined) {
      const compacted = compactRevision < 0n ? 'never compacted' : `compacted at ${grouped(compactRevision)}`;
      out.write(`${hash} at revision ${grouped(hashRevision)}, ${compacted}\n`);
    } else {
      const extra = { schema: 1, path, unreadableRecords: unreadable.count, ...fields };
      out.write(hashKvForm(form, minor, { hash, hashRevision, compactRevision, extra }));
    }
    noteUnreadable(invocation, unreadable);
    return unreadable.count === 0 ? EXIT.done : EXIT.problems;
  });
}
