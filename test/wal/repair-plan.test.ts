/**
 * The repair of small logs: each thing that is mended, each that is refused, and what is told of it.
 */
import { describe, expect, test } from 'vitest';
import { checkWal } from '../../src/wal/check.ts';
import { onlyLosses, type PlanRepairOptions, planRepair, type RepairPlan } from '../../src/wal/repair-plan.ts';
import { describeRepairReason, type RepairReason } from '../../src/wal/repair-reasons.ts';
import type { WalFiles } from '../../src/wal/segment-input.ts';
import { faultySource } from '../support/faulty.ts';
import type { SmallSegment } from '../support/small-log.ts';
import { SegmentEdit } from '../support/wal-edit.ts';
import { entriesAbove, expectSound, FIRST, filesOf, plannedFiles, SECOND, THIRD, threeSegments } from './repair-log.ts';

/** Segment `n` with other bytes. */
const changed = (log: readonly SmallSegment[], n: number, change: (bytes: Uint8Array) => Uint8Array): SmallSegment[] =>
  log.map((segment, i) => (i === n ? { ...segment, bytes: change(segment.bytes.slice()) } : segment));
const renamed = (log: readonly SmallSegment[], n: number, name: string): SmallSegment[] =>
  log.map((segment, i) => (i === n ? { ...segment, name } : segment));
const frames = ({ bytes }: SmallSegment) => new SegmentEdit({ bytes, size: bytes.length }).frames;

function plan(log: readonly SmallSegment[], options: PlanRepairOptions = {}): RepairPlan & { readonly made: WalFiles } {
  const files = filesOf(log);
  const found = planRepair(files, options);
  expectSound(found);
  return { ...found, made: plannedFiles(found, files) };
}
const names = ({ segments }: RepairPlan): string[] => segments.map(({ name }) => name);
const codes = (reasons: readonly RepairReason[]): string[] => reasons.map(({ code }) => code);

const whole = threeSegments();

test('the log of these tests is healthy, and there is nothing to repair', () => {
  const { outcome, segments, before, after } = planRepair(filesOf(whole, ['1.tmp']), { keepIndex: 7n });
  expect({ outcome, segments, verdict: before.verdict, after }).toEqual({
    outcome: 'nothing',
    segments: [],
    verdict: 'healthy',
    after: null,
  });
});

