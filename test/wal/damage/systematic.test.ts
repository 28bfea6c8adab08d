// One small log, broken at every byte and in every field: which findings each kind of damage gives, and that no verdict
// contradicts what etcd does. What etcd does is simulated; test/wal/etcd compares the simulation with the real packages.
import { describe, expect, test } from 'vitest';
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import type { CheckReport } from '../../../src/report.ts';
import { type Verdict, verdictOf } from '../../../src/verdict.ts';
import type { StartSummary } from '../../../src/wal/summary.ts';
import { checked, steady } from '../log-maker.ts';
import { systematicCases, systematicLog } from './systematic-cases.ts';

/** The releases that verdicts are compared with. */
const RELEASES: readonly EtcdMinor[] = ['3.5', '3.6', '3.7'];
const LAST_INDEX = '8';

interface Judged {
  readonly id: string;
  readonly verdict: Verdict;
  readonly codes: readonly string[];
  readonly wal: NonNullable<CheckReport['wal']>;
  readonly etcd: readonly StartSummary[];
}

/** The log names a cluster id that its first member does not make; that is not the damage in question. */
const isOfTheLog = (code: string): boolean => code === 'WAL_CLUSTER_ID';

const judged: readonly Judged[] = [...systematicCases()].map(({ id, segments }) => {
  const { findings, wal } = checked(segments);
  const own = findings.filter(({ code }) => !isOfTheLog(code));
  const counts: Partial<Record<(typeof own)[number]['severity'], number>> = {};
  for (const { severity } of own) counts[severity] = (counts[severity] ?? 0) + 1;
  return {
    id,
    verdict: verdictOf(counts),
    codes: own.map(({ code }) => code.slice('WAL_'.length)),
    wal: wal!,
    etcd: wal!.etcd.filter(({ version }) => RELEASES.includes(version)),
  };
});

const matching = (pattern: RegExp): readonly Judged[] => judged.filter(({ id }) => pattern.test(id));

/**
 * Kinds of damage by id, and the codes of which the first finding has one; `none`: there is no finding. All ids are in
 * exactly one row.
 */
