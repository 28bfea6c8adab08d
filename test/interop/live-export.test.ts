// A bbolt process writes to a file as fast as it can while we export it again and again: what an export gives belongs
// together, or it says that the file has changed; it never speaks of damage.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { BoltBuilder } from '../../src/bolt/build.ts';
import { EntryLines } from '../../src/bolt/entry-lines.ts';
import { exportLines } from '../../src/bolt/export.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { type BoltDb, isDatadirError, openBolt } from '../../src/node.ts';
import { buildGo } from '../support/peers.ts';

const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-live-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const makeBolt = buildGo(new URL('./make-bolt/', import.meta.url), folder, 'make-bolt');

const SECONDS = 2;

/** What came of one export; one that was finished must make a database. */
function exportOnce(file: string): string {
  let db: BoltDb | undefined;
  const lines = new EntryLines();
  const builder = new BoltBuilder(memoryFile());
  try {
    db = openBolt(file);
    const entries = [];
    for (const chunk of exportLines(db)) for (const { entry } of lines.push(chunk)) entries.push(entry);
    for (const entry of entries) builder.add(entry);
    builder.finish();
    return 'finished';
  } catch (error) {
    // The line of the failed export comes before the error itself.
    if (isDatadirError(error, 'LINE_INVALID') && error.message.includes('SOURCE_CHANGED')) return 'changed';
    return `${error}`;
  } finally {
    db?.close();
  }
}

describe.skipIf(makeBolt === undefined)('a file that is being written to', () => {
  it.each(['churn', 'churn-grow'])(
    '%s: a whole export, or one that says it is not',
    { timeout: 60_000 },
    async (kind) => {
      const file = join(folder, `${kind}.db`);
      const writer = spawn(makeBolt as string, [file, kind, '1', '4096', 'map', 'none'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const closed = new Promise((resolve) => writer.on('close', resolve));
      const outcomes: Record<string, number> = {};
      try {
        await new Promise((resolve) => writer.stdout.once('data', resolve));
        for (const end = performance.now() + SECONDS * 1000; performance.now() < end; await setImmediate()) {
          const outcome = exportOnce(file);
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        }
        expect(writer.exitCode).toBe(null);
      } finally {
        writer.stdin.end();
        await closed;
      }
      console.log(`${kind}: ${JSON.stringify(outcomes)}`);
      expect(Object.keys(outcomes).filter((outcome) => outcome !== 'finished' && outcome !== 'changed')).toEqual([]);
      expect(exportOnce(file)).toBe('finished');
    },
  );
});
