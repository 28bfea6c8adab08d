// Files that simulated crashes leave, before the real `bbolt check`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../support/crash-judge.ts';
import { PAGE_SIZES, simulateCrashes } from '../support/crash-simulation.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { bboltCheck } from './bbolt-check.ts';
import { PEERS } from './bbolt-compare.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const FILES = Number(process.env['ETCD_DATADIR_CRASH_FILES'] ?? 120);
/** One crash of so many is tried. */
const EVERY = 25;

interface Left {
  readonly how: string;
  readonly bytes: Uint8Array;
}

describe.skipIf(PEERS.length === 0)('bbolt check after a crash', () => {
  it.each(PAGE_SIZES)('finds nothing, pages of %i', { timeout: 240_000 }, async (pageSize) => {
    const left: Left[] = [];
    const seen = { torn: 0, other: 0 };
    const { problems } = simulateCrashes({
      seed: SEED + 500,
      pageSize,
      points: (FILES / PAGE_SIZES.length) * EVERY,
      goOnEvery: Number.POSITIVE_INFINITY,
      onPoint: (point, recording) => {
        const chosen = point.metaTorn ? seen.torn++ % 10 === 0 : seen.other++ % EVERY === 0;
        // bbolt opens no file of less than 4096 bytes, and without meta 0 only such with pages of 1024 bytes or more.
        if (!chosen || point.source.size < 4096 || (point.metaTorn && pageSize < 1024)) return;
        left.push({ how: `${recording.name}, ${point.describe()}`, bytes: bytesOf(point.source) });
      },
    });
    expect(problems).toEqual([]);
    const directory = temporaryDirectory();
    const wrong: string[] = [];
    for (const { how, bytes } of left) {
      const file = join(directory, 'db');
      writeFileSync(file, bytes);
      for (const [version, bbolt] of PEERS) {
        const answer = await bboltCheck(bbolt, file);
        if (answer.kind !== 'ok') wrong.push(`bbolt ${version}, ${how}: ${JSON.stringify(answer)}`);
      }
    }
    console.log(
      `bbolt ${PEERS.map(([version]) => version).join(', ')}: ${left.length} crashes, pages of ${pageSize}, seed ${SEED}`,
    );
    expect(wrong).toEqual([]);
    expect(left.length).toBeGreaterThan(0);
  });
});
