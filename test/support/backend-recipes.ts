/**
 * Ways to damage (or to change without damage) what etcd keeps in a db, in a bolt file that stays well-formed; and ways to damage
 * the sha256 of a snapshot file. Made for `busy` and `auth`. What the real servers do with each is in
 * fixtures/damaged-backend-observed.json (variant 0).
 */
import { BoltEdit, type LeafElement } from './bolt-edit.ts';

export interface BackendRecipe {
  readonly name: string;
  /** What is true of the result, seen from the whole directory. */
  readonly severity: 'healthy' | 'info' | 'repairable' | 'corrupt' | 'refuse';
  /** The least one must look at to see it. */
  readonly needs: 'db' | 'dir' | 'snapshot';
  /** The fixture it is made for. */
  readonly base: 'busy' | 'auth';
  readonly what: string;
  /** The first minor release it makes sense for. */
  readonly since?: '3.5' | '3.6';
  /** Gives a changed copy of `bytes`, and where. Another variant (from 0) moves the damage to another place of the same kind. */
  apply(bytes: Uint8Array, variant: number): Damaged;
}

/** The changed file. `element`: what was changed, as it was before. */
export interface Damaged {
  readonly bytes: Uint8Array;
  readonly element?: LeafElement;
}

type Change = (bolt: BoltEdit, variant: number) => LeafElement | undefined;
type Row = Omit<BackendRecipe, 'needs' | 'base'> & Partial<Pick<BackendRecipe, 'needs' | 'base'>>;

/** Changes bytes in place; `change` gives the element that it changed. */
const edit =
  (change: Change): BackendRecipe['apply'] =>
  (bytes, variant) => {
    const bolt = new BoltEdit(bytes);
    const element = change(bolt, variant);
    if (element === undefined) return { bytes: bolt.bytes };
    const { position, keySize, valueSize } = element;
    const key = bytes.slice(position, position + keySize);
    const value = bytes.slice(position + keySize, position + keySize + valueSize);
    return { bytes: bolt.bytes, element: { ...element, key, value } };
  };

function pick<T>(list: readonly T[], i: number): T {
  const found = list[i % list.length];
  if (found === undefined) throw new Error('the file has no place for this damage');
  return found;
}

const PUT = 17;
const TOMBSTONE = 18;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const write = (bytes: Uint8Array, words: string): void => bytes.set(new TextEncoder().encode(words));
const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** A record of bucket `key` somewhere in the middle. */
function record(bolt: BoltEdit, variant: number, test: (element: LeafElement) => boolean = () => true): LeafElement {
  const records = bolt.entries('key').filter(test);
  return pick(records, Math.floor(records.length / 2) + 7 * variant);
}
const isPut = ({ keySize }: LeafElement): boolean => keySize === PUT;

function entry(bolt: BoltEdit, bucket: string, name: string): LeafElement {
  const found = bolt.entries(bucket).find(({ key }) => text(key) === name);
  if (found === undefined) throw new Error(`there is no ${name} in ${bucket}`);
  return found;
}
/** Changes the value of a key. */
const value = (bucket: string, name: string, change: (bytes: Uint8Array, variant: number) => void): Row['apply'] =>
  edit((bolt, variant) => {
    const found = entry(bolt, bucket, name);
    change(found.value, variant);
    return found;
  });
const setIndex = (change: (index: bigint, variant: number) => bigint): Row['apply'] =>
  value('meta', 'consistent_index', (bytes, variant) =>
    view(bytes).setBigUint64(0, change(view(bytes).getBigUint64(0), variant)),
  );
/** Changes a record of a small bucket. */
const one = (bucket: string, change: (element: LeafElement) => void): Row['apply'] =>
  edit((bolt, variant) => {
    const element = pick(bolt.entries(bucket), variant);
    change(element);
    return element;
  });
const emptied = (name: string): Row['apply'] =>
  edit((bolt) => {
    const { inlineAt, root } = bolt.bucket(name);
    bolt.setU16((inlineAt ?? bolt.at(root)) + 10, 0);
    return undefined;
  });

