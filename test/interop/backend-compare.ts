/**
 * What we read in a file of etcd, beside what the running etcd said.
 */
import { expect } from 'vitest';
import { readAlarms } from '../../src/backend/alarms.ts';
import { readAuth } from '../../src/backend/auth.ts';
import type { BackendFile } from '../../src/backend/backend-file.ts';
import { checkBackend } from '../../src/backend/check.ts';
import { hashRule } from '../../src/backend/db-hash.ts';
import { HashKvJob } from '../../src/backend/hash-kv.ts';
import { LeaseAttachmentsJob } from '../../src/backend/lease-attachments.ts';
import { readLeases } from '../../src/backend/leases.ts';
import { readMembers } from '../../src/backend/members.ts';
import { readMeta } from '../../src/backend/meta.ts';
import { rangeJob } from '../../src/backend/range.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import { StatusJob } from '../../src/backend/status.ts';
import { detectStorageVersion } from '../../src/backend/storage-version.ts';
import { isDatadirError } from '../../src/errors.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import type { ByteSource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import type { KeyValue } from '../../src/proto/mvcc.ts';
import type { Answers, AskedHash, AskedRange } from './backend-answers.ts';
import { gatewayLine, type History, keyValueLine } from './backend-history.ts';
import { everything, type RangeRequest } from './backend-requests.ts';

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** The result, or the words of an error. */
function attempt<Result>(read: () => Result): { readonly result?: Result; readonly error?: string } {
  try {
    return { result: read() };
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return { error: error.message };
  }
}

export function compareMembership(file: BackendFile, answers: Answers): void {
  const { members, removed } = file.read(readMembers);
  expect(removed).toEqual(answers.removed);
  expect(
    members.map(({ id, name, peerUrls, clientUrls, isLearner }) => ({ id, name, peerUrls, clientUrls, isLearner })),
  ).toEqual(answers.members);
  expect(file.read(readAlarms).alarms).toEqual(answers.alarms);
  const { users, roles } = file.read(readAuth);
  expect(users.map(({ name, roles: its }) => ({ name, roles: its }))).toEqual(answers.users);
  expect(
    roles.map(({ name, permissions }) => ({
      name,
      permissions: permissions.map(({ type, key, rangeEnd }) => ({
        type,
        key: latin1(key),
        rangeEnd: latin1(rangeEnd),
      })),
    })),
  ).toEqual(answers.roles);
  if (answers.storageVersion !== undefined) {
    expect(detectStorageVersion(file.read(readMeta)).detected).toBe(answers.storageVersion);
  }
}

export function compareLeases(file: BackendFile, answers: Answers): void {
  const { byLease } = drain(new LeaseAttachmentsJob(file));
  const { leases } = file.read(readLeases);
  expect(leases.map(({ id, ttl }) => ({ id, ttl, keys: [...(byLease.get(id) ?? [])].map(latin1) }))).toEqual(
    answers.leases,
  );
  expect([...byLease.keys()].filter((id) => !leases.some((lease) => lease.id === id))).toEqual([]);
}

export function compareHashes(file: BackendFile, hashes: readonly AskedHash[]): void {
  for (const { revision, hash, compactRevision, error } of hashes) {
    const ours = attempt(() => drain(new HashKvJob(file, { revision: BigInt(revision) })));
    expect([revision, ours.error]).toEqual([revision, error]);
    if (ours.result !== undefined) {
      expect(ours.result).toMatchObject({ hash, compactRevision, hashRevision: BigInt(revision) });
    }
  }
}

/** A range with any options: the same keys and values in the same order, or the same error. */
export function compareRange(
  file: BackendFile,
  { range, lines, count, more, error }: AskedRange,
  minor: EtcdMinor,
): void {
  // 3.7 answers what it can without reading the records, which alone know the lease.
  const knowsLeases = minor !== '3.7' || !range.keysOnly || range.sortBy === 'value';
  const ours = attempt(() => answerRange(file, range, knowsLeases));
  expect([range, ours.error]).toEqual([range, error]);
  if (ours.result === undefined) return;
  expect([range, ours.result.count, ours.result.more]).toEqual([range, count, more]);
  if (range.sortBy === 'key') expect([range, ours.result.lines]).toEqual([range, lines]);
  else {
    // A server promises no order among those with the same number, and so not which of them a limit cuts off.
    const inOrder = range.sortBy === 'value' && range.keysOnly ? () => '' : sortedBy(range.sortBy);
    expect([range, ours.result.lines.map(inOrder)]).toEqual([range, lines.map(inOrder)]);
    if (range.limit === 0) expect([range, ours.result.lines.toSorted()]).toEqual([range, lines.toSorted()]);
  }
}

