// A bbolt process writes to a file as fast as it can while we check that file again and again: whatever moment a check
// meets, it must not take the writer's work for damage.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { checkBolt, openFileSource } from '../../src/node.ts';
import type { CheckReport } from '../../src/report.ts';
import { buildGo } from '../support/peers.ts';

const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-live-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const makeBolt = buildGo(new URL('./make-bolt/', import.meta.url), folder, 'make-bolt');

const SECONDS = 3;
const PAGE_SIZES = { none: 4096, stored: 1024 };

/** As `checkBolt(file)`; a slow one waits before the first reads, so that the writer gets far between two. */
function checkLive(file: string, slow: boolean): CheckReport {
  if (!slow) return checkBolt(file);
  const source = openFileSource(file);
  let waits = 250;
  try {
    return checkBolt({
      size: source.size,
      readInto: (target, offset) => {
        if (waits-- > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
        return source.readInto(target, offset);
      },
      currentSize: () => source.currentSize?.() ?? source.size,
      close: () => {},
    });
  } finally {
    source.close();
  }
}

describe.skipIf(makeBolt === undefined)('a file that is being written to', () => {
  it.each([
    ['churn', 'none'],
    ['churn', 'stored'],
    ['churn-grow', 'none'],
    ['churn-grow', 'stored'],
  ] as const)('%s, freelist %s: healthy or in use', { timeout: 60_000 }, async (kind, sync) => {
    const file = join(folder, `${kind}-${sync}.db`);
    const writer = spawn(makeBolt as string, [file, kind, '1', `${PAGE_SIZES[sync]}`, 'map', sync], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const closed = new Promise((resolve) => writer.on('close', resolve));
    try {
      await new Promise((resolve) => writer.stdout.once('data', resolve));
      const verdicts: Record<string, number> = {};
      const unexpected: unknown[] = [];
      let slow = false;
      for (const end = performance.now() + SECONDS * 1000; performance.now() < end; ) {
        slow = !slow;
        const report = checkLive(file, slow);
        verdicts[report.verdict] = (verdicts[report.verdict] ?? 0) + 1;
        if (report.verdict !== 'healthy' && report.verdict !== 'in-use') unexpected.push(report.findings.slice(0, 3));
        await setImmediate();
      }
      console.log(`${kind}, freelist ${sync}: ${JSON.stringify(verdicts)}`);
      expect(unexpected.slice(0, 3)).toEqual([]);
      expect(writer.exitCode).toBe(null);
    } finally {
      writer.stdin.end();
      await closed;
    }
    // At rest it is whole.
    expect(checkBolt(file).verdict).toBe('healthy');
    rmSync(file);
  });
});
