import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readFixture } from '../support/fixtures.ts';
import { type LogFile, logFixture, writeSparse } from '../support/log-fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { SegmentEdit } from '../support/wal-edit.ts';
import { FIRST, SECOND, THIRD, threeSegments } from '../wal/repair-log.ts';
import { type Ran, run } from './run.ts';

const fixture = logFixture('3.6.14/busy/m1');
const segment = fixture.walFiles.find(({ name }) => name.endsWith('.wal')) as LogFile;
const { frames, end } = new SegmentEdit(segment);
const NAME = segment.name;

let folder: string;
let data: string;
let target: string;

beforeEach(() => {
  folder = temporaryDirectory();
  data = join(folder, 'data');
  target = join(folder, 'new');
});

/** A data directory as etcd 3.6 left it, but for the bytes of its segment. */
function dataDirectory(bytes: Uint8Array, size = bytes.length): string {
  mkdirSync(join(data, 'member/wal'), { recursive: true });
  mkdirSync(join(data, 'member/snap'));
  writeSparse(join(data, 'member/wal', NAME), bytes, size);
  writeFileSync(join(data, 'member/snap/db'), readFixture('etcd/3.6.14/busy/m1'));
  for (const { name, bytes: snap } of fixture.snapFiles) writeFileSync(join(data, 'member/snap', name), snap);
  return data;
}
const torn = (): string => dataDirectory(segment.bytes.slice(0, frames.at(-1)!.at + 12));
const json = ({ stdout }: Ran): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

