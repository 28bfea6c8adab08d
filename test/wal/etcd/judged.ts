/**
 * The recorded answers of the real wal packages, fixtures/wal-judged-*.json.gz: for every case of a group and every release
 * the numbers of its answers in a list of lines. test/interop/wal-judge.test.ts makes them.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import { FIXTURES } from '../../support/fixtures.ts';
import { systematicCases } from '../damage/systematic-cases.ts';
import type { JudgedCase } from './answers.ts';
import { edgeCases } from './edge-cases.ts';
import { randomCases } from './random-cases.ts';
import type { RequestCase } from './request-cases.ts';

/** The groups of cases. */
export const GROUPS: Readonly<Record<string, () => Iterable<JudgedCase>>> = {
  systematic: systematicCases,
  edges: edgeCases,
  random: () => randomCases(1, 200),
};

/** Answers by case and release. */
export type Judged = ReadonlyMap<string, Readonly<Partial<Record<EtcdMinor, readonly string[]>>>>;

interface Stored {
  /** Versions that answered. */
  readonly versions: Readonly<Record<string, string>>;
  /** Of the bytes of all cases: other cases need other answers. */
  readonly digest: string;
  readonly lines: readonly string[];
  /** By case: the numbers of lines of each version, in the order of `versions`; one list for all if they are the same. */
  readonly cases: Readonly<Record<string, readonly (readonly number[])[]>>;
}

const fileOf = (group: string): string => join(FIXTURES, `wal-judged-${group}.json.gz`);

/** Tells whether cases are the ones that answers were recorded for. */
export function digestOf(cases: Iterable<JudgedCase>): string {
  const digest = createHash('sha256');
  for (const { id, segments, at = [] } of cases) {
    digest.update(JSON.stringify([id, at.map(({ index, term }) => `${index}/${term}`)]));
    for (const { name, bytes } of segments) digest.update(`${name} ${bytes.length} `).update(bytes);
  }
  return digest.digest('hex');
}

/** The same for payloads of entries. */
export function digestOfRequests(cases: Iterable<RequestCase>): string {
  const digest = createHash('sha256');
  for (const { id, kind, data } of cases) digest.update(`${id} ${kind} ${data.length} `).update(data);
  return digest.digest('hex');
}

/** Name of the group of payloads. */
export const REQUESTS = 'requests';

/** Stores answers; `digest` tells the cases. */
export function storeJudged(
  group: string,
  digest: string,
  judged: Judged,
  versions: Readonly<Record<string, string>>,
): void {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => numbers.get(line) ?? numbers.set(line, numbers.size).size - 1;
  const cases: Record<string, number[][]> = {};
  for (const [id, answers] of judged) {
    const lists = Object.keys(versions).map((minor) => answers[minor as EtcdMinor]!.map(numberOf));
    cases[id] = lists.every((list) => `${list}` === `${lists[0]}`) ? lists.slice(0, 1) : lists;
  }
  const stored: Stored = { versions, digest, lines: [...numbers.keys()], cases };
  writeFileSync(fileOf(group), gzipSync(JSON.stringify(stored), { level: 9 }));
}

/** The recorded answers of a group; throws if its cases are others by now. */
export function readJudged(group: string, digest: string): Judged {
  const stored = JSON.parse(gunzipSync(readFileSync(fileOf(group))).toString()) as Stored;
  if (stored.digest !== digest) {
    throw new Error(
      `the cases of group ${group} have changed: record the answers anew (test/interop/wal-judge.test.ts)`,
    );
  }
  const minors = Object.keys(stored.versions) as EtcdMinor[];
  return new Map(
    Object.entries(stored.cases).map(([id, lists]) => [
      id,
      Object.fromEntries(
        minors.map((minor, i) => [minor, (lists[i] ?? lists[0]!).map((number) => stored.lines[number]!)]),
      ),
    ]),
  );
}
