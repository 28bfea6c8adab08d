/**
 * The commands of `bolt` beside what the real bbolt 1.5.0 answered to the same arguments on the same files.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openBolt } from '../../src/bolt/open.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import {
  listDbFixtures,
  type RecordedCommand,
  readFixture,
  recorded,
  recordedCommands,
  stdoutOf,
} from '../support/fixtures.ts';
import { run } from './run.ts';
import { unpackFixture, workFolder } from './work-files.ts';

const folder = workFolder();
const answered = listDbFixtures().filter((fixture) => recordedCommands(fixture) !== undefined);

/** What must be known of a file to tell where we answer otherwise. */
interface Facts {
  readonly freelistStored: boolean;
  /** A page that the end of the file cuts off: in a snapshot file, the 32 bytes of its hash. */
  readonly cutOff: string;
  /** Meta 1 is the current one and has a greater high water mark than meta 0. */
  readonly meta0Behind: boolean;
}

function factsOf(name: string): Facts {
  const { freelistStored, size, pageSize, metas } = openBolt(memorySource(readFixture(name)));
  const cutOff = size % pageSize === 0 ? 'none' : `${Math.floor(size / pageSize)}`;
  return { freelistStored, cutOff, meta0Behind: metas[1].highWaterMark > metas[0].highWaterMark };
}

/** Our exit code where bbolt answered that; see docs/exit-codes.md and what docs/cli.md says of differences. */
function exitCodeFor({ args, exit, stderr, stdout = '' }: RecordedCommand, { freelistStored, cutOff }: Facts): number {
  const [verb] = args;
  const said = `${stderr}${stdout}`;
  if (args.includes('nonsense')) return 2;
  // No file has so many pages.
  if (verb === 'check' && args.includes('18446744073709551615')) return 2;
  if (/value out of range|invalid syntax|invalid argument/.test(stderr)) return 2;
  if (/unexpected Page id/.test(said) && !args.includes('--all')) return 3;
  // Where no freelist is stored every page out of use is free, and bbolt complains; we check what is below the page.
  if (verb === 'check' && /^(page \d+: reachable freed\n)+\d+ errors found\n$/.test(stdout))
    return freelistStored ? 1 : 0;
  // We print what there is of a page that the end of the file cuts off, but it is no page.
  if (/EOF/.test(said) && args[2] === cutOff) return verb === 'dump' ? 0 : 3;
  // bbolt counts items modulo 65536.
  if (verb === 'page-item' && args.includes('65536')) return 1;
  if (verb === 'page' && /failed: (?!error: invalid value)/.test(stdout)) return 1;
  if (exit === 0) return 0;
  if (/errors found|not found|out of range|leafPageElement|EOF|negative offset/.test(said)) return 1;
  return /doesn't exist/.test(stderr) ? 3 : 2;
}

/** Where we end with 0 as bbolt does, but print something else on purpose. */
function printsOtherwise({ args }: RecordedCommand, { meta0Behind }: Facts): boolean {
  // bbolt leaves pages out.
  return args.includes('--all') && meta0Behind;
}

test('there are recordings to compare with', () => {
  expect(answered.length).toBeGreaterThanOrEqual(6);
});

describe.each(answered.map((fixture) => fixture.name))('%s', (name) => {
  const path = unpackFixture(folder, name);
  const facts = factsOf(name);
  const cases = (recordedCommands(name) ?? []).map((answer) => {
    return [answer.args.map((arg) => arg.slice(0, 40)).join(' '), answer] as const;
  });

  test.each(cases)('%s', async (_, answer) => {
    const args = answer.args.map((arg) => (arg === 'FILE' ? path : arg === 'NOFILE' ? `${path}.not-there` : arg));
    const { code, bytes, stdout, stderr } = await run(['bolt', ...args]);
    expect({ code, stderr }).toEqual({ code: exitCodeFor(answer, facts), stderr });
    if (answer.exit !== 0 || code !== 0) return;
    expect(stderr).toBe('');
    if (printsOtherwise(answer, facts)) return;
    if (answer.stdoutSha256 !== undefined) {
      expect(bytes.length).toBe(answer.stdoutLength);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(answer.stdoutSha256);
    } else if (answer.stdout !== undefined) expect(stdout).toBe(answer.stdout);
    else expect(Buffer.from(bytes).equals(stdoutOf(answer) as Uint8Array)).toBe(true);
  });
});

describe('on every fixture', () => {
  const healthy = listDbFixtures().filter(({ kind }) => kind !== 'surgery');
  test.each(healthy.map(({ name }) => name))('%s', async (name) => {
    const path = unpackFixture(folder, name);
    for (const verb of ['info', 'stats', 'buckets', 'pages', 'check'] as const) {
      const expected = recorded(name, verb);
      if (expected === undefined || expected.exit !== 0) continue;
      const { code, bytes, stderr } = await run(['bolt', verb, path]);
      expect({ verb, code, stderr }).toEqual({ verb, code: 0, stderr: '' });
      if (!Buffer.from(bytes).equals(expected.bytes)) expect(Buffer.from(bytes).toString()).toBe(expected.text);
    }
  });
});
