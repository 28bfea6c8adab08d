// The logs of real servers, entry by entry and record by record, as the real etcd-dump-logs prints them. What may differ is
// what must not be shown.
import { describe, expect, test } from 'vitest';
import { dumpHead, entryRow, recordLine } from '../../src/cli/render/wal-dump.ts';
import { drain } from '../../src/io/job.ts';
import { decodeRecord } from '../../src/wal/dump-record.ts';
import { markedRecords, SurveyJob } from '../../src/wal/dump-survey.ts';
import { readWal, type Wal } from '../../src/wal/reader.ts';
import { type LogFixture, logFixtures, segments } from '../support/log-fixtures.ts';

/** Recorded lines are cut at this number of bytes. */
const LINE = 600;
const cut = (line: string): string => Buffer.from(line).subarray(0, LINE).toString();

/** A recorded row without what is secret in it. */
function redacted(row: string): string {
  return row
    .replace(/\b(password|hashedPassword|simple_token):"[^"]*"/g, '$1:"<value removed>"')
    .replace(/(path="\/2\/[^"]*" val=).*$/, '$1"<value removed>"');
}

function open(fixture: LogFixture): Wal {
  return readWal({ segments: segments(fixture) });
}

/** What the real tool printed above its rows, and the rows. */
function recorded(fixture: LogFixture): { head: string[]; rows: string[]; snapshot: bigint } {
  const lines = fixture.dumpLogs().split('\n');
  const start = lines.findIndex((line) => line.startsWith('term\t')) + 1;
  const head = lines.slice(0, start);
  const snapshot = BigInt(/^term=\d+ index=(\d+) /m.exec(head.join('\n'))?.[1] ?? 0);
  return { head, rows: lines.slice(start, lines.indexOf('', start)), snapshot };
}

describe.each(logFixtures().map((fixture) => [fixture.name, fixture] as const))('%s', (_, fixture) => {
  test('entries', () => {
    const wal = open(fixture);
    const surveyed = drain(new SurveyJob(wal));
    expect(surveyed.state.damage).toBeUndefined();
    const { head, rows, snapshot } = recorded(fixture);
    const shown: string[] = [];
    for (const item of markedRecords(wal, surveyed)) {
      if (item.kind !== 'record' || item.overwritten) continue;
      const content = decodeRecord(item);
      if (content.type === 'entry' && content.index > snapshot) shown.push(cut(entryRow(content, false).slice(0, -1)));
    }
    expect(shown).toEqual(rows.map(redacted));
    const ours = dumpHead(surveyed.state, surveyed.runs, { from: snapshot + 1n, to: undefined }).split('\n');
    expect(ours.filter((line) => /^(?:nodeID|WAL entries|lastIndex|term\t)/.test(line))).toEqual(
      head.filter((line) => /^(?:nodeID|WAL entries|lastIndex|term\t)/.test(line)),
    );
    // The log itself has no members with a snapshot in 3.4; what it has is what the .snap file has.
    const [words = ''] = ours.filter((line) => line.startsWith('term=') || line === 'empty');
    expect(head.some((line) => cut(line).startsWith(cut(words)))).toBe(true);
  });

  test('all records', () => {
    const lines: string[] = [];
    for (const item of open(fixture).records({ goOn: true })) {
      expect(item.kind).toBe('record');
      if (item.kind !== 'record') continue;
      const content = decodeRecord(item);
      const line = recordLine(item, content);
      if (content.type !== 'entry') lines.push(cut(line));
      else lines.push(/^Entry: Term:\d+ Index:\d+ (?:Type:\w+ )?/.exec(line)?.[0] ?? line);
    }
    const expected = fixture.dumpLogsRaw().trimEnd().split('\n');
    expect(expected.pop()).toBe('EOF: All entries were processed.');
    expect(lines).toEqual(expected.map((line) => line.replace(/^(Entry: .*?)Data:".*$/, '$1')));
  });
});
