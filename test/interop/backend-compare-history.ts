/**
 * What we read of the past in a file of etcd, beside what was done to that etcd: all versions, the log of changes, the history of
 * every key, and exports.
 */
import { expect } from 'vitest';
import type { BackendFile } from '../../src/backend/backend-file.ts';
import { readChanges } from '../../src/backend/change-log.ts';
import { exportRecords } from '../../src/backend/export-records.ts';
import { readHistory } from '../../src/backend/history.ts';
import type { KeyVersion } from '../../src/backend/key-version.ts';
import type { Answers } from './backend-answers.ts';
import { lineOf } from './backend-compare.ts';
import type { Change, History } from './backend-history.ts';

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Compares all of them. */
export function compareHistory(file: BackendFile, history: History, answers: Answers): void {
  const { current, compacted } = answers;
  const done = history.changes.filter(({ main }) => main <= current);
  const left = stillThere(done, compacted);
  const versions = Array.from(exportRecords(file, { allRevisions: true }), changeOf);
  // Newer releases keep a deletion at the compacted revision itself, older ones do not.
  const isKept = ({ main, deleted }: Change): boolean => !deleted || main !== compacted;
  expect(versions.filter(isKept)).toEqual(left);
  compareLog(file, left, compacted);
  for (const key of new Set(done.map((change) => change.key))) {
    const ours = Array.from(readHistory(file, Buffer.from(key, 'latin1')), changeOf).filter(isKept);
    expect([key, ours]).toEqual([key, left.filter((change) => change.key === key)]);
  }
  for (const revision of [Math.max(1, compacted), Math.floor((compacted + current) / 2), current]) {
    const ours = Array.from(exportRecords(file, { revision: BigInt(revision) }));
    expect(ours).toEqual(ours.toSorted((a, b) => Number(a.modRevision - b.modRevision) || Number(a.sub - b.sub)));
    ours.sort((a, b) => Buffer.compare(a.key, b.key));
    expect([revision, ours.map(lineOf)]).toEqual([revision, answers.states.get(revision)]);
  }
}

/** All changes above the compacted revision; up to it the newest one of each key that was live. */
function stillThere(done: readonly Change[], compacted: number): Change[] {
  const newest = new Map<string, Change>();
  for (const change of done) if (change.main <= compacted) newest.set(change.key, change);
  return done.filter((change) => change.main > compacted || (!change.deleted && newest.get(change.key) === change));
}

function compareLog(file: BackendFile, left: readonly Change[], compacted: number): void {
  const prefix = '/registry/';
  const above = left.filter(({ main }) => main > compacted);
  const revisions = new Set(above.filter(({ key }) => key.startsWith(prefix)).map(({ main }) => main));
  const lines = (changes: readonly Change[]): string[] =>
    changes.map(
      ({ main, sub, key, deleted, create, version, lease, value }) =>
        `${main} ${sub} ${deleted ? 'delete' : 'put'} ${key} ${create} ${version} ${lease} ${value.length}`,
    );
  const ours = (options: { readonly prefix?: Uint8Array; readonly wholeRevisions?: boolean }): string[] =>
    Array.from(
      readChanges(file, { ...options, from: BigInt(Math.max(0, compacted) + 1) }),
      ({ revision, sub, key, type, createRevision, version, lease, valueLength }) =>
        `${revision} ${sub} ${type} ${latin1(key)} ${createRevision} ${version} ${lease} ${valueLength}`,
    );
  expect(ours({})).toEqual(lines(above));
  expect(ours({ prefix: Buffer.from(prefix) })).toEqual(lines(above.filter(({ key }) => key.startsWith(prefix))));
  expect(ours({ prefix: Buffer.from(prefix), wholeRevisions: true })).toEqual(
    lines(above.filter(({ main }) => revisions.has(main))),
  );
}

function changeOf(version: KeyVersion): Change {
  return {
    main: Number(version.modRevision),
    sub: Number(version.sub),
    key: latin1(version.key),
    deleted: version.deleted,
    create: Number(version.createRevision),
    version: Number(version.version),
    lease: version.lease,
    value: latin1(version.value),
  };
}