/** Makes the key of an element longer or shorter by a byte, which its value loses or gets. */
function moveBoundary(bolt: BoltEdit, { element, keySize, valueSize }: LeafElement, by: 1 | -1): void {
  bolt.setU32(element + 8, keySize + by);
  bolt.setU32(element + 12, valueSize - by);
}

const meta: Row[] = [
  {
    name: 'backend-consistent-index-behind',
    severity: 'corrupt',
    needs: 'dir',
    what: 'consistent_index 5: the db claims to be older than the newest raft snapshot, and no .snap.db is there to replace it',
    apply: setIndex((_, variant) => 5n + BigInt(variant)),
  },
  {
    name: 'backend-consistent-index-a-little-behind',
    severity: 'corrupt',
    needs: 'dir',
    what: 'consistent_index lowered by 3, still at or above the newest raft snapshot: three entries will be applied twice',
    apply: setIndex((index, variant) => index - 3n - BigInt(variant)),
  },
  {
    name: 'backend-consistent-index-ahead',
    severity: 'corrupt',
    needs: 'dir',
    what: 'consistent_index is 1000 beyond the last WAL entry: the next writes would be skipped',
    apply: setIndex((index, variant) => index + 1000n + BigInt(variant)),
  },
  {
    name: 'backend-consistent-index-zero',
    severity: 'corrupt',
    needs: 'dir',
    what: 'consistent_index 0',
    apply: setIndex(() => 0n),
  },
  {
    name: 'backend-term-zero',
    severity: 'repairable',
    what: 'the term is 0: never written so, set right by the first commit of a server',
    since: '3.5',
    apply: value('meta', 'term', (bytes) => bytes.fill(0)),
  },
  {
    name: 'backend-compact-finished-future',
    severity: 'corrupt',
    what: 'finishedCompactRev is beyond every record',
    apply: value('meta', 'finishedCompactRev', (bytes, variant) =>
      view(bytes).setBigInt64(0, 100_000n + BigInt(variant)),
    ),
  },
  {
    name: 'backend-compact-scheduled-ahead',
    severity: 'healthy',
    what: 'scheduledCompactRev is 10 above finishedCompactRev: an interrupted compaction, resumed at start',
    apply: value('meta', 'scheduledCompactRev', (bytes) =>
      view(bytes).setBigInt64(0, view(bytes).getBigInt64(0) + 10n),
    ),
  },
  {
    name: 'backend-compact-rev-separator',
    severity: 'corrupt',
    what: 'the separator in finishedCompactRev is not an underscore',
    apply: value('meta', 'finishedCompactRev', (bytes) => bytes.fill(0x20, 8, 9)),
  },
  {
    name: 'backend-storage-version-garbage',
    severity: 'repairable',
    what: 'storageVersion is not a version: set right by a server within seconds',
    since: '3.6',
    apply: value('meta', 'storageVersion', (bytes) => write(bytes, 'x.y.z')),
  },
  {
    name: 'backend-storage-version-newer',
    severity: 'refuse',
    what: 'storageVersion 3.9.0',
    since: '3.6',
    apply: value('meta', 'storageVersion', (bytes) => write(bytes, '3.9.0')),
  },
  {
    name: 'backend-cluster-version-garbage',
    severity: 'corrupt',
    what: 'clusterVersion is not a version',
    apply: value('cluster', 'clusterVersion', (bytes) => write(bytes, 'x.y.z')),
  },
  {
    name: 'backend-cluster-version-newer',
    severity: 'refuse',
    what: 'clusterVersion 3.9.0',
    apply: value('cluster', 'clusterVersion', (bytes) => write(bytes, '3.9.0')),
  },
  {
    name: 'backend-cluster-version-two-older',
    severity: 'info',
    what: 'clusterVersion 3.2.0: no server minds',
    apply: value('cluster', 'clusterVersion', (bytes) => write(bytes, '3.2.0')),
  },
];

