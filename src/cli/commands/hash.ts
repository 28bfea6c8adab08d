/**
 * `hash PATH`: the hash of a whole db as a server of some release answers it.
 */
import { type DbHash, DbHashJob } from '../../backend/db-hash.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { runJob, withBackend } from '../open-backend.ts';
import { jsonText } from '../render/json.ts';
import { hashText } from '../render/status.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, json, out } = invocation;
  const etcdVersion = options['etcd-version'] as EtcdMinor | undefined;
  return withBackend(invocation, async ({ file, path, fields }) => {
    try {
      const found = await runJob(invocation, new DbHashJob(file, { etcdVersion }));
      out.write(json ? jsonText({ schema: 1, path, ...hashFields(found), ...fields }) : text(found));
      return EXIT.done;
    } catch (error) {
      const { refuseDamaged } = await import('../refuse-damaged.ts');
      const refused = refuseDamaged(invocation, path, error, 'so it has no hash');
      if (refused === undefined) throw error;
      return refused;
    }
  });
}

function hashFields({ hash, rule, hashes: { everything, byRule } }: DbHash): Record<string, unknown> {
  return { hash, rule, serverHashes: byRule, snapshotStatusHash: everything };
}

function text({ hash, rule, hashes: { everything, byRule } }: DbHash): string {
  return hashText(hash, rule, [
    ['3.4', byRule['3.4']],
    ['3.5', byRule['3.5']],
    ['3.6 and later', byRule['3.6']],
    ['snapshot status', everything],
  ]);
}
