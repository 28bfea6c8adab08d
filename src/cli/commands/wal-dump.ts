/**
 * `wal dump PATH`: the records of a log, with filters; `--raw` those behind damage too.
 */
import { runSliced } from '../../io/job.ts';
import type { KeyMatcher } from '../../proto/touched-keys.ts';
import { DUMP_TYPES, type DumpType, type RecordConditions, RecordFilter } from '../../wal/dump-filter.ts';
import { damageJson, decodeRecord, type RecordContent, recordJson } from '../../wal/dump-record.ts';
import { type MarkedRecord, markedRecords, SurveyJob } from '../../wal/dump-survey.ts';
import type { LogDamage, LogRecord } from '../../wal/log-records.ts';
import { uint64Argument, usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { type OpenedWal, withWal } from '../open-wal.ts';
import { Pace } from '../pace.ts';
import { jsonOf } from '../render/json.ts';
import { damageWords, dumpHead, dumpTail, entryRow, recordLine } from '../render/wal-dump.ts';

/** What etcd-dump-logs shows unless told otherwise: all entries. */
const DEFAULT_TYPES = 'Normal,ConfigChange';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, json } = invocation;
  const conditions = readConditions(options);
  const raw = options['raw'] === true;
  return withWal(invocation, (opened) => {
    if (raw) return dumpRaw(invocation, opened, conditions);
    return json ? dumpJson(invocation, opened, conditions) : dumpRows(invocation, opened, conditions);
  });
}

function readConditions(options: Invocation['options']): RecordConditions {
  const number = (name: string): bigint | undefined => {
    const text = options[name];
    return typeof text === 'string' ? uint64Argument(`--${name}`, text) : undefined;
  };
  const end = number('end-index');
  const last = number('to');
  const before = end === undefined ? undefined : end - 1n;
  const to = before === undefined || (last !== undefined && last < before) ? last : before;
  return { types: readTypes(options['type']), from: number('from'), to, term: number('term'), keys: readKeys(options) };
}

function readTypes(list: string | true | undefined): DumpType[] | undefined {
  if (typeof list !== 'string') return undefined;
  return list.split(',').map((word) => {
    const known = DUMP_TYPES.find((type) => type.toLowerCase() === word.trim().toLowerCase());
    if (known === undefined) throw usageError(`--type knows no '${word}', only ${DUMP_TYPES.join(', ')}`);
    return known;
  });
}

function readKeys({ key, prefix }: Invocation['options']): KeyMatcher | undefined {
  if (key !== undefined && prefix !== undefined) throw usageError('--key and --prefix exclude each other');
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  if (typeof key === 'string') return { key: bytes(key) };
  return typeof prefix === 'string' ? { prefix: bytes(prefix) } : undefined;
}

/** Entries as rows; records of other types where they were asked for. */
async function dumpRows(invocation: Invocation, opened: OpenedWal, conditions: RecordConditions): Promise<number> {
  const { out, options, showProgress, signal } = invocation;
  const surveyed = await runSliced(new SurveyJob(opened.wal), { signal, onProgress: showProgress });
  showProgress(undefined);
  const { from, to } = conditions;
  out.write(dumpHead(surveyed.state, surveyed.runs, { from, to }));
  let shown = 0;
  let overwritten = 0;
  const filter = new RecordFilter({ ...conditions, types: conditions.types ?? ['entry'] });
  const damage = await forEachRecord(invocation, markedRecords(opened.wal, surveyed), (record) => {
    const content = decodeRecord(record);
    if (filter.passes(content) === undefined) return;
    if (content.type !== 'entry') out.write(`${recordLine(record, content)}\n`);
    else {
      if (record.overwritten) overwritten++;
      else shown++;
      out.write(entryRow(content, record.overwritten));
    }
  });
  if (damage !== undefined)
    out.write(`Damage: ${opened.nameOf(damage.segment)} at byte ${damage.offset}: ${damageWords(damage)}\n`);
  const types = options['type'];
  out.write(dumpTail(typeof types === 'string' ? types : DEFAULT_TYPES, shown, overwritten));
  return ended(invocation, damage);
}

/** All records as JSON, one a line. */
async function dumpJson(invocation: Invocation, opened: OpenedWal, conditions: RecordConditions): Promise<number> {
  const { showProgress, signal } = invocation;
  const surveyed = await runSliced(new SurveyJob(opened.wal), { signal, onProgress: showProgress });
  showProgress(undefined);
  const filter = new RecordFilter(conditions);
  const damage = await forEachRecord(invocation, markedRecords(opened.wal, surveyed), (record) => {
    writeJson(invocation, opened, filter, record, decodeRecord(record), record.overwritten);
  });
  if (damage !== undefined) writeDamageJson(invocation, opened, damage);
  return ended(invocation, damage);
}

/** Calls `show` for each record, and gives the damage that they end with. */
async function forEachRecord(
  invocation: Invocation,
  items: Iterable<MarkedRecord | LogDamage>,
  show: (record: MarkedRecord) => void,
): Promise<LogDamage | undefined> {
  const pace = new Pace(invocation);
  for (const item of items) {
    if (item.kind === 'damage') return item;
    show(item);
    if (pace.due()) await pace.rest();
  }
  return undefined;
}

function ended({ note }: Invocation, damage: LogDamage | undefined): number {
  if (damage === undefined) return EXIT.done;
  note('the log cannot be read on from there; --raw shows what is behind, `wal check` tells what it means');
  return EXIT.problems;
}

/** Every record of every segment, behind damage too, as it lies in its file. */
async function dumpRaw(invocation: Invocation, opened: OpenedWal, conditions: RecordConditions): Promise<number> {
  const { out, json } = invocation;
  const filter = new RecordFilter(conditions);
  const pace = new Pace(invocation);
  let segment = '';
  let damaged = 0;
  const line = (item: LogRecord | LogDamage, text: string): void => {
    if (item.segment !== segment) out.write(`${opened.nameOf(item.segment)}\n`);
    segment = item.segment;
    out.write(`${`${item.offset}`.padStart(10)}\t${text}\n`);
  };
  for (const item of opened.wal.records({ goOn: true })) {
    if (item.kind === 'damage') {
      damaged++;
      if (json) writeDamageJson(invocation, opened, item);
      else line(item, `Damage: ${damageWords(item)}`);
    } else {
      const content = decodeRecord(item);
      if (content.type === 'undecodable' || content.type === 'unknown') damaged++;
      if (json) writeJson(invocation, opened, filter, item, content);
      else if (filter.passes(content) !== undefined) line(item, recordLine(item, content));
    }
    if (pace.due()) await pace.rest();
  }
  if (!json) out.write(damaged === 0 ? 'EOF: All entries were processed.\n' : `EOF: damaged places: ${damaged}\n`);
  return damaged === 0 ? EXIT.done : EXIT.problems;
}

function writeJson(
  { out }: Invocation,
  { nameOf }: OpenedWal,
  filter: RecordFilter,
  record: LogRecord,
  content: RecordContent,
  overwritten = false,
): void {
  const pass = filter.passes(content);
  if (pass === undefined) return;
  const marks = { overwritten, touches: pass.touches };
  out.write(`${jsonOf(recordJson({ ...record, segment: nameOf(record.segment) }, content, marks))}\n`);
}

function writeDamageJson({ out }: Invocation, { nameOf }: OpenedWal, damage: LogDamage): void {
  const place = damageJson({ ...damage, segment: nameOf(damage.segment) });
  out.write(`${jsonOf({ damage: { ...place, message: damageWords(damage) } })}\n`);
}
