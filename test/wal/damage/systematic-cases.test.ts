import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { systematicCases, systematicLog } from './systematic-cases.ts';

test('systematic cases have ids of their own, and are damaged', () => {
  const seen = new Set<string>();
  const healthy = JSON.stringify(systematicLog().map(({ name, bytes }) => [name, Buffer.from(bytes).toString('hex')]));
  for (const { id, segments } of systematicCases()) {
    expect(seen.has(id), id).toBe(false);
    seen.add(id);
    const text = JSON.stringify(segments.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('hex')]));
    // Zeros behind the last record are what the file ends with anyway, and some records are alike.
    if (!/^(none|zero-from:2:|swap-records:)/.test(id)) expect(text === healthy, id).toBe(false);
  }
  expect(seen.size).toMatchInlineSnapshot(`6196`);
});

// Verdicts of others are stored by id: whoever changes the bytes of a case must have these made again.
test('systematic cases are the same bytes in every run', () => {
  const hash = createHash('sha256');
  for (const { id, segments } of systematicCases()) {
    hash.update(`${id}\n`);
    for (const { name, bytes } of segments) hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  expect(hash.digest('hex')).toMatchInlineSnapshot(
    `"098f1017472638a93eb892739391efa48d59460ec564921ef649ab8f2a0d6585"`,
  );
});