const KINDS: readonly (readonly [what: string, ids: RegExp, codes: string])[] = [
  ['nothing', /^none$/, 'none'],
  ['the last segment ends anywhere', /^truncate:2:/, 'none TORN_TAIL SEGMENT_EMPTY ENTRY_TERM_ABOVE_STATE'],
  ['another segment ends anywhere', /^truncate:[01]:/, 'RECORD_CUT CHAIN_BROKEN SEGMENT_EMPTY none'],
  [
    'zeros from anywhere in the last segment',
    /^zero-from:2:/,
    'none TORN_TAIL SEGMENT_EMPTY RECORD_CRC RECORD_UNPARSABLE',
  ],
  [
    'zeros from anywhere in another segment',
    /^zero-from:[01]:/,
    'RECORD_CRC RECORD_UNPARSABLE CHAIN_BROKEN SEGMENT_EMPTY none',
  ],
  ['a zero sector in the last segment', /^zero-sector:2:/, 'TORN_TAIL SEGMENT_EMPTY'],
  ['a zero sector in another segment', /^zero-sector:[01]:/, 'RECORD_CRC CHAIN_BROKEN SEGMENT_EMPTY'],
  [
    'a record or its length is zero, the last one',
    /^zero-(record|length):2\.[67]$/,
    'TAIL_NOT_ZERO ENTRY_TERM_ABOVE_STATE',
  ],
  ['a record or its length is zero', /^zero-(record|length):(?!2\.[67])/, 'RECORDS_BEHIND_END CHAIN_BROKEN'],
  ['bytes of a record in one sector are zero', /^zero-piece:/, 'TORN_TAIL RECORD_CRC RECORD_UNPARSABLE CHAIN_BROKEN'],
  [
    'a bit of a length field',
    /^flip:[^:]*:length:/,
    'none RECORD_CUT TORN_TAIL RECORD_CRC RECORD_UNPARSABLE RECORDS_BEHIND_END CHAIN_BROKEN',
  ],
  [
    'a bit of the tag of a type',
    /^flip:[^:]*:type-tag:/,
    'RECORD_UNPARSABLE RECORD_TYPE CHAIN_BROKEN SEGMENT_INDEX_NAME',
  ],
  [
    'a bit of a type',
    /^flip:[^:]*:type:/,
    'RECORD_TYPE RECORD_UNPARSABLE CHAIN_BROKEN METADATA_CONFLICT ENTRY_TYPE ENTRY_GAP SEGMENT_INDEX_NAME STATE_BACK SNAPSHOT_BACK SNAPSHOT_PENDING SEGMENT_WITHOUT_HEAD COMMIT_BEYOND COMMITTED_OVERWRITTEN VOTE_CHANGED none',
  ],
  // The head of the first log says 0, and what is not there is 0 too.
  ['a bit of the tag of a crc', /^flip:[^:]*:crc-tag:/, 'RECORD_CRC RECORD_UNPARSABLE CHAIN_BROKEN none'],
  // Bits above the 32 do not count.
  ['a bit of a crc', /^flip:[^:]*:crc:/, 'RECORD_CRC RECORD_UNPARSABLE CHAIN_BROKEN none'],
  ['a bit of the tag of data', /^flip:[^:]*:data-tag:/, 'RECORD_CRC RECORD_UNPARSABLE'],
  ['a bit of the length of data', /^flip:[^:]*:data-length:/, 'RECORD_CRC RECORD_UNPARSABLE CHAIN_BROKEN'],
  ['a bit of data', /^flip:[^:]*:data$/, 'RECORD_CRC'],
  ['a bit of padding', /^flip:[^:]*:padding:/, 'none'],
  ['two records change places', /^swap-records:/, 'RECORD_CRC CHAIN_BROKEN'],
  ['the last record is gone', /^drop-record:2\.7$/, 'ENTRY_TERM_ABOVE_STATE'],
  ['the head of a segment is gone', /^drop-record:[012]\.0$/, 'SEGMENT_WITHOUT_HEAD none'],
  ['the last record of a segment is gone', /^drop-record:(0\.7|1\.6)$/, 'CHAIN_BROKEN'],
  ['a record is gone', /^drop-record:(?!2\.7|.\.0|0\.7|1\.6)/, 'RECORD_CRC'],
  ['a head is there twice', /^repeat-record:.\.0$/, 'none'],
  ['a record is there twice', /^repeat-record:.\.[^0]/, 'RECORD_CRC'],
  ['segments change places', /^(swap-segments|same-segment):/, 'CHAIN_BROKEN'],
  ['the first segment is missing, as after a purge', /^missing:0$/, 'none'],
  ['a segment between others is missing', /^missing:1$/, 'SEGMENT_MISSING'],
  ['the last segments are missing', /^missing:(2|0\+2|1\+2)$/, 'none'],
  ['only the last segment is there, without a snapshot', /^missing:0\+1$/, 'NO_SNAPSHOT'],
  ['all segments are missing', /^missing:0\+1\+2$/, 'NO_SEGMENTS'],
  ['a segment of another member', /^stale(-behind)?:/, 'CHAIN_BROKEN'],
  ['a segment without records behind the last', /^(empty|zeros)-behind$/, 'SEGMENT_EMPTY'],
];

describe('what is found', () => {
  test.each(KINDS.map(([what, ids, codes]) => [what, ids, codes.split(' ')] as const))('%s', (_, ids, codes) => {
    const cases = matching(ids);
    expect(cases.length).toBeGreaterThan(0);
    const found = new Set<string>();
    for (const { id, codes: own } of cases) {
      const [first = 'none'] = own;
      expect(codes, id).toContain(first);
      found.add(first);
    }
    // No row promises what does not happen.
    expect([...found].sort()).toEqual([...codes].sort());
  });

  test('every case is in one row', () => {
    for (const { id } of judged)
      expect(
        KINDS.filter(([, ids]) => ids.test(id)).map(([what]) => what),
        id,
      ).toHaveLength(1);
  });

  test('a place in the file is where the damage begins', () => {
    for (const { id, wal } of matching(/^truncate:/)) {
      const [, segment, length] = id.split(':');
      for (const { segment: name, offset } of wal.damage) {
        expect(name.startsWith(`000000000000000${segment}`), id).toBe(true);
        expect(offset, id).toBeLessThanOrEqual(Number(length));
      }
    }
  });
});

/** Damage of which more is said than etcd minds, and why. */
const STRICTER: Readonly<Record<string, string>> = {
  'missing:0+1+2': 'etcd takes an empty directory for a new member; beside a db the log is lost',
};

