// The table of docs/what-etcd-does.md is made from the small logs of start-cases.ts. ETCD_DATADIR_RECORD=1 writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ETCD_MINORS } from '../../../src/etcd-version.ts';
import { memorySource } from '../../../src/io/byte-source.ts';
import { type StartOutcome, simulateStart } from '../../../src/wal/etcd/start.ts';
import { startCases } from './start-cases.ts';

const PAGE = 'docs/what-etcd-does.md';
const TABLE = /<!-- table of start-cases -->\n(\|.*\n)*/;

const cell = ({ outcome, cut }: StartOutcome): string =>
  outcome === 'repairs' ? `cuts ${cut?.bytes} bytes off, starts` : outcome === 'starts' ? outcome : `**${outcome}**`;

/** One row for each log. */
function table(): string {
  const rows = startCases().map(({ id, segments }) => {
    const files = segments.map(({ name, bytes }) => ({ name, source: memorySource(bytes, name) }));
    const starts = ETCD_MINORS.map((minor) => simulateStart(files, minor, { consistentIndex: 0n }));
    return `| ${id} | ${starts.map(cell).join(' | ')} |`;
  });
  const head = `| a log with | ${ETCD_MINORS.join(' | ')} |`;
  const rule = `| --- |${' --- |'.repeat(ETCD_MINORS.length)}`;
  return `<!-- table of start-cases -->\n${[head, rule, ...rows].join('\n')}\n`;
}

it('the table of the page says what the simulation says', () => {
  const page = readFileSync(PAGE, 'utf8');
  if (process.env['ETCD_DATADIR_RECORD'] === '1')
    writeFileSync(
      PAGE,
      page.replace(TABLE, () => table()),
    );
  expect(TABLE.exec(readFileSync(PAGE, 'utf8'))?.[0]).toBe(table());
});
