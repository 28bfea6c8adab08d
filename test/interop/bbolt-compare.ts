/**
 * Puts many files before the real bbolt and before our check, and collects where they contradict each other.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkBolt } from '../../src/bolt/check.ts';
import type { CheckReport } from '../../src/report.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { readFixture } from '../support/fixtures.ts';
import { findPeer } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type Answer, bboltCheck, disagreements, type Tally } from './bbolt-check.ts';
import { DamageMaker } from './damage.ts';

/** Versions of bbolt that are here, with their paths. */
export const PEERS: readonly (readonly [version: string, path: string])[] = ['1.4.3', '1.5.0'].flatMap((version) => {
  const path = findPeer(`bbolt-${version}`);
  return path === undefined ? [] : [[version, path] as const];
});

export interface Case {
  readonly name: string;
  bytes(): Uint8Array;
}

/** Runs all cases, some at a time. Returns what was wrong, with the name of the case. */
export async function compareAll(cases: Iterable<Case>, tally: Tally, parallel: number): Promise<string[]> {
  const directory = temporaryDirectory();
  const wrong: string[] = [];
  const queue = cases[Symbol.iterator]();
  const work = async (lane: number): Promise<void> => {
    const file = join(directory, `db-${lane}`);
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      const bytes = next.value.bytes();
      writeFileSync(file, bytes);
      const report = checkBolt(bytes, { maxFindings: 100_000 });
      for (const [version, path] of PEERS) {
        const answer = await settled(path, file, report, bytes);
        tally.add(version, answer, report, bytes);
        for (const line of disagreements(answer, report, bytes).slice(0, 3))
          wrong.push(`${next.value.name}: ${version}: ${line}`);
      }
    }
    rmSync(file, { force: true });
  };
  await Promise.all(Array.from({ length: parallel }, (_, lane) => work(lane)));
  return wrong;
}

/** 1.4.3 sometimes prints OK, and even ends with 0, before its panic is through: an OK that we contradict is asked for again. */
async function settled(path: string, file: string, report: CheckReport, bytes: Uint8Array): Promise<Answer> {
  let answer = await bboltCheck(path, file);
  for (let i = 0; i < 8 && answer.kind === 'ok' && disagreements(answer, report, bytes).length > 0; i++) {
    answer = await bboltCheck(path, file);
  }
  return answer;
}

/** Without the preallocated end. */
export function trimmed(bytes: Uint8Array): Uint8Array {
  const bolt = new BoltEdit(bytes);
  return bolt.bytes.subarray(0, bolt.at(bolt.highWaterMark));
}

/** With a right freelist stored. */
export function storedFirst(bytes: Uint8Array): Uint8Array {
  const bolt = new BoltEdit(bytes);
  bolt.storeFreelist(bolt.outsideTrees());
  return bolt.bytes;
}

/** Small files of many shapes. bbolt lists what it finds only with a stored freelist, so most of them have one. */
const BASES = [
  'bolt/small-512-stored',
  'bolt/small-512-none',
  'bolt/shapes-512-stored',
  'bolt/shapes-512-none',
  'bolt/shapes-1024-stored',
  'bolt/mixed-1024',
  'bolt/edges-1024',
  'bolt/shapes-2048-stored',
];

/** Randomly damaged files; the name of each tells how to make it again. */
export function* damagedCases(seed: number, count: number): Generator<Case> {
  const makers = new Map<string, DamageMaker>();
  for (let i = 0; i < count; i++) {
    const base = BASES[i % BASES.length] as string;
    let maker = makers.get(base);
    if (maker === undefined) {
      maker = new DamageMaker(readFixture(base));
      makers.set(base, maker);
    }
    const { bytes, what } = maker.make(seed * 1_000_003 + i);
    yield { name: `${base}, seed ${seed}, number ${i}: ${what}`, bytes: () => bytes };
  }
}
