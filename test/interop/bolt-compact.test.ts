/**
 * Compaction beside the real bbolt: the same content, and files that every version of it finds nothing wrong with.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { buildBolt, checkBolt, compactBolt, copyBolt, isDatadirError } from '../../src/node.ts';
import { listContent } from '../support/bolt-content.ts';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { buildGo, findPeer } from '../support/peers.ts';

const VERSIONS = ['1.3.12', '1.4.3', '1.5.0'];
const peers = VERSIONS.flatMap((version) => findPeer(`bbolt-${version}`) ?? []);
const newest = peers.at(-1) as string;
const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-compact-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newName = () => join(folder, `${files++}.db`);

function bbolt(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
}

/** bbolt does not open files shorter than this, not even its own. */
const SHORTEST = 4096;
const fixtures = listDbFixtures().filter(
  (fixture) =>
    (fixture.kind === 'bolt' && readFixture(fixture).length >= SHORTEST) ||
    /^etcd\/[^/]+\/(busy|small)\/m1$/.test(fixture.name),
);

describe.skipIf(peers.length === 0)('every fixture', () => {
  test.each(fixtures.map(({ name }) => name))('%s', { timeout: 120_000 }, async (name) => {
    const source = newName();
    writeFileSync(source, readFixture(name));
    const ours = newName();
    await compactBolt(source, ours, { noSync: true });
    const copied = newName();
    await copyBolt(source, copied, { noSync: true });
    const other = newName();
    await compactBolt(source, other, { noSync: true, pageSize: 2048, fillPercent: 0.5, freelistStored: false });
    for (const program of peers) {
      for (const file of [ours, copied, other]) expect(bbolt(program, 'check', file)).toBe('OK\n');
    }
    // bbolt's own compaction of the source, and of what we made of it.
    const theirs = newName();
    const again = newName();
    const flags = newest.endsWith('1.3.12') ? ['-o'] : ['--no-sync', '-o'];
    bbolt(newest, 'compact', ...flags, theirs, source);
    bbolt(newest, 'compact', ...flags, again, ours);
    const expected = listContent(readFileSync(theirs));
    for (const file of [ours, copied, other, again]) expect(listContent(readFileSync(file))).toEqual(expected);
    for (const file of [source, ours, copied, other, theirs, again]) rmSync(file);
  });
});

describe.skipIf(peers.length === 0)('built files', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  function* entries(keys: number, valueSize: (i: number) => number) {
    for (const name of ['a', 'b', 'c']) {
      yield { bucket: [bytes(name)], sequence: 5n };
      yield { bucket: [bytes(name), bytes('0')] };
      yield { bucket: [bytes(name), bytes('0')], key: bytes('k'), value: bytes('v') };
      for (let i = 0; i < keys; i++) {
        const key = bytes(`k${String(i).padStart(7, '0')}`);
        yield { bucket: [bytes(name)], key, value: new Uint8Array(valueSize(i)).fill(i) };
      }
    }
  }
  test.each([256, 512, 1000, 1024, 4096, 16384, 65536, 1048576])(
    'in pages of %d',
    { timeout: 120_000 },
    async (pageSize) => {
      for (const [keys, size] of [
        [0, () => 0],
        [1, (i: number) => pageSize + i],
        [2000, (i: number) => (i * 31) % 300],
        [40, (i: number) => (i % 7 === 0 ? 300_000 : 10)],
      ] as const) {
        for (const freelistStored of [true, false]) {
          const file = newName();
          const options = { pageSize, freelistStored, fillPercent: keys === 2000 ? 0.7 : 1, noSync: true };
          await buildBolt(file, entries(keys, size), options);
          for (const program of peers) expect(bbolt(program, 'check', file)).toBe('OK\n');
          rmSync(file);
        }
      }
    },
  );
});

const makeBolt = buildGo(new URL('./make-bolt/', import.meta.url), folder, 'make-bolt');

describe.skipIf(makeBolt === undefined)('a file that a bbolt process writes to as fast as it can', () => {
  test.each(['none', 'stored'])('freelist %s: whole, or given up', { timeout: 60_000 }, async (freelist) => {
    const file = newName();
    const writer = spawn(makeBolt as string, [file, 'churn', '1', '4096', 'map', freelist], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const closed = new Promise((resolve) => writer.on('close', resolve));
    const outcomes: Record<string, number> = {};
    const count = (name: string) => {
      outcomes[name] = (outcomes[name] ?? 0) + 1;
    };
    const attempt = async (name: string, make: (target: string) => Promise<unknown>) => {
      const target = newName();
      try {
        await make(target);
        expect(checkBolt(target).verdict).toBe('healthy');
        rmSync(target);
        count(name);
      } catch (error) {
        if (!isDatadirError(error, 'SOURCE_CHANGED')) throw error;
        count(`${name} given up`);
      }
    };
    try {
      await new Promise((resolve) => writer.stdout.once('data', resolve));
      for (const end = performance.now() + 3000; performance.now() < end; ) {
        await attempt('compacted', (target) => compactBolt(file, target, { noSync: true }));
        await attempt('copied', (target) => copyBolt(file, target, { noSync: true }));
      }
      console.log(`freelist ${freelist}: ${JSON.stringify(outcomes)}`);
    } finally {
      writer.stdin.end();
      await closed;
    }
    // At rest both succeed.
    await attempt('compacted at rest', (target) => compactBolt(file, target));
    await attempt('copied at rest', (target) => copyBolt(file, target));
    expect(outcomes).toMatchObject({ 'compacted at rest': 1, 'copied at rest': 1 });
  });
});