describe('wal repair', () => {
  test('cuts off a torn last write, and says what it did', async () => {
    const { code, stdout, stderr } = await run(['wal', 'repair', torn(), '-o', target]);
    expect(code).toBe(0);
    const at = frames.at(-1)!.at;
    expect(stdout.split('\n')).toEqual([
      'REPAIRED: the new log is whole, and nothing is missing that was acknowledged',
      `${join(data, 'member/wal')} -> ${target}`,
      'the db has applied entries up to 380',
      'left out:',
      `  ${NAME} from byte ${at.toLocaleString('en')} (0x${at.toString(16)}) on: a write that was not finished; 12 bytes, no readable record`,
      'new log:',
      expect.stringMatching(/^ {2}healthy: 1 segment, entries 1 to 380, commit 379, term 2, newest snapshot at \d+$/),
      '  etcd 3.4, 3.5, 3.6, 3.7: starts on it',
      '',
    ]);
    expect(stderr).toBe(
      `etcd-datadir: to use it, with etcd stopped: move ${join(data, 'member/wal')} elsewhere, then ${target} to its place\n`,
    );
    expect(readdirSync(target)).toEqual([NAME]);
    expect(readdirSync(folder).sort()).toEqual(['data', 'new']);
    expect((await run(['wal', 'check', target])).code).toBe(0);
  });

  test('--json tells the same as data', async () => {
    const report = json(await run(['wal', 'repair', torn(), '-o', target, '--json']));
    expect(report).toMatchObject({
      schema: 1,
      path: data,
      output: target,
      outcome: 'repaired',
      directory: join(data, 'member/wal'),
      keepIndex: '380',
      reasons: [],
      losses: [],
      removed: [{ segment: NAME, reason: 'torn', offset: frames.at(-1)!.at, bytes: 12, records: 0 }],
      segments: [{ name: NAME, from: NAME, start: 0, end: frames.at(-1)!.at }],
      notCopied: [],
      remaining: [],
      needsSnapFile: null,
      before: { verdict: 'repairable', findings: [{ code: 'WAL_TORN_TAIL', message: expect.any(String) }] },
      check: { verdict: 'healthy', path: target, wal: { lastIndex: '380' } },
    });
  });

  test('says that there is nothing to repair', async () => {
    dataDirectory(segment.bytes, segment.size);
    const { code, stdout, stderr } = await run(['wal', 'repair', data, '-o', target]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      `NOTHING TO REPAIR: the log is healthy\n${join(data, 'member/wal')}\nthe db has applied entries up to 380\n`,
    );
    expect(existsSync(target)).toBe(false);
  });

  test('refuses a loss, and names it', async () => {
    const bytes = segment.bytes.slice();
    const middle = frames.filter(({ type }) => type === 2)[200]!;
    bytes[middle.dataAt! + 10]! ^= 1;
    dataDirectory(bytes, segment.size);
    const { code, stdout, stderr } = await run(['wal', 'repair', data, '-o', target]);
    expect(code).toBe(1);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('REFUSED: nothing was written');
    expect(lines.slice(3, 9)).toEqual([
      'because:',
      expect.stringMatching(/^ {2}.*everything from here on is lost \(WAL_RECORD_CRC\)$/),
      expect.stringMatching(/^ {2}\d+ good records .* among them entries 202 to 380 \(179\) of term 2$/),
      '  entries up to 380 were committed, and the log would end with entry 200: acknowledged writes are lost',
      expect.stringMatching(/^ {2}the db has applied entries up to 380, and the log would end with entry 200/),
      'found:',
    ]);
    expect(stderr).toContain('--accept-loss');
    expect(readdirSync(folder)).toEqual(['data']);

    const accepted = await run(['wal', 'repair', data, '-o', target, '--accept-loss']);
    expect(accepted.code).toBe(0);
    expect(accepted.stdout).toMatch(/^REPAIRED WITH LOSS: .*\n.*\n.*\nlost:\n {2}.*WAL_RECORD_CRC/);
    expect((await run(['wal', 'check', target])).code).toBe(0);
  });

  test('refuses a log that is shorter than what the db has applied', async () => {
    dataDirectory(segment.bytes.slice(0, frames.at(-6)!.at));
    const refused = await run(['wal', 'repair', data, '-o', target, '--json']);
    expect(refused.code).toBe(1);
    expect(json(refused)).toMatchObject({
      outcome: 'refused',
      output: null,
      reasons: [{ code: 'APPLIED', keepIndex: '380', message: expect.any(String) }],
      check: null,
    });
    const without = await run(['wal', 'repair', data, '-o', target, '--without-db']);
    expect(without.code).toBe(0);
    expect(without.stdout).toContain('the db was not looked at');
  });

  test('of a log alone wants to know about the db', async () => {
    torn();
    const wal = join(data, 'member/wal');
    const refused = await run(['wal', 'repair', wal, '-o', target]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--db');
    expect(refused.stderr).toContain('--without-db');
    const both = await run(['wal', 'repair', wal, '-o', target, '--db', 'x', '--without-db']);
    expect(both.code).toBe(2);
    expect((await run(['wal', 'repair', wal, '-o', target, '--db', join(data, 'member/snap/db')])).code).toBe(0);
    expect((await run(['wal', 'repair', wal, '-o', `${target}2`, '--without-db'])).code).toBe(0);
    // The member's directory has both.
    expect((await run(['wal', 'repair', join(data, 'member'), '-o', `${target}3`])).code).toBe(0);
  });

  test('of a db that cannot be read says how to go on', async () => {
    torn();
    writeFileSync(join(data, 'member/snap/db'), 'nonsense');
    const { code, stderr } = await run(['wal', 'repair', data, '-o', target]);
    expect(code).toBe(3);
    expect(stderr).toContain('--without-db goes by the log alone');
    const missing = await run(['wal', 'repair', data, '-o', target, '--db', join(folder, 'no')]);
    expect(missing.code).toBe(3);
  });

  test('a target that exists is left alone', async () => {
    writeFileSync(target, 'precious');
    const { code, stderr } = await run(['wal', 'repair', torn(), '-o', target]);
    expect(code).toBe(3);
    expect(stderr).toContain('exists already');
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });

  test('names what was left out, renamed, written anew, and not copied', async () => {
    const wal = join(folder, 'wal');
    mkdirSync(wal);
    const [first, second, third] = threeSegments();
    first!.bytes.fill(0x55, 100, 140);
    third!.bytes[11]! ^= 1;
    writeFileSync(join(wal, FIRST), first!.bytes);
    writeFileSync(join(wal, '1-4.wal'), second!.bytes);
    writeFileSync(join(wal, THIRD), third!.bytes);
    writeFileSync(join(wal, '0.tmp'), '');
    const { code, stdout } = await run(['wal', 'repair', wal, '-o', target, '--without-db']);
    expect(code).toBe(0);
    expect(stdout).toContain(`left out:\n  ${FIRST}: not needed from the newest snapshot on; 225 bytes, `);
    expect(stdout).toContain(`renamed:\n  1-4.wal -> ${SECOND}\n`);
    expect(stdout).toMatch(
      new RegExp(`crc record written anew:\n {2}${THIRD}: [0-9a-f]{8}, as the records before it give\n`),
    );
    expect(stdout).toContain('not copied:\n  0.tmp\n');
    expect(stdout).toContain('etcd up to 3.6 needs 0000000000000002-0000000000000006.snap in member/snap\n');
  });

  test('says what stands in the way', async () => {
    dataDirectory(new Uint8Array(end));
    const empty = await run(['wal', 'repair', data, '-o', target, '--accept-loss']);
    expect(empty.code).toBe(1);
    expect(empty.stdout).toContain('because:\n  nothing is left of which a log could be made\n');

    const member = join(folder, 'other/member');
    mkdirSync(join(member, 'wal'), { recursive: true });
    mkdirSync(join(member, 'snap'));
    for (const [i, { name, bytes }] of threeSegments().entries()) {
      if (i === 0) bytes.fill(0x55, 100, 140);
      writeFileSync(join(member, 'wal', name), bytes);
    }
    const noSnap = await run(['wal', 'repair', join(folder, 'other'), '-o', target, '--without-db']);
    expect(noSnap.code).toBe(1);
    expect(noSnap.stderr).toContain('--without-snap');
    const args = ['wal', 'repair', join(folder, 'other'), '-o', target, '--without-db', '--without-snap'];
    expect((await run(args)).code).toBe(0);
  });
});
