/**
 * A transaction: all conditions are judged before anything is done, then the operations of the branches that are taken are checked, then
 * carried out in order, as one revision.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { DecodedMessage } from '../../proto/messages.ts';
import { type Applied, CHANGED, failed, NOTHING_CHANGED, panics } from './applied.ts';
import { allHold } from './compare.ts';
import type { Keyspace } from './keyspace.ts';
import { executePut, keepsSomething, type PutTarget, refusePut } from './put.ts';
import { requestRange } from './request-range.ts';
import { REVISION_COMPACTED, REVISION_FUTURE } from './request-words.ts';

/** A message `RequestOp`: has one of `request_put`, `request_delete_range`, `request_range`, or none, in which case it does nothing. */
type Operation = Partial<Record<string, DecodedMessage>>;

/**
 * The transaction as a replay has it. Up to 3.6 its own read operations are left out, since nobody waits for what they give; those of nested
 * transactions stay. So one that was refused because of such an operation takes effect when it is replayed.
 */
export function replayedTransaction(txn: DecodedMessage, minor: EtcdMinor): DecodedMessage {
  if (minor === '3.7') return txn;
  const writes = (branch: string): readonly Operation[] => operationsOf(txn, branch).filter((each) => !isRange(each));
  return { ...txn, success: writes('success'), failure: writes('failure') };
}

/** Whether `replayedTransaction` leaves something out. */
export function hasOwnRanges(txn: DecodedMessage): boolean {
  return operationsOf(txn, 'success').some(isRange) || operationsOf(txn, 'failure').some(isRange);
}

/** Why a transaction is refused as things are now, in etcd's words; `target` says what it would work on. */
export function refuseTransaction(txn: DecodedMessage, target: PutTarget): string | undefined {
  return refuseOperations(takenOperations(txn, target.keyspace), target);
}

/** Applies a transaction, as it is given. */
export function applyTransaction(txn: DecodedMessage, target: PutTarget): Applied {
  const { keyspace } = target;
  const operations = takenOperations(txn, keyspace);
  const reason = refuseOperations(operations, target);
  if (reason !== undefined) return failed(reason);
  // Only a put that keeps something of its key can make etcd panic, and then nothing must have happened.
  keyspace.begin(operations.some(({ request_put }) => request_put !== undefined && keepsSomething(request_put)));
  for (const { request_put, request_delete_range } of operations) {
    const words = request_put === undefined ? undefined : executePut(request_put, target);
    if (words !== undefined) {
      keyspace.undo();
      return panics(words);
    }
    if (request_delete_range !== undefined) keyspace.deleteRange(requestRange(request_delete_range));
  }
  return keyspace.end() ? CHANGED : NOTHING_CHANGED;
}

/** The operations of the branches that are taken, nested ones in their place. All conditions are judged on what is there now. */
function takenOperations(txn: DecodedMessage, keyspace: Keyspace): readonly Operation[] {
  const taken: Operation[] = [];
  takeBranch(txn, keyspace, taken);
  return taken;
}

/** Not deeper than messages can be decoded. */
function takeBranch(txn: DecodedMessage, keyspace: Keyspace, taken: Operation[]): void {
  const compares = (txn['compare'] as readonly DecodedMessage[] | undefined) ?? [];
  for (const operation of operationsOf(txn, allHold(compares, keyspace) ? 'success' : 'failure')) {
    const { request_txn } = operation;
    if (request_txn === undefined) taken.push(operation);
    else takeBranch(request_txn, keyspace, taken);
  }
}

function refuseOperations(operations: readonly Operation[], target: PutTarget): string | undefined {
  const { keyspace, minor } = target;
  const puts = ({ request_put }: Operation): string | undefined =>
    request_put === undefined ? undefined : refusePut(request_put, target, false);
  const ranges = ({ request_range }: Operation): string | undefined =>
    request_range === undefined ? undefined : refuseRange(request_range, keyspace);
  // Which reason is told if there are several: up to 3.5 that of a put, later the first one.
  const isOld = minor === '3.4' || minor === '3.5';
  const passes = isOld ? [puts, ranges] : [(operation: Operation) => puts(operation) ?? ranges(operation)];
  for (const pass of passes) {
    for (const operation of operations) {
      const reason = pass(operation);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

/** Revision 0 is the current one; a negative one is below any other. */
function refuseRange(range: DecodedMessage, keyspace: Keyspace): string | undefined {
  const revision = (range['revision'] as bigint | undefined) ?? 0n;
  if (revision === 0n) return undefined;
  if (revision > keyspace.currentRevision) return REVISION_FUTURE;
  return revision < keyspace.compactRevision ? REVISION_COMPACTED : undefined;
}

function operationsOf(txn: DecodedMessage, branch: string): readonly Operation[] {
  return (txn[branch] as readonly Operation[] | undefined) ?? [];
}

function isRange({ request_range }: Operation): boolean {
  return request_range !== undefined;
}
