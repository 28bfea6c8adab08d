/**
 * Small logs of one member, each with one peculiarity, and what a server of each release does with them. Nothing else is in
 * the data directory: a log alone is enough for a server to start.
 */
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import type { StartKind } from '../../../src/wal/etcd/start.ts';
import type { SmallSegment } from '../../support/small-log.ts';
import { concat } from '../../support/wal-edit.ts';
import {
  bytes,
  entry,
  frame,
  METADATA,
  number,
  RawLog,
  record,
  SEGMENT_0,
  snapshot,
  state,
  tag,
  text,
} from './raw-log.ts';

/** A log and its fate: by release, or the same for all. `words` is a part of what is printed; by release if it differs. */
export interface StartCase {
  readonly id: string;
  readonly segments: readonly SmallSegment[];
  readonly outcome: StartKind | Readonly<Record<EtcdMinor, StartKind>>;
  readonly words?: string | Readonly<Partial<Record<EtcdMinor, string>>>;
  /** The server comes up but is never healthy: there is no majority, or no leader can be elected. */
  readonly neverHealthy?: boolean;
  readonly lastIndex?: bigint;
}

const NODE = 0x10n;
const NEXT = '0000000000000001-0000000000000003.wal';

const confChange = (node: bigint, context: string | undefined, type = 0): Uint8Array =>
  bytes(number(1, 0), number(2, type), number(3, node), context === undefined ? [] : text(4, context));
const context = (id: bigint): string => `{"id":${id},"peerURLs":["http://127.0.0.1:${2380n + id}"],"name":"m${id}"}`;
const conf = (index: bigint, data: Uint8Array): Uint8Array => entry(index, data, 1n, 1);
const header = (id: bigint): Uint8Array => text(100, number(1, id));
const put = (index: bigint, key: string, id = index): Uint8Array =>
  entry(index, bytes(text(4, bytes(text(1, key), text(2, 'v'))), id === 0n ? [] : header(id)));
const v2 = (index: bigint, method: string, path: string, value = ''): Uint8Array => {
  const strings = bytes(number(1, 7), text(2, method), text(3, path), text(4, value), number(5, 0), text(6, ''));
  const rest = [7, 9, 10, 11, 12, 13, 14, 15, 16].map((field) => number(field, 0));
  return entry(index, bytes(strings, ...rest));
};

/** The log up to its member's own entry, which is committed. */
const joined = (): RawLog =>
  new RawLog()
    .head()
    .add(5, snapshot(0n, 0n))
    .add(2, conf(1n, confChange(NODE, context(NODE))))
    .add(3, state(1n, 0n, 1n));
/** With a put, committed. */
const base = (): RawLog =>
  joined()
    .add(2, put(2n, 'a'))
    .add(3, state(1n, NODE, 2n));
/** An entry in place of the put, committed or not. */
const withEntry = (data: Uint8Array, commit = 2n): SmallSegment[] =>
  joined()
    .add(2, data)
    .add(3, state(1n, NODE, commit)).segments;
const withFirst = (data: Uint8Array): SmallSegment[] =>
  new RawLog()
    .head()
    .add(5, snapshot(0n, 0n))
    .add(2, data)
    .add(3, state(1n, 0n, 1n)).segments;

const since = (minor: EtcdMinor, before: StartKind, from: StartKind): Record<EtcdMinor, StartKind> => ({
  '3.4': before,
  '3.5': minor <= '3.5' ? from : before,
  '3.6': minor <= '3.6' ? from : before,
  '3.7': from,
});

function cutInnerLength(): SmallSegment[] {
  const log = joined();
  const at = log.offset;
  const segments = log
    .add(2, put(2n, 'a'))
    .add(3, state(1n, NODE, 2n))
    .add(2, put(3n, 'b')).segments;
  const whole = segments[0]!.bytes.slice();
  // The record: type, crc (a varint of four or five bytes), then tag and length of the data.
  const lengthAt = whole.indexOf(0x1a, at + 8 + 6) + 1;
  whole[lengthAt] = 0x7f;
  return [{ name: SEGMENT_0, bytes: whole }];
}