describe('compared with etcd', () => {
  const refuses = ({ outcome }: StartSummary): boolean => outcome === 'refuses' || outcome === 'panics';

  test('a log that etcd refuses is never called healthy', () => {
    const missed = judged.filter(({ verdict, etcd }) => verdict === 'healthy' && etcd.some(refuses));
    expect(missed.map(({ id }) => id)).toEqual([]);
  });

  test('a log that all releases start on with all of its entries is never called damaged', () => {
    const alarms = judged.filter(
      ({ verdict, etcd }) =>
        verdict !== 'healthy' && verdict !== 'repairable' && etcd.every(({ outcome }) => outcome === 'starts'),
    );
    const whole = alarms.filter(({ etcd }) => etcd.every(({ lastIndex }) => lastIndex === LAST_INDEX));
    expect(whole.map(({ id }) => id)).toEqual([]);
    // Of those that start without some entries, all but these were shown to have lost what had been on the disk.
    const unproven = alarms.filter(({ wal }) => wal.damage.every(({ behind }) => behind.saves !== 'several'));
    expect(unproven.map(({ id }) => id)).toEqual(Object.keys(STRICTER));
  });

  test('what a repair or a start of etcd loses is called repairable only if nothing shows that it had been on the disk', () => {
    const harmless = judged.filter(({ verdict }) => verdict === 'repairable' || verdict === 'healthy');
    let losing = 0;
    for (const { id, etcd, wal } of harmless) {
      const started = etcd.filter(({ outcome }) => outcome === 'starts' || outcome === 'repairs');
      if (started.every(({ lastIndex }) => lastIndex === LAST_INDEX)) continue;
      losing++;
      for (const { segment, behind } of wal.damage) {
        if (!segment.startsWith('0000000000000002')) continue;
        expect(behind.saves, id).not.toBe('several');
        // Entries 6 and 7 of term 2 were saved before those of term 3 that are behind them.
        if (started.some(({ lastIndex }) => BigInt(lastIndex) < 6n)) expect(behind.records, id).toBe(0);
      }
    }
    expect(losing).toBeGreaterThan(1000);
  });

  test('what is found behind a bad spot is there', () => {
    const spots = judged.flatMap(({ id, wal }) => wal.damage.map((damage) => ({ id, ...damage })));
    const found = spots.filter(({ behind }) => behind.records > 0);
    expect(found.length).toBeGreaterThan(1000);
    for (const { id, offset, behind } of found) {
      expect(behind.offset, id).toBeGreaterThan(offset);
      expect(behind.searchedAll, id).toBe(true);
      expect(behind.entries, id).toBeLessThanOrEqual(behind.records);
    }
  });

  test('a log whose end is cut off at a record is whole for all who look at nothing else', () => {
    const silent = judged.filter(
      ({ verdict, etcd }) => verdict === 'healthy' && etcd.some(({ lastIndex }) => lastIndex !== LAST_INDEX),
    );
    // The log ends behind a record, or zeros begin there; only the db can tell that there was more.
    for (const { id } of silent) expect(id).toMatch(/^(truncate:2|zero-from:2|zero-(record|length):2\.[67]|missing)/);
    expect(silent.length).toBeLessThan(20);
  });

  test('with the index that the db has reached these are found, too, where the end is torn', () => {
    for (const { id, segments } of systematicCases()) {
      if (!/^truncate:2:\d*5$/.test(id)) continue;
      const told = checked(segments, { mustReach: 8n });
      const isTorn = told.findings.some(({ code }) => code === 'WAL_TORN_TAIL');
      const loses = told.findings.some(({ code }) => code === 'WAL_TAIL_LOSES_COMMITTED');
      // All entries are there once the last of them is; up to seven zeros behind the last record are no length field.
      const length = Number(id.split(':')[2]);
      expect([isTorn, loses], id).toEqual(length < 1128 ? [false, true] : [length < 1168, false]);
    }
  });
});

test('the window does not matter', () => {
  let n = 0;
  for (const { id, segments } of systematicCases()) {
    if (n++ % 40 !== 0) continue;
    const expected = steady(checked(segments));
    for (const windowSize of [8, 9 + (n % 90), 1024 * 1024]) {
      expect(steady(checked(segments, { windowSize })), `${id} ${windowSize}`).toEqual(expected);
    }
  }
});

test('the log without damage has nothing but the id of its cluster against it', () => {
  expect(checked(systematicLog()).findings.map(({ code }) => code)).toEqual(['WAL_CLUSTER_ID']);
});
