/**
 * What an etcd says that was started on a directory, in a plain form that a file keeps; and the same read in a db, to compare. Numbers of
 * 64 bits are decimal text, bytes are base64. What no two starts have in common (term, index) is left out.
 */
import { readAlarms } from '../../src/backend/alarms.ts';
import { readAuth } from '../../src/backend/auth.ts';
import type { BackendFile } from '../../src/backend/backend-file.ts';
import { HashKvJob } from '../../src/backend/hash-kv.ts';
import { leaseReportJob } from '../../src/backend/lease-report.ts';
import { readMembers } from '../../src/backend/members.ts';
import { rangeJob } from '../../src/backend/range.ts';
import { fromKeyRange } from '../../src/backend/range-bounds.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import { drain } from '../../src/io/job.ts';

/** HashKV at a revision. */
export interface SaidHash {
  readonly revision: string;
  readonly hash: number;
  readonly compactRevision: string;
}

/** All keys at a revision: a line each, `key create mod version lease value`. */
export interface SaidKeys {
  readonly revision: string;
  readonly lines: readonly string[];
}

export interface SaidLease {
  readonly id: string;
  readonly ttl: string;
  /** Ascending as text. */
  readonly keys: readonly string[];
}

export interface SaidMember {
  readonly id: string;
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

export interface SaidRole {
  readonly name: string;
  readonly permissions: readonly { readonly type: string; readonly key: string; readonly rangeEnd: string }[];
}

/** Everything. */
export interface SaidAfterRestart {
  readonly revision: string;
  readonly hashes: readonly SaidHash[];
  readonly keys: readonly SaidKeys[];
  /** In order of id as text. */
  readonly leases: readonly SaidLease[];
  readonly alarms: readonly { readonly memberId: string; readonly type: string }[];
  /** In order of id as text. */
  readonly members: readonly SaidMember[];
  /** Null where it was not asked for. */
  readonly users: readonly { readonly name: string; readonly roles: readonly string[] }[] | null;
  /** Without the permissions of `root`: what 3.5 and later say of them is not stored. */
  readonly roles: readonly SaidRole[] | null;
  /** Null where the server has no such method: before 3.5. */
  readonly auth: { readonly enabled: boolean; readonly revision: string } | null;
}

/** Shortest first, then by character: the order of decimal numbers, and any order will do for the rest. */
export const byLength = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** What `said` tells, as the db has it: at the same revisions, and null where it was not asked. */
export function readAsSaid(file: BackendFile, said: SaidAfterRestart): SaidAfterRestart {
  const { users, roles, enabled, revision } = file.read(readAuth);
  const { current } = file.read(readRevisions);
  return {
    revision: `${current}`,
    hashes: said.hashes.map(({ revision: at }) => hashAt(file, at === `${current}` ? undefined : BigInt(at))),
    keys: said.keys.map((asked) => keysAt(file, asked.revision)),
    leases: leasesOf(file),
    alarms: file.read(readAlarms).alarms.map(({ memberId, type }) => ({ memberId: `${memberId}`, type })),
    members: file
      .read(readMembers)
      .members.map(({ id, name, peerUrls, clientUrls, isLearner }) => ({
        id: `${id}`,
        name,
        peerUrls,
        clientUrls,
        isLearner,
      }))
      .sort((a, b) => byLength(a.id, b.id)),
    users: said.users && users.map(({ name, roles: granted }) => ({ name, roles: granted })),
    roles:
      said.roles &&
      roles.map(({ name, permissions }) => ({
        name,
        permissions: permissions.map(({ type, key, rangeEnd }) => ({
          type,
          key: base64(key),
          rangeEnd: base64(rangeEnd),
        })),
      })),
    // A server that finds none stores 1 when it starts.
    auth: said.auth && { enabled, revision: `${revision ?? 1n}` },
  };
}

function hashAt(file: BackendFile, revision: bigint | undefined): SaidHash {
  const { hash, compactRevision, hashRevision } = drain(new HashKvJob(file, { revision }));
  return { revision: `${hashRevision}`, hash, compactRevision: `${compactRevision}` };
}

function keysAt(file: BackendFile, revision: string): SaidKeys {
  const range = fromKeyRange(new Uint8Array(0));
  const { keyValues, unreadable } = drain(rangeJob(file, { ...range, revision: BigInt(revision) }));
  if (unreadable.count > 0) throw new Error(`${unreadable.count} records at revision ${revision} cannot be read`);
  const lines = Array.from(keyValues, ({ key, value, createRevision, modRevision, version, lease }) =>
    [base64(key), createRevision, modRevision, version, lease, base64(value)].join(' '),
  );
  return { revision, lines };
}

function leasesOf(file: BackendFile): SaidLease[] {
  const { leases, missing } = drain(leaseReportJob(file));
  if (missing.length > 0) throw new Error(`keys have leases that are not there: ${missing.map(({ id }) => id)}`);
  return leases
    .map(({ id, ttl, keys }) => ({ id: `${id}`, ttl: `${ttl}`, keys: [...keys].map(base64).sort(byLength) }))
    .sort((a, b) => byLength(a.id, b.id));
}
