/**
 * Small logs broken in every way: whatever is made of them is whole, holds nothing that was not there, and, unless a loss was
 * accepted, lacks nothing that the db has applied.
 *
 * ETCD_DATADIR_REPAIR_LOGS sets how many randomly damaged logs are tried, ETCD_DATADIR_SEED which.
 */
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { checkWal } from '../../src/wal/check.ts';
import { planRepair } from '../../src/wal/repair-plan.ts';
import { seededRandom } from '../support/faulty.ts';
import type { SmallSegment } from '../support/small-log.ts';
import { SegmentEdit } from '../support/wal-edit.ts';
import { entriesAbove, expectSound, filesOf, plannedFiles, threeSegments } from './repair-log.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const LOGS = Number(process.env['ETCD_DATADIR_REPAIR_LOGS'] ?? 400);

const whole = threeSegments();
const healthy = entriesAbove(filesOf(whole), 0n);
const known = new Set(healthy);
const LAST = 7n;

const replace = (n: number, change: (bytes: Uint8Array) => Uint8Array): SmallSegment[] =>
  whole.map((segment, i) => (i === n ? { ...segment, bytes: change(segment.bytes.slice()) } : segment));

/** Plans with and without loss; returns both outcomes. */
function tryAll(log: readonly SmallSegment[]): string {
  const before = log.map(({ bytes }) => bytes.slice());
  const outcomes = [false, true].map((acceptLoss) => {
    const files = filesOf(log);
    const plan = planRepair(files, { keepIndex: LAST, acceptLoss, windowSize: 4096 });
    expectSound(plan);
    if (plan.outcome === 'nothing') {
      expect(Number(plan.before.wal?.lastIndex)).toBeGreaterThanOrEqual(Number(LAST));
    }
    if (plan.outcome !== 'repair') return plan.outcome;
    const made = plannedFiles(plan, files);
    const { verdict, wal } = checkWal(made, { windowSize: 4096 });
    expect(['healthy', plan.remaining.length > 0 ? 'repairable' : 'healthy']).toContain(verdict);
    const entries = entriesAbove(made, 0n);
    expect(entries.filter((entry) => !known.has(entry))).toEqual([]);
    if (plan.losses.length === 0) {
      const from = BigInt(wal?.snapshot?.index ?? 0);
      expect(entriesAbove(made, from)).toEqual(entriesAbove(filesOf(whole), from));
    }
    return plan.losses.length === 0 ? 'repair' : 'loss';
  });
  // The input is as it was.
  expect(log.every(({ bytes }, i) => Buffer.compare(bytes, before[i]!) === 0)).toBe(true);
  return outcomes.join('/');
}

describe('one piece of damage', { timeout: 60_000 }, () => {
  for (const [n, { name, bytes }] of whole.entries()) {
    test(`${name} cut at every eleventh byte, its file as long as before or not`, () => {
      for (let at = n; at < bytes.length; at += 11) {
        for (const log of [replace(n, (copy) => copy.subarray(0, at)), replace(n, (copy) => copy.fill(0, at))]) {
          try {
            tryAll(log);
          } catch (error) {
            throw new Error(`cut at ${at}`, { cause: error });
          }
        }
      }
    });

    test(`${name} with a bit flipped in every head of a record, and within its data`, () => {
      for (const { at, end } of new SegmentEdit({ bytes, size: bytes.length }).frames) {
        const places = [0, 1, 7, 8, 9, 10, 11, 17, 18, 24].map((offset) => at + offset);
        for (const place of places.filter((each) => each < end)) {
          for (const bit of [1, 128]) {
            try {
              tryAll(
                replace(n, (copy) => {
                  copy[place]! ^= bit;
                  return copy;
                }),
              );
            } catch (error) {
              throw new Error(`bit ${bit} of byte ${place}`, { cause: error });
            }
          }
        }
      }
    });
  }
});

/** Several pieces of damage of random kinds. */
function damaged(random: () => number): SmallSegment[] {
  const below = (limit: number): number => Math.floor(random() * limit);
  let log = whole.map(({ name, bytes }) => ({ name, bytes: bytes.slice() }));
  for (let left = 1 + below(3); left > 0 && log.length > 0; left--) {
    const n = below(log.length);
    const segment = log[n]!;
    const { length } = segment.bytes;
    const at = below(length);
    switch (below(7)) {
      case 0:
        segment.bytes = segment.bytes.slice(0, at);
        break;
      case 1:
        if (length > 0) segment.bytes[at]! ^= 1 << below(8);
        break;
      case 2:
        segment.bytes.fill(0, at, at + below(1024));
        break;
      case 3:
        segment.bytes.fill(below(256), at, at + below(64));
        break;
      case 4:
        log = log.filter((_, i) => i !== n);
        break;
      case 5:
        segment.name = segment.name.replace(/.(?=-)/, `${below(4)}`);
        break;
      default:
        log.push({
          name: `000000000000000${3 + below(3)}-000000000000000${below(9)}.wal`,
          bytes: new Uint8Array(below(99)),
        });
    }
    log = log.filter(({ name }, i) => log.findIndex((other) => other.name === name) === i);
  }
  return log;
}

test(`random damage, seed ${SEED}`, { timeout: 120_000 }, () => {
  const tally: Record<string, number> = {};
  for (let i = 0; i < LOGS; i++) {
    const seed = SEED * 1_000_003 + i;
    try {
      const outcome = tryAll(damaged(seededRandom(seed)));
      tally[outcome] = (tally[outcome] ?? 0) + 1;
    } catch (error) {
      throw new Error(`random damage, number ${seed}${isDatadirError(error) ? `: ${error.code}` : ''}`, {
        cause: error,
      });
    }
  }
  // Every way out is taken.
  expect(Object.keys(tally).sort()).toEqual(['nothing/nothing', 'refused/loss', 'refused/refused', 'repair/repair']);
});