function changed(segments: readonly SmallSegment[], change: (bytes: Uint8Array) => void): SmallSegment[] {
  return segments.map(({ name, bytes: old }, i) => {
    const copy = old.slice();
    if (i === segments.length - 1) change(copy);
    return { name, bytes: copy };
  });
}

/** All of them. */
export function startCases(): StartCase[] {
  const second = (log: RawLog, name = NEXT): RawLog => log.begin(name).head();
  const more = (log: RawLog, index = 3n): RawLog => log.add(2, put(index, `k${index}`)).add(3, state(1n, NODE, index));
  const named = (segments: readonly SmallSegment[], ...names: string[]): SmallSegment[] =>
    segments.map(({ bytes: content }, i) => ({ name: names[i]!, bytes: content }));
  return [
    { id: 'plain', segments: base().segments, outcome: 'starts', lastIndex: 2n },
    { id: 'preallocated', segments: base().zeros(4096).segments, outcome: 'starts', lastIndex: 2n },
    {
      id: 'no snapshot record',
      segments: new RawLog()
        .head()
        .add(2, conf(1n, confChange(NODE, context(NODE))))
        .add(3, state(1n, 0n, 1n)).segments,
      outcome: since('3.7', 'starts', 'panics'),
      words: { '3.7': 'invalid memory address or nil pointer dereference' },
    },
    {
      id: 'sequence 0 then 5',
      segments: more(second(base(), '0000000000000005-0000000000000003.wal')).segments,
      outcome: 'starts',
      lastIndex: 3n,
    },
    {
      id: 'sequence 0, 1, 5',
      segments: more(second(more(second(base())), '0000000000000005-0000000000000004.wal'), 4n).segments,
      outcome: 'refuses',
      words: {
        '3.4': 'open wal error: wal: file not found',
        '3.5': 'failed to open WAL {"error":"wal: file not found"}',
        '3.6': 'wal: file sequence numbers (starting from 0) do not increase continuously',
        '3.7': 'wal: file sequence numbers (starting from 0) do not increase continuously',
      },
    },
    {
      id: 'first segment gone',
      segments: named(base().segments, '0000000000000001-0000000000000003.wal'),
      outcome: 'refuses',
      words: {
        '3.4': 'open wal error: wal: file not found',
        '3.5': 'failed to open WAL {"error":"wal: file not found"}',
        '3.6': "file not found which matches the snapshot index '0'",
        '3.7': "file not found which matches the snapshot index '0'",
      },
    },
    { id: 'zeros before the last segment', segments: more(second(base().zeros(64))).segments, outcome: 'starts' },
    {
      id: 'stray bytes before the last segment',
      segments: more(second(base().raw(bytes([1, 2, 3, 4])))).segments,
      outcome: 'refuses',
      words: {
        '3.4': 'read wal error (unexpected EOF) and cannot be repaired',
        '3.5': 'failed to read WAL, cannot be repaired {"error":"unexpected EOF"}',
        '3.6': 'failed to read WAL, cannot be repaired {"error":"unexpected EOF"}',
        '3.7': 'failed to read WAL, cannot be repaired {"error":"unexpected EOF"}',
      },
    },
    {
      id: 'stray bytes at the end',
      segments: base().raw(bytes([1, 2, 3])).segments,
      outcome: 'repairs',
      lastIndex: 2n,
    },
    {
      id: 'length beyond the file',
      segments: base()
        .raw(frame(bytes(), { field: 5000n }))
        .zeros(64).segments,
      outcome: 'repairs',
    },
    {
      id: 'length of 10 MiB',
      segments: base()
        .raw(frame(bytes(), { field: 10n << 20n }))
        .zeros(64).segments,
      outcome: { '3.4': 'refuses', '3.5': 'repairs', '3.6': 'repairs', '3.7': 'repairs' },
      words: { '3.4': 'wal: max entry size limit exceeded' },
    },
    {
      id: 'zeros, then garbage',
      segments: base()
        .zeros(64)
        .raw(bytes([9, 9, 9, 9, 9, 9, 9, 9])).segments,
      outcome: 'starts',
    },
    {
      id: 'inner length too long, records behind',
      segments: cutInnerLength(),
      outcome: { '3.4': 'repairs', '3.5': 'repairs', '3.6': 'repairs', '3.7': 'refuses' },
      words: { '3.7': 'cannot parse invalid wire-format data' },
      lastIndex: 1n,
    },
    {
      id: 'bad wire type',
      segments: base().body((crc) => bytes(tag(1, 7), record(2, crc)), bytes()).segments,
      outcome: 'refuses',
      words: { '3.5': 'proto: wrong wireType = 7 for field Type', '3.7': 'cannot parse invalid wire-format data' },
    },
    {
      id: 'wrong checksum',
      segments: base().raw(frame(record(2, 99, put(3n, 'b')))).segments,
      outcome: 'refuses',
      words: 'walpb: crc mismatch',
    },
    {
      id: 'unpadded frames, unused bits',
      segments: base()
        .add(2, put(3n, 'b'), { padding: bytes() })
        .body((crc) => record(3, crc, state(1n, NODE, 3n)), state(1n, NODE, 3n), {
          field: BigInt(record(3, 0x1000_0000, state(1n, NODE, 3n)).length) | (0xfn << 59n),
          padding: bytes(),
        }).segments,
      outcome: 'starts',
    },
    {
      id: 'entries overwritten',
      segments: joined()
        .add(2, put(2n, 'a'))
        .add(2, put(3n, 'b'))
        .add(2, put(4n, 'c'))
        .add(2, entry(3n, bytes(text(4, bytes(text(1, 'd'), text(2, 'v'))), header(9n)), 2n))
        .add(3, state(2n, NODE, 3n)).segments,
      outcome: 'starts',
      lastIndex: 3n,
    },
    {
      id: 'gap',
      segments: base().add(2, put(4n, 'b')).segments,
      outcome: 'refuses',
      words: 'wal: slice bounds out of range',
    },
    {
      id: 'commit beyond the log',
      segments: base().add(3, state(1n, NODE, 9n)).segments,
      outcome: 'panics',
      words: '10 state.commit 9 is out of range [0, 2]',
    },
    {
      id: 'other metadata in the second segment',
      segments: more(
        base()
          .begin(NEXT)
          .raw(frame(record(4, base().crc)))
          .add(1, bytes(number(1, 0x11), number(2, 0x20))),
      ).segments,
      outcome: 'refuses',
      words: 'wal: conflicting metadata found',
    },
    {
      id: 'record of type 9',
      segments: base().add(9, bytes([1])).segments,
      outcome: 'refuses',
      words: 'unexpected block type',
    },
    {
      id: 'no metadata',
      segments: new RawLog()
        .chain(0)
        .add(5, snapshot(0n, 0n))
        .add(2, put(1n, 'a'))
        .add(3, state(1n, NODE, 1n)).segments,
      outcome: 'panics',
      words: 'cannot use none as id',
    },
    {
      id: 'metadata unreadable',
      segments: new RawLog()
        .chain(0)
        .add(1, bytes([0x08]))
        .add(5, snapshot(0n, 0n))
        .add(2, put(1n, 'a')).segments,
      outcome: 'panics',
      words: {
        '3.5': 'unmarshal should never fail (unexpected EOF)',
        '3.7': 'unmarshal should never fail (proto: cannot',
      },
    },
    {
      id: 'entry unreadable',
      segments: joined().add(2, bytes([0x18])).segments,
      outcome: 'panics',
      words: {
        '3.6': 'unmarshal should never fail (unexpected EOF)',
        '3.7': 'unmarshal should never fail (proto: cannot',
      },
    },
    {
      id: 'no state record',
      segments: new RawLog()
        .head()
        .add(5, snapshot(0n, 0n))
        .add(2, conf(1n, confChange(NODE, context(NODE)))).segments,
      outcome: 'starts',
      neverHealthy: true,
    },
    { id: 'empty last segment', segments: base().begin(NEXT).segments, outcome: 'starts' },
    { id: 'last segment of zeros', segments: base().begin(NEXT).zeros(4096).segments, outcome: 'starts' },
    {
      id: 'torn last segment without head',
      segments: more(base().begin(NEXT)).raw(bytes([1, 2, 3])).segments,
      outcome: 'refuses',
      words: {
        '3.4': 'WAL error (unexpected EOF) cannot be repaired',
        '3.5': 'failed to repair WAL {"error":"unexpected EOF"}',
      },
    },
    {
      id: 'ConfChangeV2',
      segments: withEntry(entry(2n, bytes(), 1n, 2)),
      outcome: 'panics',
      words: {
        '3.4': 'entry type should be either EntryNormal or EntryConfChange',
        '3.5': 'unknown entry type; must be either EntryNormal or EntryConfChange {"type":"EntryConfChangeV2"}',
        '3.7': 'unknown entry type; must be either EntryNormal or EntryConfChange {"type":"EntryConfChangeV2"}',
      },
    },
    {
      id: 'entry of type 7',
      segments: withEntry(entry(2n, bytes(), 1n, 7)),
      outcome: 'panics',
      words: { '3.6': 'unknown entry type; must be either EntryNormal or EntryConfChange {"type":"7"}' },
    },
    {
      id: 'conf change of another member',
      segments: withFirst(conf(1n, confChange(NODE, context(0x11n)))),
      outcome: 'panics',
      words: {
        '3.4': 'nodeID should always be equal to member ID',
        '3.5': 'got different member ID {"member-id-from-config-change-entry":"10","member-id-from-message":"11"}',
        '3.6': 'got different member ID {"member-id-from-config-change-entry":"10","member-id-from-message":"11"}',
        '3.7': 'got different member ID {"member-id-from-config-change-entry":"10","member-id-from-message":"11"}',
      },
    },
    {
      id: 'member added again, under another id',
      segments: withEntry(conf(2n, confChange(NODE, context(0x11n)))),
      outcome: 'starts',
    },
    {
      id: 'context is no JSON',
      segments: withFirst(conf(1n, confChange(NODE, '{'))),
      outcome: 'panics',
      words: { '3.5': 'failed to unmarshal confChangeContext', '3.7': 'failed to unmarshal confChangeContext' },
    },
    {
      id: 'context has a name that is a number',
      segments: withFirst(conf(1n, confChange(NODE, `{"id":16,"name":5}`))),
      outcome: 'panics',
      words: { '3.6': 'failed to unmarshal confChangeContext' },
    },
    {
      id: 'no context',
      segments: withFirst(conf(1n, confChange(NODE, undefined))),
      outcome: 'panics',
      words: { '3.6': 'failed to unmarshal confChangeContext' },
    },
    {
      id: 'conf change of type 9',
      segments: withEntry(conf(2n, confChange(0x11n, context(0x11n), 9))),
      outcome: 'panics',
      words: { '3.5': 'unknown ConfChange type {"type":"9"}', '3.7': 'unknown ConfChange type {"type":"9"}' },
    },
    {
      id: 'conf change unreadable',
      segments: withEntry(conf(2n, bytes([0x18]))),
      outcome: 'panics',
      words: {
        '3.5': 'unmarshal should never fail (unexpected EOF)',
        '3.7': 'unmarshal should never fail (proto: cannot',
      },
    },
    {
      id: 'payload unreadable',
      segments: withEntry(entry(2n, bytes([0xff, 0xff, 0xff]))),
      outcome: 'panics',
      words: {
        '3.5': 'unmarshal should never fail (unexpected EOF)',
        '3.7': 'unmarshal should never fail (proto: cannot',
      },
    },
    {
      id: 'name of a user that is not UTF-8',
      segments: withEntry(
        entry(2n, bytes(text(4, bytes(text(1, 'a'))), text(100, bytes(number(1, 7), text(2, bytes([0xff])))))),
      ),
      outcome: since('3.7', 'starts', 'panics'),
      words: { '3.7': 'unmarshal should never fail (string field contains invalid UTF-8)' },
    },
    {
      id: 'request of a kind that nobody knows',
      segments: withEntry(entry(2n, bytes(header(7n), text(1400, 'x')))),
      outcome: 'panics',
      words: { '3.4': 'not implemented', '3.5': 'not implemented apply' },
    },
    {
      id: 'two headers and nothing else',
      segments: withEntry(entry(2n, bytes(header(7n), header(8n)))),
      outcome: 'panics',
      words: { '3.4': 'not implemented', '3.5': 'not implemented apply' },
    },
    {
      id: 'request of a kind that is new in 3.5',
      segments: withEntry(entry(2n, bytes(header(7n), text(1300, text(1, '3.4.0'))))),
      outcome: { '3.4': 'panics', '3.5': 'starts', '3.6': 'starts', '3.7': 'starts' },
      words: { '3.4': 'not implemented' },
    },
    {
      id: 'put without id and header',
      segments: withEntry(put(2n, 'a', 0n)),
      outcome: 'panics',
      words: {
        '3.4': 'invalid memory address or nil pointer dereference',
        '3.5': 'invalid memory address or nil pointer dereference',
        '3.6': 'applyEntryNormal, could not find a header',
        '3.7': 'Apply, could not find a header',
      },
    },
    {
      id: 'v2 put',
      segments: withEntry(v2(2n, 'PUT', '/1/x')),
      outcome: since('3.6', 'starts', 'panics'),
      words: {
        '3.6': 'detected disallowed v2 WAL for stage --v2-deprecation=write-only {"method":"PUT"}',
        '3.7': 'unmarshal should never fail (proto: cannot parse invalid wire-format data)',
      },
    },
    {
      id: 'v2 put of the cluster version',
      segments: withEntry(v2(2n, 'PUT', '/0/version', '3.4.0')),
      outcome: since('3.7', 'starts', 'panics'),
    },
    {
      id: 'v2 put of member attributes',
      segments: withEntry(v2(2n, 'PUT', '/0/members/10/attributes', '{"name":"m"}')),
      outcome: since('3.7', 'starts', 'panics'),
    },
    {
      // Without a path 3.7 takes it for a request of the v3 API that reads, and passes over it.
      id: 'v2 question of a health probe',
      segments: withEntry(v2(2n, 'QGET', '')),
      outcome: { '3.4': 'starts', '3.5': 'starts', '3.6': 'panics', '3.7': 'starts' },
      words: { '3.6': 'write-only {"method":"QGET"}' },
    },
    {
      id: 'v2 put not committed, one voter',
      segments: withEntry(v2(2n, 'PUT', '/1/x'), 1n),
      outcome: since('3.6', 'starts', 'panics'),
    },
    {
      id: 'v2 put not committed, two voters',
      segments: joined()
        .add(2, conf(2n, confChange(0x11n, context(0x11n))))
        .add(3, state(1n, NODE, 2n))
        .add(2, v2(3n, 'PUT', '/1/x')).segments,
      outcome: 'starts',
      neverHealthy: true,
    },
    {
      id: 'v2 put overwritten',
      segments: joined()
        .add(2, v2(2n, 'PUT', '/1/x'))
        .add(2, entry(2n, bytes(text(4, text(1, 'a')), header(9n)), 2n))
        .add(3, state(2n, NODE, 2n)).segments,
      outcome: 'starts',
      lastIndex: 2n,
    },
    {
      id: 'tail changed by one bit',
      segments: changed(base().segments, (content) => {
        content[content.length - 12]! ^= 1;
      }),
      outcome: 'refuses',
      words: 'walpb: crc mismatch',
    },
    { id: 'only an empty segment', segments: new RawLog().segments, outcome: 'panics' },
    {
      id: 'no segment by its name',
      segments: named(base().segments, 'foo.wal'),
      outcome: 'refuses',
      words: FILE_NOT_FOUND,
    },
    {
      id: 'stray name beside',
      segments: [...base().segments, { name: 'foo.wal', bytes: concat([METADATA]) }],
      outcome: 'starts',
    },
  ];
}

const FILE_NOT_FOUND = 'wal: file not found';