const keyspace: Row[] = [
  {
    name: 'backend-revision-key-separator',
    severity: 'corrupt',
    what: 'the separator in a revision key is not an underscore',
    apply: edit((bolt, variant) => {
      const found = record(bolt, variant);
      found.key[8] = 0x60;
      return found;
    }),
  },
  {
    name: 'backend-revision-key-short',
    severity: 'corrupt',
    what: 'a revision key of 16 bytes (its last byte now begins the value)',
    apply: edit((bolt, variant) => {
      const found = record(bolt, variant, isPut);
      moveBoundary(bolt, found, -1);
      return found;
    }),
  },
  {
    name: 'backend-tombstone-mark',
    severity: 'corrupt',
    what: 'the last byte of a tombstone key is x, not t',
    apply: edit((bolt, variant) => {
      const found = record(bolt, variant, ({ keySize }) => keySize === TOMBSTONE);
      found.key[17] = 0x78;
      return found;
    }),
  },
  {
    name: 'backend-put-made-tombstone',
    severity: 'corrupt',
    what: 'a put record became a tombstone key, its value kept',
    apply: edit((bolt, variant) => {
      const found = record(bolt, variant, isPut);
      moveBoundary(bolt, found, 1);
      bolt.bytes[found.position + 17] = 0x74;
      return found;
    }),
  },
  {
    name: 'backend-revision-order',
    severity: 'corrupt',
    what: 'a record in the middle carries a revision beyond the end: keys of the bucket are out of order',
    apply: edit((bolt, variant) => {
      const found = record(bolt, variant);
      view(found.key).setUint32(0, 1);
      return found;
    }),
  },
  {
    name: 'backend-revision-jump-last',
    severity: 'corrupt',
    what: 'the last record carries its revision + 2^48: order is fine, mod_revision inside disagrees',
    apply: edit((bolt) => {
      const found = bolt.entries('key').at(-1)!;
      view(found.key).setUint16(1, 0x0100);
      return found;
    }),
  },
  {
    name: 'backend-record-garbage',
    severity: 'corrupt',
    what: 'the value of a record is not a KeyValue message (starts with 0xff bytes)',
    apply: edit((bolt, variant) => {
      const found = record(bolt, variant, ({ valueSize }) => valueSize > 8);
      found.value.fill(0xff, 0, 6);
      return found;
    }),
  },
  {
    name: 'backend-record-mod-revision',
    severity: 'corrupt',
    what: 'mod_revision inside a record disagrees with its key',
    apply: edit((bolt, variant) => {
      const found = record(bolt, variant, isPut);
      // Behind the user key, whose length is one byte, and the revision of creation.
      const at = found.value.indexOf(0x18, 2 + found.value[1]!);
      found.value[at + 1]! ^= 1;
      return found;
    }),
  },
  {
    name: 'backend-record-key-changed',
    severity: 'corrupt',
    what: 'one bit of the user key in a record is flipped: another key, whose version and create_revision do not fit its history',
    apply: edit((bolt, variant) => {
      const found = record(bolt, variant, (element) => isPut(element) && element.valueSize > 20);
      found.value[3]! ^= 0x20;
      return found;
    }),
  },
];

