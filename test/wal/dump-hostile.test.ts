// Whatever the bytes are: every record can be shown, in every form, and nothing but our own errors is thrown.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { entryRow, recordLine } from '../../src/cli/render/wal-dump.ts';
import { walInfoText } from '../../src/cli/render/wal-info.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import { RecordFilter } from '../../src/wal/dump-filter.ts';
import { decodeRecord, recordJson } from '../../src/wal/dump-record.ts';
import { markedRecords, SurveyJob } from '../../src/wal/dump-survey.ts';
import { walInfo } from '../../src/wal/info.ts';
import { readWal } from '../../src/wal/reader.ts';
import { segmentName } from '../../src/wal/segment-name.ts';
import { addNodeEntry, buildLog, metadata, putEntry, snapshot, state } from '../support/small-log.ts';
import type { RecordToWrite } from '../support/wal-edit.ts';

const NAME = segmentName(0n, 0n);
const RECORDS: readonly RecordToWrite[] = [
  metadata(1n, 2n),
  snapshot(0n, 0n),
  addNodeEntry(1n, 1n, 1n),
  state(1n, 1n, 1n),
  putEntry(2n, 2n, 'a', 'b'),
  snapshot(2n, 2n, 1n),
  putEntry(2n, 3n, 'a', 'c'),
  state(2n, 1n, 3n),
];

/** Shows everything in all forms. */
function showAll(bytes: Uint8Array): void {
  const wal = readWal({ segments: [{ name: NAME, source: memorySource(bytes) }] });
  const filter = new RecordFilter({ types: ['IRRPut', 'Request', 'snapshot'], from: 1n, keys: { prefix: bytes } });
  for (const item of wal.records({ goOn: true })) {
    if (item.kind === 'damage') continue;
    const content = decodeRecord(item);
    filter.passes(content);
    JSON.stringify(recordJson(item, content));
    const text = content.type === 'entry' ? entryRow(content, false).slice(0, -1) : recordLine(item, content);
    expect(text.replaceAll('\t', '')).not.toMatch(/\p{Cc}/u);
  }
  for (const item of markedRecords(wal, drain(new SurveyJob(wal)))) if (item.kind === 'record') decodeRecord(item);
  walInfoText('.', walInfo(wal));
}

describe('a dump of any bytes', () => {
  property.prop([fc.uint8Array({ maxLength: 400 })])('that are no log', (bytes) => showAll(bytes));

  property.prop([fc.nat(), fc.nat(255)])('of a log with a byte changed', (place, byte) => {
    const bytes = buildLog([{ name: NAME, records: RECORDS }], 64)[0]!.bytes;
    bytes[place % bytes.length] = byte;
    showAll(bytes);
  });

  // The CRCs are right: what is in the records is what is wrong.
  const records = fc.array(
    fc.record({ type: fc.constantFrom(1, 2, 3, 5, 9), data: fc.uint8Array({ maxLength: 24 }) }),
    { maxLength: 6 },
  );
  property.prop([records])('of a log with any records', (any) => {
    showAll(buildLog([{ name: NAME, records: [...RECORDS.slice(0, 2), ...any] }])[0]!.bytes);
  });
});
