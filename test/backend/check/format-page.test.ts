// The example of docs/formats/backend.md is a whole db: it is healthy, and holds what the page says.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkBackend } from '../../../src/backend/check.ts';
import { BUCKETS, META } from '../../../src/backend/format.ts';
import { hex, makeDb, type Pairs } from '../../support/backend-db.ts';

const page = readFileSync(new URL('../../../docs/formats/backend.md', import.meta.url), 'utf8');

/** Hexadecimal digits are bytes; text is in quotation marks, or JSON. */
function storedIn(text: string): string | Uint8Array {
  if (text.startsWith('"')) return JSON.parse(text) as string;
  return text.startsWith('{') ? text : hex(text);
}

test('the example is a healthy db', async () => {
  const [, block] = /```text\n([\s\S]*?)```/.exec(page)!;
  const buckets: Record<string, (readonly [string | Uint8Array, string | Uint8Array])[]> = {};
  for (const line of block!.trim().split('\n')) {
    const [, bucket, key, value] = /^(\S+)\s+(\S+)\s+(.*)$/.exec(line)!;
    const binary = bucket === 'key' || bucket === 'lease';
    buckets[bucket!] ??= [];
    buckets[bucket!]!.push([binary ? hex(key!) : key!, storedIn(value!)]);
  }
  const report = checkBackend(await makeDb(buckets as Record<string, Pairs>));
  expect(report.findings).toEqual([]);
  expect(report.backend).toMatchObject({
    revision: '14',
    compactRevision: '10',
    keys: 4,
    consistentIndex: '20',
    leases: 1,
  });
});

test('the page names every bucket and every key of meta', () => {
  for (const name of [...BUCKETS, ...Object.values(META)]) expect(page).toContain(`\`${name}\``);
});