const others: Row[] = [
  {
    name: 'backend-lease-garbage',
    severity: 'corrupt',
    what: 'the value of a lease is not a Lease message',
    apply: one('lease', (lease) => void lease.value.fill(0xff)),
  },
  {
    name: 'backend-lease-id-mismatch',
    severity: 'corrupt',
    what: 'a lease is stored under another id: it can be revoked, but its record stays and it is back after a restart',
    apply: one('lease', (lease) => void lease.key[7]!--),
  },
  {
    name: 'backend-lease-bucket-emptied',
    severity: 'repairable',
    what: 'no leases, but records still refer to one: every key is there, those with a lease never expire',
    apply: emptied('lease'),
  },
  {
    name: 'backend-member-json-broken',
    severity: 'corrupt',
    what: 'a member record is not JSON',
    apply: one('members', (member) => write(member.value, 'x')),
  },
  {
    name: 'backend-member-id-mismatch',
    severity: 'corrupt',
    what: 'a member is stored under another id',
    apply: one('members', ({ key }) => void key.fill(key[0] === 0x31 ? 0x32 : 0x31, 0, 1)),
  },
  {
    name: 'backend-members-emptied',
    severity: 'corrupt',
    needs: 'dir',
    what: 'bucket members is empty',
    apply: emptied('members'),
  },
  {
    name: 'backend-bucket-key-renamed',
    severity: 'corrupt',
    what: 'bucket key is called kez: no key bucket',
    apply: edit((bolt) => {
      bolt.bucket('key').item.key[2] = 0x7a;
      return undefined;
    }),
  },
  {
    name: 'backend-bucket-meta-emptied',
    severity: 'corrupt',
    what: 'bucket meta is empty',
    apply: emptied('meta'),
  },
  {
    name: 'backend-auth-user-garbage',
    base: 'auth',
    severity: 'corrupt',
    what: 'a user record is not a User message',
    apply: one('authUsers', (user) => void user.value.fill(0xff, 0, 4)),
  },
  {
    name: 'backend-auth-role-garbage',
    base: 'auth',
    severity: 'corrupt',
    what: 'a role record is not a Role message',
    apply: one('authRoles', (role) => void role.value.fill(0xff, 0, 4)),
  },
  {
    name: 'backend-auth-revision-short',
    base: 'auth',
    severity: 'corrupt',
    what: 'authRevision has 7 bytes',
    apply: edit((bolt) => {
      const found = entry(bolt, 'auth', 'authRevision');
      bolt.setU32(found.element + 12, 7);
      return found;
    }),
  },
];

const changed = (change: (bytes: Uint8Array, variant: number) => Uint8Array): Row['apply'] => {
  return (bytes, variant) => ({ bytes: change(bytes.slice(), variant) });
};
function flipped(bytes: Uint8Array, at: number): Uint8Array {
  bytes[at]! ^= 1;
  return bytes;
}
const PAGE = 4096;

/** For the snapshot file of the same fixture. */
const snapshots: Row[] = [
  {
    name: 'snapshot-trailer-wrong',
    severity: 'corrupt',
    what: 'one bit of the sha256 trailer is flipped',
    apply: changed((bytes, variant) => flipped(bytes, bytes.length - 1 - variant)),
  },
  {
    name: 'snapshot-trailer-missing',
    severity: 'repairable',
    what: 'the 32-byte trailer is cut off: a plain db file',
    apply: changed((bytes) => bytes.slice(0, -32)),
  },
  {
    name: 'snapshot-trailer-cut',
    severity: 'corrupt',
    what: 'half of the trailer is gone',
    apply: changed((bytes) => bytes.slice(0, -16)),
  },
  {
    name: 'snapshot-body-flip',
    severity: 'corrupt',
    what: 'one bit of a page is flipped, so the trailer no longer fits',
    apply: changed((bytes, variant) => flipped(bytes, 5 * PAGE + 2000 + variant * PAGE)),
  },
  {
    name: 'snapshot-truncated',
    severity: 'corrupt',
    what: 'cut to half or less',
    apply: changed((bytes, variant) => bytes.slice(0, Math.floor(bytes.length / (2 + variant)))),
  },
  {
    name: 'snapshot-appended',
    severity: 'corrupt',
    what: '512 bytes more behind the trailer',
    apply: changed((bytes) => Uint8Array.from([...bytes, ...new Uint8Array(512).fill(1)])),
  },
  {
    name: 'snapshot-empty',
    severity: 'corrupt',
    what: 'zero bytes',
    apply: changed(() => new Uint8Array(0)),
  },
];

export const backendRecipes: readonly BackendRecipe[] = [
  ...[...meta, ...keyspace, ...others].map((row) => ({ base: 'busy', needs: 'db', ...row }) as const),
  ...snapshots.map((row) => ({ base: 'busy', ...row, needs: 'snapshot' }) as const),
];
