/**
 * HashKV as the servers compute it, written out plainly: the generations of every key, the set of revisions to keep, then one loop over
 * the bucket. And what a compaction leaves of a bucket, by the rules of old and new releases.
 */
import { parseRevision } from '../../src/backend/revision.ts';
import { crc32c } from '../../src/checksum/crc32c.ts';
import { parseKeyValue } from '../../src/proto/mvcc.ts';

/** A pair of bucket `key`. */
export type Pair = readonly [key: Uint8Array, value: Uint8Array];

interface Rev {
  readonly main: bigint;
  readonly sub: bigint;
}

interface Parsed extends Rev {
  readonly pair: Pair;
  readonly tombstone: boolean;
  readonly userKey: string;
}

function parse(pairs: readonly Pair[]): Parsed[] {
  return pairs.map((pair) => {
    const revision = parseRevision(pair[0]);
    if ('problem' in revision) throw new Error(revision.problem);
    const userKey = Buffer.from(parseKeyValue(pair[1]).key).toString('hex');
    return { main: revision.main, sub: revision.sub, tombstone: revision.tombstone, userKey, pair };
  });
}

const last = <Item>(items: readonly Item[]): Item | undefined => items[items.length - 1];

/** Of each user key a list of generations, each a list of revisions; the last one may be empty. */
function generations(records: readonly Parsed[]): Map<string, Rev[][]> {
  const keys = new Map<string, Rev[][]>();
  for (const { main, sub, tombstone, userKey } of records) {
    if (main < 1n) continue;
    const known = keys.get(userKey);
    const list = known ?? [[]];
    if (known === undefined) keys.set(userKey, list);
    else if (tombstone && last(list)!.length === 0) continue;
    last(list)!.push({ main, sub });
    if (tombstone) list.push([]);
  }
  return keys;
}

/** The hash of `pairs`, which are in order, at `rev`. */
export function plainHashKv(pairs: readonly Pair[], rev: bigint, compact: bigint): number {
  const records = parse(pairs);
  const keep = new Set<string>();
  for (const list of generations(records).values()) {
    let i = 0;
    while (i < list.length - 1 && last(list[i]!)!.main < rev) i++;
    const revs = list[i]!;
    const j = revs.findLastIndex(({ main }) => main <= rev);
    if (j >= 0 && !(j === revs.length - 1 && i < list.length - 1)) keep.add(`${revs[j]!.main}_${revs[j]!.sub}`);
  }
  let crc = crc32c(new TextEncoder().encode('key'));
  for (const { main, sub, tombstone, pair } of records) {
    if (main > rev) continue;
    if (main <= compact && keep.size > 0 && !keep.has(`${main}_${sub}`)) continue;
    if (main === compact && tombstone) continue;
    for (const bytes of pair) crc = crc32c(bytes, 0, bytes.length, crc);
  }
  return crc;
}

/** What a compaction at `at` leaves. `old`: by the rule of 3.4.33, 3.5.15 and earlier. */
export function plainCompaction(pairs: readonly Pair[], at: bigint, old = false): readonly Pair[] {
  const records = parse(pairs);
  const keep = new Set<string>();
  for (const list of generations(records).values()) {
    const reaches = (main: bigint): boolean => (old ? main > at : main >= at);
    const i = list.findIndex((revs, index) => index === list.length - 1 || reaches(last(revs)!.main));
    const revs = list[i]!;
    const j = revs.findLastIndex(({ main }) => main <= at);
    if (j < 0) continue;
    if (old && j === revs.length - 1 && i < list.length - 1) continue;
    keep.add(`${revs[j]!.main}_${revs[j]!.sub}`);
  }
  return records.filter(({ main, sub }) => main > at || keep.has(`${main}_${sub}`)).map(({ pair }) => pair);
}

/** Whether some key is there at `rev`. */
export function plainAnyLive(pairs: readonly Pair[], rev: bigint): boolean {
  const live = new Set<string>();
  for (const { main, tombstone, userKey } of parse(pairs)) {
    if (main > rev || main < 1n) continue;
    if (tombstone) live.delete(userKey);
    else live.add(userKey);
  }
  return live.size > 0;
}
