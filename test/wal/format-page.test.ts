// The page on the format: its example is what a real etcd wrote, and its links lead somewhere.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { walFindings } from '../../src/wal/findings.ts';
import { logFixture } from '../support/log-fixtures.ts';
import { referenceSegment } from '../support/reference-log.ts';
import { concat } from '../support/wal-edit.ts';

const page = readFileSync(new URL('../../docs/formats/wal.md', import.meta.url), 'utf8');

test('the worked example is the whole log of a member', () => {
  const [, example] = /```hex\n(.*?)```/s.exec(page) ?? [];
  const frames = example!.trim().split('\n');
  const bytes = new Uint8Array(Buffer.from(frames.join(''), 'hex'));
  const [file] = logFixture('3.6.14/restored/one').walFiles;
  expect(Buffer.compare(bytes.subarray(0, file!.bytes.length), file!.bytes)).toBe(0);
  expect(page).toContain(`${(file!.size - bytes.length).toLocaleString('en-US')} zeros follow`);

  const { records, ended } = referenceSegment(concat([bytes, new Uint8Array(8)]));
  expect(ended).toBe('zero');
  const told = [...page.matchAll(/^at (\d+) +(.*?)(?: {2,}|$).*$/gm)];
  expect(told.map(([, at]) => Number(at))).toEqual(records.map(({ offset }) => offset));
  for (const [i, [line]] of told.entries()) {
    const crc = records[i]!.crc;
    expect(line).toContain(crc === 0 ? 'crc 0' : `crc ${crc.toString(16).padStart(8, '0')}`);
  }
  expect(frames.map((frame) => frame.length / 2)).toEqual(
    records.map(({ offset }, i) => (records[i + 1]?.offset ?? bytes.length) - offset),
  );
});

test('findings that it names exist', () => {
  const named = [...page.matchAll(/\[(WAL_\w+)\]\(\.\.\/findings\.md#(\w+)\)/g)];
  expect(named.length).toBeGreaterThan(2);
  for (const [, code, anchor] of named) {
    expect(Object.keys(walFindings)).toContain(code);
    expect(anchor).toBe(code!.toLowerCase());
  }
});