describe('mended without loss', () => {
  test('a torn last write is cut off, and the file stays as long as it was', () => {
    const last = frames(whole[2]!).at(-2)!;
    const torn = changed(whole, 2, (bytes) => bytes.fill(0, last.at + 512, bytes.length));
    const { outcome, segments, removed, losses, made } = plan(torn, { keepIndex: 6n });
    expect({ outcome, losses }).toEqual({ outcome: 'repair', losses: [] });
    expect(segments.at(-1)).toEqual({
      name: THIRD,
      from: THIRD,
      start: 0,
      end: last.at,
      size: whole[2]!.bytes.length,
    });
    expect(removed).toEqual([
      {
        segment: THIRD,
        reason: 'torn',
        offset: last.at,
        bytes: 512,
        records: 0,
        entries: 0,
        firstIndex: null,
        lastIndex: null,
        firstTerm: null,
        lastTerm: null,
        commit: null,
        stateTerm: null,
      },
    ]);
    expect(entriesAbove(made, 0n)).toEqual(entriesAbove(filesOf(whole), 0n).slice(0, 6));
  });

  test('a file that ends within a record ends behind the one before', () => {
    const last = frames(whole[2]!).at(-1)!;
    const { segments } = plan(changed(whole, 2, (bytes) => bytes.subarray(0, last.at + 5)));
    expect(segments.at(-1)).toMatchObject({ end: last.at, size: last.at });
  });

  test('damage in a segment that the snapshot does not need: it and those before are left out', () => {
    const flipped = changed(whole, 1, (bytes) => bytes.fill(0x55, 300, 400));
    const found = plan(flipped, { keepIndex: 7n, hasSnap: ({ index, term }) => index === 6n && term === 2n });
    expect(found).toMatchObject({ outcome: 'repair', losses: [], needsSnap: { index: '6', term: '2' } });
    expect(names(found)).toEqual([THIRD]);
    expect(
      found.removed.map(({ segment, reason, records, firstIndex, lastIndex }) => ({
        segment,
        reason,
        records,
        firstIndex,
        lastIndex,
      })),
    ).toEqual([
      { segment: FIRST, reason: 'old', records: 8, firstIndex: '1', lastIndex: '3' },
      { segment: SECOND, reason: 'old', records: 6, firstIndex: '5', lastIndex: '5' },
    ]);
  });

  test('only the segments up to the damaged one are left out', () => {
    const found = plan(changed(whole, 0, (bytes) => bytes.fill(0x55, 100, 140)));
    expect(names(found)).toEqual([SECOND, THIRD]);
  });

  test('a missing segment before the snapshot: what is before it is left out', () => {
    expect(names(plan([whole[0]!, whole[2]!]))).toEqual([THIRD]);
  });

  test('an unreadable place in a segment that is not needed', () => {
    const { segments } = filesOf(whole);
    const files = {
      segments: segments.map(({ name, source }) => ({
        name,
        source: name === FIRST ? faultySource(source, { failAt: [[64, 128]] }) : source,
      })),
    };
    const found = planRepair(files);
    expectSound(found);
    expect(found.outcome).toBe('repair');
    expect(names(found)).toEqual([SECOND, THIRD]);
  });

  test('numbers that do not follow one another, where the chain does', () => {
    const found = plan(renamed(whole, 2, THIRD.replace('2', '7')));
    expect(found.segments.map(({ from, name }) => [from, name])).toEqual([
      [FIRST, FIRST],
      [SECOND, SECOND],
      [THIRD.replace('2', '7'), THIRD],
    ]);
    expect(found.removed).toEqual([]);
  });

  test('a wrong index in a name', () => {
    expect(names(plan(renamed(whole, 1, SECOND.replace('4.wal', '3.wal'))))).toEqual([FIRST, SECOND, THIRD]);
  });

  test('names that etcd reads, but does not write', () => {
    for (const name of ['1-4.wal', SECOND.replace('.wal', '.wal.old.wal')]) {
      expect(names(plan(renamed(whole, 1, name)))).toEqual([FIRST, SECOND, THIRD]);
    }
  });

  test('an empty last segment is left out, whatever its length', () => {
    for (const size of [0, 4096]) {
      const empty = { name: '0000000000000003-0000000000000008.wal', bytes: new Uint8Array(size) };
      const found = plan([...whole, empty]);
      expect(names(found)).toEqual([FIRST, SECOND, THIRD]);
      expect(found.removed).toMatchObject([{ segment: empty.name, reason: 'empty', bytes: 0 }]);
    }
  });

  test('a wrong crc record, before records that continue the segment before, is written anew', () => {
    const wrong = changed(whole, 2, (bytes) => bytes.fill(bytes[11]! ^ 1, 11, 12));
    const { outcome, segments, made, losses } = plan(wrong);
    expect({ outcome, losses }).toEqual({ outcome: 'repair', losses: [] });
    expect(segments[2]).toMatchObject({ start: 16, headCrc: frames(whole[2]!)[0]!.crc });
    const bytes = new Uint8Array(made.segments[2]!.source.size);
    made.segments[2]!.source.readInto(bytes, 0);
    expect(bytes).toEqual(whole[2]!.bytes);
  });

  test('several things at once', () => {
    const last = frames(whole[2]!).at(-1)!;
    let log = changed(whole, 0, (bytes) => bytes.fill(0x55, 100, 140));
    log = changed(log, 2, (bytes) => bytes.subarray(0, last.at + 9));
    log = renamed(log, 1, '1-4.wal');
    log = [...renamed(log, 2, THIRD.replace('2', '7')), { name: 'stray.wal', bytes: new Uint8Array(3) }];
    const files = filesOf(log, ['0.tmp']);
    const found = planRepair(files, { keepIndex: 7n });
    expectSound(found);
    expect(names(found)).toEqual([SECOND, THIRD]);
    expect(found.removed.map(({ reason }) => reason)).toEqual(['old', 'torn']);
    expect(found.notCopied).toEqual(['0.tmp', 'stray.wal']);
    expect(checkWal(plannedFiles(found, files)).verdict).toBe('healthy');
  });

  test('what lies behind the end of the log is not copied with the rest', () => {
    const garbage = changed(whole, 2, (bytes) => bytes.fill(0x77, bytes.length - 20, bytes.length - 10));
    expect(plan(garbage).outcome).toBe('nothing');
    const found = plan(renamed(garbage, 1, '1-4.wal'));
    expect(found.removed).toMatchObject([{ segment: THIRD, reason: 'behind-end' }]);
    expect(checkWal(found.made).findings).toEqual([]);
  });
});

