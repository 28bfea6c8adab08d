/**
 * `bolt stats FILE [PREFIX]`: figures added up over the top-level buckets, in bbolt's words.
 */
import { type DatabaseStats, percentOf } from '../../bolt/stats.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withBolt } from '../open-bolt.ts';
import { jsonText } from '../render/json.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, json, out } = invocation;
  const [path, prefix = ''] = positionals;
  return withBolt(invocation, (db) => {
    const stats = invocation.block(() => db.stats(prefix));
    out.write(json ? jsonText({ schema: 1, path, prefix, ...stats }) : statsText(stats));
    return EXIT.done;
  });
}

function statsText(stats: DatabaseStats): string {
  const share = (part: number, whole: number): string => `${part} (${percentOf(part, whole)}%)`;
  return [
    `Aggregate statistics for ${stats.topLevelBucketN} buckets`,
    '',
    'Page count statistics',
    `\tNumber of logical branch pages: ${stats.branchPageN}`,
    `\tNumber of physical branch overflow pages: ${stats.branchOverflowN}`,
    `\tNumber of logical leaf pages: ${stats.leafPageN}`,
    `\tNumber of physical leaf overflow pages: ${stats.leafOverflowN}`,
    'Tree statistics',
    `\tNumber of keys/value pairs: ${stats.keyN}`,
    `\tNumber of levels in B+tree: ${stats.depth}`,
    'Page size utilization',
    `\tBytes allocated for physical branch pages: ${stats.branchAlloc}`,
    `\tBytes actually used for branch data: ${share(stats.branchInuse, stats.branchAlloc)}`,
    `\tBytes allocated for physical leaf pages: ${stats.leafAlloc}`,
    `\tBytes actually used for leaf data: ${share(stats.leafInuse, stats.leafAlloc)}`,
    'Bucket statistics',
    `\tTotal number of buckets: ${stats.bucketN}`,
    `\tTotal number on inlined buckets: ${share(stats.inlineBucketN, stats.bucketN)}`,
    `\tBytes used for inlined buckets: ${share(stats.inlineBucketInuse, stats.leafInuse)}`,
    '',
  ].join('\n');
}
