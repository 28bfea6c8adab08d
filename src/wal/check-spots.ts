/**
 * How bad a place is where a segment cannot be read on: a torn write, or damage.
 */
import { crcText } from '../checksum/crc-text.ts';
import type { FindingPlace, Severity } from '../finding-table.ts';
import type { WalReporter } from './check-reporter.ts';
import type { Spot } from './check-segment.ts';
import { MAX_RECORD } from './format.ts';
import type { NamedSegment } from './segment-input.ts';
import type { DamageSummary } from './summary.ts';

/** What decides. */
export interface SpotContext {
  readonly segments: readonly NamedSegment[];
  readonly isLast: boolean;
  /** The segment is not needed for a start. */
  readonly isOld: boolean;
  /** The segment behind continues the CRC chain: what is wrong here was never part of the log. */
  readonly continued: boolean;
  /** The last index that the log has without what the spot holds back, and the one that it must reach. */
  readonly lastIndex: number;
  readonly mustReach: number;
}

const REASONS = {
  short: 'the file ends within a length field',
  beyond: 'the record reaches past the end of the file',
  crc: 'a sector of it is zero',
  unparsable: 'a sector of it is zero',
} as const;

/** Reports a spot. */
export function reportSpot(spot: Spot, context: SpotContext, reporter: WalReporter): void {
  const { kind, offset, looksTorn, beyond } = spot;
  const place: FindingPlace = { file: context.segments[spot.segment]?.name ?? '', offset };
  const around = {
    lastIndex: `${spot.lastIndex}`,
    lastTerm: `${spot.lastTerm}`,
    records: `${beyond.records}`,
    entries: `${beyond.entries}`,
    firstBehind: `${beyond.firstIndex}`,
    lastBehind: `${beyond.lastIndex}`,
    saves: beyond.saves,
  };
  if (beyond.givenUp) reporter.report('WAL_SEARCH_GIVEN_UP', { searched: `${beyond.nonZero}` }, place);
  const severity: Severity = context.isOld ? 'repairable' : 'corrupt';
  const isCutTooShort = context.lastIndex < context.mustReach;
  if (kind === 'zero') {
    if (beyond.records === 0 || context.continued) {
      reporter.report('WAL_TAIL_NOT_ZERO', { bytes: `${beyond.nonZero}` }, place);
    } else {
      const isHarmless = context.isOld || (context.isLast && beyond.saves === 'one' && !isCutTooShort);
      reporter.report('WAL_RECORDS_BEHIND_END', around, place, isHarmless ? 'repairable' : 'corrupt');
    }
    return;
  }
  if (context.isLast && looksTorn && beyond.saves !== 'several') {
    const reason = REASONS[kind as keyof typeof REASONS];
    if (isCutTooShort) {
      reporter.report('WAL_TAIL_LOSES_COMMITTED', { ...around, reason, commit: `${context.mustReach}` }, place);
    } else reporter.report('WAL_TORN_TAIL', { ...around, reason }, place);
    return;
  }
  switch (kind) {
    case 'short':
    case 'beyond':
      reporter.report(
        'WAL_RECORD_CUT',
        { ...around, length: kind === 'short' ? '' : `${spot.length}` },
        place,
        severity,
      );
      return;
    case 'crc': {
      const crcs = { stored: crcText(spot.storedCrc), computed: crcText(spot.computedCrc) };
      reporter.report('WAL_RECORD_CRC', { ...around, ...crcs }, place, severity);
      return;
    }
    case 'chain': {
      const crcs = { stored: crcText(spot.storedCrc), expected: crcText(spot.computedCrc), continues: 'no' };
      reporter.report('WAL_CHAIN_BROKEN', crcs, place, severity);
      return;
    }
    case 'unparsable':
      reporter.report('WAL_RECORD_UNPARSABLE', around, place, severity);
      return;
    case 'too-large':
      reporter.report('WAL_RECORD_TOO_LARGE', { length: `${spot.length}`, limit: `${MAX_RECORD}` }, place);
      return;
    case 'unreadable':
      reporter.report('WAL_UNREADABLE', { reason: spot.reason }, place);
      return;
    case 'end':
      return;
  }
}

const KINDS = {
  short: 'cut',
  beyond: 'cut',
  crc: 'crc',
  unparsable: 'unparsable',
  chain: 'chain',
  zero: 'hole',
  'too-large': 'too-large',
  unreadable: 'unreadable',
  end: 'cut',
} as const;

/** A spot as plain data. */
export function damageSummary(spot: Spot, segments: readonly NamedSegment[], isLast: boolean): DamageSummary {
  const { kind, beyond } = spot;
  const isTorn = isLast && spot.looksTorn && beyond.saves !== 'several';
  return {
    segment: segments[spot.segment]?.name ?? '',
    offset: spot.offset,
    kind: isTorn ? 'torn' : KINDS[kind],
    looksTorn: spot.looksTorn,
    lastIndex: `${spot.lastIndex}`,
    lastTerm: `${spot.lastTerm}`,
    behind: {
      records: beyond.records,
      entries: beyond.entries,
      firstIndex: beyond.entries === 0 ? null : `${beyond.firstIndex}`,
      lastIndex: beyond.entries === 0 ? null : `${beyond.lastIndex}`,
      saves: beyond.saves,
      offset: beyond.offset < 0 ? null : beyond.offset,
      continuesDirectly: beyond.continuesDirectly,
      searchedAll: !beyond.givenUp,
    },
  };
}
