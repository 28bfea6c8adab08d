/**
 * `meta PATH`: what a db knows of itself: how far it has got, what was compacted, which versions it is of.
 */
import { readCluster } from '../../backend/cluster.ts';
import { readMeta } from '../../backend/meta.ts';
import { readRevisions } from '../../backend/revisions.ts';
import { detectStorageVersion } from '../../backend/storage-version.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withBackend } from '../open-backend.ts';
import { metaFields, metaText } from '../render/backend-meta.ts';
import { jsonText } from '../render/json.ts';
import { unreadableWords } from '../render/unreadable-values.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { json, out, note, block } = invocation;
  return withBackend(invocation, ({ file, path, fields }) => {
    const facts = block(() =>
      file.read((db) => {
        const meta = readMeta(db);
        return {
          meta,
          revisions: readRevisions(db, meta),
          storageVersion: detectStorageVersion(meta),
          cluster: readCluster(db),
        };
      }),
    );
    out.write(json ? jsonText({ schema: 1, path, ...metaFields(facts), ...fields }) : metaText(path, facts));
    const words = unreadableWords(facts.cluster.unreadable);
    if (words !== undefined) note(words);
    return EXIT.done;
  });
}