describe('refused', () => {
  test('entries would be lost that the db has applied', () => {
    const last = frames(whole[2]!).at(-2)!;
    const torn = changed(whole, 2, (bytes) => bytes.subarray(0, last.at + 20));
    const { outcome, reasons, losses } = plan(torn, { keepIndex: 7n });
    expect(outcome).toBe('refused');
    expect(reasons).toEqual([
      { code: 'DAMAGE', segment: THIRD, offset: last.at, findings: ['WAL_TAIL_LOSES_COMMITTED'] },
      { code: 'APPLIED', keepIndex: '7', lastIndex: '6' },
    ]);
    expect(losses).toEqual(reasons);
  });

  test('good records lie behind the damage; accepted, they are named', () => {
    const at = frames(whole[2]!)[3]!.at;
    const flipped = changed(whole, 2, (bytes) => bytes.fill(0x55, at + 20, at + 24));
    const refused = plan(flipped);
    expect(codes(refused.reasons)).toEqual(['DAMAGE', 'RECORDS', 'COMMITTED', 'TERM']);
    expect(onlyLosses(refused)).toBe(true);
    const found = plan(flipped, { acceptLoss: true, keepIndex: 7n });
    expect(found).toMatchObject({ outcome: 'repair', reasons: [] });
    expect(found.losses).toEqual([
      { code: 'DAMAGE', segment: THIRD, offset: at, findings: ['WAL_RECORD_CRC'] },
      {
        code: 'RECORDS',
        records: 4,
        entries: 1,
        firstIndex: '7',
        lastIndex: '7',
        firstTerm: '3',
        lastTerm: '3',
      },
      { code: 'COMMITTED', commit: '7', lastIndex: '5' },
      { code: 'APPLIED', keepIndex: '7', lastIndex: '5' },
      { code: 'TERM', before: '3', after: '2' },
    ]);
    expect(found.after?.wal).toMatchObject({ lastIndex: '5', commit: '5' });
  });

  test('damage in a needed segment before the last: those behind it would go too', () => {
    const [, , third] = whole;
    const early = [whole[0]!, whole[1]!, { ...third!, bytes: third!.bytes.slice() }];
    // Without the newest snapshot record all segments are needed.
    const record = frames(third!).find(({ type }) => type === 5)!;
    early[2]!.bytes.fill(0x55, record.at, record.at + 8);
    const { outcome, losses } = plan(
      changed(early, 1, (bytes) => bytes.fill(0x55, 200, 240)),
      { acceptLoss: true },
    );
    expect(outcome).toBe('repair');
    expect(losses[0]).toMatchObject({ code: 'DAMAGE', segment: SECOND });
    expect(losses[1]).toMatchObject({ code: 'RECORDS', lastIndex: '7' });
  });

  test('the .snap file is not there that the log would need', () => {
    const flipped = changed(whole, 1, (bytes) => bytes.fill(0x55, 300, 400));
    const { reasons } = plan(flipped, { hasSnap: () => false });
    expect(reasons).toEqual([{ code: 'SNAP_MISSING', snapshot: { index: '6', term: '2' } }]);
    expect(onlyLosses({ reasons })).toBe(false);
    expect(plan(flipped, { hasSnap: () => false, acceptLoss: true }).outcome).toBe('refused');
  });

  test('old segments that a db behind the snapshot still needs', () => {
    const flipped = changed(whole, 0, (bytes) => bytes.fill(0x55, 100, 140));
    expect(plan(flipped, { keepIndex: 4n }).reasons).toEqual([{ code: 'NOT_APPLIED', keepIndex: '4', snapshot: '6' }]);
  });

  test('two files for one segment', () => {
    const copy = { ...whole[1]!, name: SECOND.replace('.wal', '.wal.old.wal') };
    const { reasons } = plan([...whole, copy], { acceptLoss: true });
    expect(codes(reasons)).toEqual(['AMBIGUOUS_NAME']);
  });

  test('nothing is there', () => {
    for (const log of [
      [],
      [{ name: 'stray.wal', bytes: new Uint8Array(3) }],
      [{ name: FIRST, bytes: new Uint8Array(64) }],
    ]) {
      expect(plan(log, { acceptLoss: true }).outcome).toBe('refused');
    }
  });

  test('a log that is wrong from its first record on', () => {
    const wrong = changed(whole.slice(0, 1), 0, (bytes) => bytes.fill(0x55, 20, 30));
    const { outcome, reasons } = plan(wrong, { acceptLoss: true });
    expect(outcome).toBe('refused');
    expect(codes(reasons)).toEqual(['NOT_MENDABLE']);
  });

  test('a last segment of which only the head is left goes too', () => {
    const afterHead = frames(whole[2]!)[2]!.at;
    const found = plan(
      changed(whole, 2, (bytes) => bytes.fill(0x55, afterHead + 10, bytes.length)),
      { acceptLoss: true },
    );
    expect(names(found)).toEqual([FIRST, SECOND]);
    expect(found.removed).toMatchObject([{ segment: THIRD, offset: 0, reason: 'damaged' }]);
  });

  test('every reason has a sentence', () => {
    const reasons: RepairReason[] = [
      { code: 'DAMAGE', segment: FIRST, offset: 16, findings: ['WAL_RECORD_CRC'] },
      { code: 'RECORDS', records: 1, entries: 0, firstIndex: null, lastIndex: null, firstTerm: null, lastTerm: null },
      { code: 'RECORDS', records: 9, entries: 4, firstIndex: '3', lastIndex: '6', firstTerm: '2', lastTerm: '3' },
      { code: 'COMMITTED', commit: '9', lastIndex: '6' },
      { code: 'APPLIED', keepIndex: '9', lastIndex: '6' },
      { code: 'NOT_APPLIED', keepIndex: '3', snapshot: '6' },
      { code: 'TERM', before: '3', after: '2' },
      { code: 'NOTHING_LEFT' },
      { code: 'NOT_MENDABLE', findings: ['WAL_METADATA_MISSING'] },
      { code: 'AMBIGUOUS_NAME', files: ['a', 'b'] },
      { code: 'SNAP_MISSING', snapshot: { index: '6', term: '2' } },
      { code: 'NO_START', versions: ['3.4', '3.7'] },
    ];
    const sentences = reasons.map(describeRepairReason);
    for (const sentence of sentences) expect(sentence).toMatch(/^[^A-Z].{20,}[^.]$/);
    expect(sentences[1]).toBe('1 good record that was saved before is lost');
    expect(sentences[2]).toBe(
      '9 good records that were saved before are lost, among them entries 3 to 6 (4) of terms 2 to 3',
    );
  });
});
