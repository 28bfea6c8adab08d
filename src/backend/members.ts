/**
 * Buckets `members` and `members_removed`: who belongs to the cluster, and who did.
 *
 * Servers of 3.6 and later go by these buckets. Those of 3.4 and 3.5 write them too, but go by the log and the `.snap` files.
 */
import type { BoltDb } from '../bolt/database.ts';
import { isDatadirError } from '../errors.ts';
import { parseGoStruct } from '../json/go-struct.ts';
import { scanBucket } from './bucket-scan.ts';
import { compareMajorMinor, parseVersion } from './go-version.ts';
import { type Problem, UnreadableList, type UnreadableValues } from './unreadable.ts';

/** A member. */
export interface Member {
  /** What etcd takes for its id: that of the JSON, or that of the key if the JSON has none. */
  readonly id: bigint;
  /** Empty until it was started for the first time. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  /** Empty until it was started for the first time, and after a restore until it has published them anew. */
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
  /** The key it is stored under: its id in hexadecimal digits. */
  readonly key: string;
  /** The number that the key stands for. */
  readonly keyId: bigint;
  /** The key is spelled as etcd spells it, in lower case without zeros in front: only then can etcd delete the record. */
  readonly canonical: boolean;
}

/** A member that was removed: its id can never be used again. */
export interface RemovedMember {
  readonly id: bigint;
  readonly key: string;
  readonly canonical: boolean;
}

/** The membership as the db has it. */
export interface Members {
  /** Ascending by id, as etcd lists them. */
  readonly members: readonly Member[];
  /** Ids of members that were removed, ascending. */
  readonly removed: readonly bigint[];
  /** Records that are none; they are passed over. */
  readonly unreadable: UnreadableValues;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const HEX = /^0*([0-9a-f]{0,16})$/i;
/** A member has a few URLs. */
const MAX_JSON = 1 << 20;

/** Reads both buckets. Never throws for a bad value. */
export function readMembers(db: BoltDb): Members {
  const members: Member[] = [];
  const removed = new Set<bigint>();
  const unreadable = new UnreadableList();
  const takeMember = (key: Uint8Array, value: Uint8Array): string | undefined => {
    const member = parseMember(key, value);
    if ('problem' in member) return member.problem;
    members.push(member);
    return undefined;
  };
  const takeRemoved = (key: Uint8Array): string | undefined => {
    const member = parseRemovedMember(key);
    if ('problem' in member) return member.problem;
    removed.add(member.id);
    return undefined;
  };
  scanBucket(db, 'members', takeMember, unreadable);
  scanBucket(db, 'members_removed', takeRemoved, unreadable);
  members.sort((a, b) => compareIds(a.id, b.id));
  return { members, removed: [...removed].sort(compareIds), unreadable };
}

/** The first release that goes by the bucket. */
const FIRST_TO_READ = { major: 3, minor: 6 };

/**
 * Whether the servers of a db go by its members, as 3.6 and later do. Told by the storage version, which only those write, or
 * by the version of the cluster: for some seconds a new server has agreed on it and not written the other one.
 */
export function membersCount(storageVersion: string | null, clusterVersion: string | null): boolean {
  return [storageVersion, clusterVersion].some((text) => {
    const version = text === null ? undefined : parseVersion(text);
    return version !== undefined && compareMajorMinor(version, FIRST_TO_READ) >= 0;
  });
}

/** Reads a record of `members`. */
export function parseMember(key: Uint8Array, value: Uint8Array): Member | Problem {
  const stored = parseMemberKey(key);
  if ('problem' in stored) return stored;
  const fields = parseMemberJson(value);
  if ('problem' in fields) return fields;
  return {
    id: fields.id ?? stored.id,
    name: fields.name ?? '',
    peerUrls: fields.peerURLs ?? [],
    clientUrls: fields.clientURLs ?? [],
    isLearner: fields.isLearner ?? false,
    key: stored.key,
    keyId: stored.id,
    canonical: stored.canonical,
  };
}

/** Reads a record of `members_removed`, of which etcd looks at the key only. */
export function parseRemovedMember(key: Uint8Array): RemovedMember | Problem {
  return parseMemberKey(key);
}

function parseMemberKey(key: Uint8Array): RemovedMember | Problem {
  const text = decoder.decode(key);
  const digits = text === '' ? undefined : HEX.exec(text)?.[1];
  if (digits === undefined) return { problem: 'its key is not a 64-bit number in hexadecimal digits' };
  const id = BigInt(`0x${digits === '' ? '0' : digits}`);
  return { id, key: text, canonical: text === id.toString(16) };
}

const MEMBER = {
  id: 'uint64',
  peerURLs: 'strings',
  isLearner: 'bool',
  name: 'string',
  clientURLs: 'strings',
} as const;

type MemberFields = NonNullable<ReturnType<typeof parseGoStruct<typeof MEMBER>>>;

function parseMemberJson(value: Uint8Array): MemberFields | Problem {
  try {
    // A server that reads `null` crashes as soon as it looks at the member.
    return parseGoStruct(value, MEMBER, { maxLength: MAX_JSON }) ?? { problem: 'it is null' };
  } catch (error) {
    if (!isDatadirError(error, 'JSON_INVALID')) throw error;
    return { problem: `it is not the JSON of a member: ${error.message}` };
  }
}

function compareIds(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