const FIELDS = { key: 0, create: 1, modify: 2, version: 3, value: 5 } as const;

const sortedBy =
  (target: RangeRequest['sortBy']) =>
  (line: string): string =>
    line.split(' ')[FIELDS[target]] ?? '';

/** What is read at a range; without `leases` as if keys had none. */
function answerRange(
  file: BackendFile,
  range: RangeRequest,
  leases = true,
): { readonly lines: readonly string[]; readonly count: number; readonly more: boolean } {
  // Buffers, as programs pass them.
  const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  const { keyValues, count, more } = drain(
    rangeJob(file, {
      key: bytes(range.key),
      rangeEnd: bytes(range.end),
      revision: BigInt(range.revision),
      limit: range.limit,
      sortBy: range.sortBy,
      order: range.order === 'none' ? undefined : range.order,
      keysOnly: range.keysOnly,
      countOnly: range.countOnly,
      minModRevision: BigInt(range.minMod),
      maxModRevision: BigInt(range.maxMod),
      minCreateRevision: BigInt(range.minCreate),
      maxCreateRevision: BigInt(range.maxCreate),
    }),
  );
  return { lines: Array.from(keyValues, (kv) => lineOf(leases ? kv : { ...kv, lease: 0n })), count, more };
}

/** As `gatewayLine` has it. */
export function lineOf({ key, value, createRevision, modRevision, version, lease }: KeyValue): string {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  return keyValueLine({
    key: base64(key),
    create: createRevision,
    mod: modRevision,
    version,
    lease,
    value: base64(value),
  });
}

/** Every key at every revision that can be read: what the server said, what was done, and what we read. */
export function compareStates(file: BackendFile, history: History, { current, states }: Answers): void {
  for (const [revision, lines] of history.states(1)) {
    if (revision > current) break;
    const asked = states.get(revision);
    if (asked === undefined) continue;
    expect([revision, asked]).toEqual([revision, lines]);
    expect([revision, answerRange(file, everything(revision)).lines]).toEqual([revision, asked]);
  }
}

/** The ranges that were answered while it was written to, as far as they can still be read. */
export function compareEarlierRanges(
  file: BackendFile,
  history: History,
  { current, compacted }: Answers,
  minor: EtcdMinor,
): void {
  for (const { range, answer } of history.ranges) {
    const revision = Number(answer.header.revision);
    if (revision < compacted || revision > current) continue;
    const { kvs = [], count = 0, more = false } = answer;
    const asked = { range: { ...range, revision }, lines: kvs.map(gatewayLine), count: Number(count), more };
    compareRange(file, { ...asked, error: undefined }, minor);
  }
}

/** Nothing that a server wrote is found fault with; `source` must be at rest. */
export function compareCheck(source: ByteSource): void {
  const { findings, verdict } = checkBackend(source);
  expect([verdict, findings.filter(({ severity }) => severity !== 'info')]).toEqual(['healthy', []]);
}

/** Everything but the keys one by one: revisions, hashes, numbers. */
export function compareStatus(file: BackendFile, answers: Answers, minor: EtcdMinor): void {
  const { current, compacted } = answers;
  expect(file.read(readRevisions)).toMatchObject({
    current: BigInt(current),
    compact: BigInt(compacted),
    compactionPending: false,
  });
  const { hashes, totalKey, findings } = drain(new StatusJob(file));
  expect(findings).toEqual([]);
  expect(hashes.byRule[hashRule(minor)]).toBe(answers.hash);
  expect(totalKey).toBe(answers.states.get(current)?.length);
}
