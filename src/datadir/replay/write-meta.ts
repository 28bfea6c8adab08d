/**
 * What a replay changes in bucket `meta`: how far the db has got, who takes part, what was compacted.
 */
import { META } from '../../backend/format.ts';
import { encodeRevision } from '../../backend/revision.ts';
import { compareMinors } from '../../etcd-version.ts';
import { BucketChanges } from '../rewrite/bucket-changes.ts';
import { confStateJson, uint64 } from '../rewrite/meta-values.ts';
import type { ReplayedState } from './outcome.ts';

const encoder = new TextEncoder();

export function metaChanges({ tail, db, last, configuration, parts }: ReplayedState): BucketChanges {
  const changes = new BucketChanges('meta');
  const put = (key: string, value: Uint8Array): void => changes.put(encoder.encode(key), value);
  // 3.4 knows neither of them; a term that is there all the same must belong to the index.
  const isNew = compareMinors(tail.version, '3.5') >= 0;
  if (last !== undefined) {
    put(META.consistentIndex, uint64(last.index));
    if (isNew || db?.bucket('meta')?.get(META.term) !== undefined) put(META.term, uint64(last.term));
  }
  if (configuration !== undefined && isNew) put(META.confState, confStateJson(configuration));
  const { compaction } = parts.keyspace;
  if (compaction !== undefined) {
    const revision = encodeRevision({ main: compaction, sub: 0n });
    put(META.scheduledCompact, revision);
    put(META.finishedCompact, revision);
  }
  return changes;
}
