/**
 * Which release's schema a db has, by the rules of the releases themselves.
 */
import type { BackendMeta } from './meta.ts';

/** What a db says of its schema. */
export interface StorageVersion {
  /** As etcd 3.6 and later find it: the stored version, or `3.5`; null where they say "missing term information". */
  readonly detected: string | null;
  /** How it was found. */
  readonly by: 'stored' | 'term' | 'nothing';
  /** As 3.4.31 and later releases of 3.4 find it. */
  readonly byEtcd34: string;
}

/** The rules of etcd for a db that stores no version, or one that is none. */
export function detectStorageVersion(meta: BackendMeta): StorageVersion {
  const { storageVersion, consistentIndex, term, confState, unreadable } = meta;
  const hasConfState = confState !== null || unreadable.has('confState');
  const byEtcd34 = storageVersion ?? (hasConfState || (term ?? 0n) > 0n ? '3.5' : '3.4');
  if (storageVersion !== null) return { detected: storageVersion, by: 'stored', byEtcd34 };
  if (consistentIndex !== null && term !== null && term > 0n) return { detected: '3.5', by: 'term', byEtcd34 };
  return { detected: null, by: 'nothing', byEtcd34 };
}
