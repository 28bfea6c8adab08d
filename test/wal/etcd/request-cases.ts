/**
 * Payloads of entries, well formed and not: every field of every message with every wire type, strings that are not UTF-8,
 * transactions in transactions, requests of the v2 API, and random changes of all these. What the real parsers of each
 * release say of them is recorded by id.
 */
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import { CONF_CHANGE, INTERNAL_RAFT_REQUEST, REQUEST } from '../../../src/wal/etcd/message-schema.ts';
import { MessageParser } from '../../../src/wal/etcd/parse-message.ts';
import { steadyWords } from './answers.ts';
import { mutated, randomFields, randomNumbers } from './random-cases.ts';
import { bytes, number, tag, text } from './raw-log.ts';

/** A payload, and whether it is that of a change of membership. */
export interface RequestCase {
  readonly id: string;
  readonly kind: 'request' | 'confChange';
  readonly data: Uint8Array;
}

const HEADER = text(100, number(1, 7));

/** Where messages are: the numbers of the fields that lead there. */
const MESSAGES: readonly (readonly number[])[] = [
  [],
  ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 100].map((field) => [field]),
  ...[1000, 1011, 1012, 1013, 1100, 1101, 1102, 1103, 1104, 1105, 1106, 1107].map((field) => [field]),
  ...[1200, 1201, 1202, 1203, 1204, 1300, 1301, 1302, 9900].map((field) => [field]),
  [6, 1],
  [6, 2],
  [6, 3],
  [6, 2, 1],
  [6, 2, 2],
  [6, 3, 3],
  [6, 3, 4],
  [6, 3, 4, 1],
  [11, 1],
  [1100, 3],
  [1203, 2],
  [1301, 2],
];
const NUMBERS = [...Array.from({ length: 18 }, (_, i) => i + 1), 64, 99, 100];
const OUTER_NUMBERS = [1000, 1001, 1010, 1011, 1012, 1013, 1014, 1099, 1100, 1101, 1102, 1103, 1104, 1105, 1106, 1107];
const MORE_OUTER = [1108, 1199, 1200, 1201, 1202, 1203, 1204, 1205, 1299, 1300, 1301, 1302, 1303, 9899, 9900, 9901];

/** A value of every kind that tells kinds apart. */
const VALUES: Readonly<Record<string, (field: number) => Uint8Array>> = {
  varint: (field) => number(field, 1),
  'not-utf8': (field) => text(field, bytes([0xff])),
  'cut-message': (field) => text(field, bytes([0x08])),
  empty: (field) => text(field, ''),
  fixed32: (field) => bytes(tag(field, 5), [1, 2, 3, 4]),
  group: (field) => bytes(tag(field, 3), tag(field, 4)),
};

const within = (path: readonly number[], content: Uint8Array): Uint8Array =>
  path.reduceRight((inner, field) => text(field, inner), content);

/** A transaction in a transaction, and so on; `messages` in all, the outermost request among them. */
function nested(messages: number): Uint8Array {
  // From the inside: each step is a list of bytes in reverse, so that nothing is copied again and again.
  const reversed: number[] = [];
  for (let depth = messages - 1; depth >= 1; depth--) {
    const length = [...varintOf(reversed.length)].reverse();
    reversed.push(...length, depth === 1 ? 0x32 : depth % 2 === 0 ? 0x12 : 0x22);
  }
  return Uint8Array.from(reversed.reverse());
}

function varintOf(value: number): number[] {
  const out: number[] = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) out.push((value % 128) + 0x80);
  return [...out, value];
}

const v2 = (method: string, path: string): Uint8Array =>
  bytes(number(1, 7), text(2, method), text(3, path), text(4, 'v'), number(5, 0), text(6, ''), number(7, 0));

const REQUESTS: Readonly<Record<string, Uint8Array>> = {
  put: bytes(text(4, bytes(text(1, 'k'), text(2, 'v'))), HEADER),
  'put-without-header': text(4, bytes(text(1, 'k'), text(2, 'v'))),
  'put-with-id': bytes(number(1, 5), text(4, bytes(text(1, 'k'), text(2, 'v')))),
  'id-0': bytes(number(1, 0), text(4, bytes())),
  'header-empty': text(100, ''),
  'header-alone': HEADER,
  txn: bytes(
    text(6, bytes(text(1, number(1, 1)), text(2, text(2, text(1, 'k'))), text(3, text(1, text(1, 'k'))))),
    HEADER,
  ),
  attributes: bytes(HEADER, text(1301, bytes(number(1, 1), text(2, bytes(text(1, 'm'), text(2, 'http://m')))))),
  'v2-put': v2('PUT', '/1/x'),
  'v2-version': v2('PUT', '/0/version'),
  'v2-attributes': v2('PUT', '/0/members/1f/attributes'),
  'v2-qget': v2('QGET', ''),
  'v2-sync': v2('SYNC', ''),
  'v2-wrapped': text(2, v2('PUT', '/1/x')),
  'v2-wrapped-garbage': text(2, bytes([0xff])),
  'v2-not-utf8': bytes(v2('PUT', '/1'), text(4, bytes([0xff]))),
  garbage: bytes([0xff, 0xff, 0xff]),
  empty: bytes(),
};

const CONF_CHANGES: Readonly<Record<string, Uint8Array>> = {
  add: bytes(number(1, 1), number(2, 0), number(3, 16), text(4, '{"id":16}')),
  empty: bytes(),
  cut: bytes([0x18]),
  'context-as-number': bytes(number(2, 0), number(4, 1)),
  'not-utf8': text(4, bytes([0xff])),
  unknown: bytes(number(9, 9), text(10, 'x')),
};

/** All of them. */
export function* requestCases(): Generator<RequestCase> {
  for (const [id, data] of Object.entries(REQUESTS)) yield { id: `request:${id}`, kind: 'request', data };
  for (const [id, data] of Object.entries(CONF_CHANGES)) yield { id: `conf-change:${id}`, kind: 'confChange', data };
  for (const path of MESSAGES) {
    for (const field of path.length === 0 ? [...NUMBERS, ...OUTER_NUMBERS, ...MORE_OUTER] : NUMBERS) {
      for (const [kind, value] of Object.entries(VALUES)) {
        yield { id: `field:${[...path, field].join('.')}:${kind}`, kind: 'request', data: within(path, value(field)) };
      }
    }
  }
  for (const messages of [2, 3, 100, 9_999, 10_000, 10_001, 10_002, 30_000]) {
    yield { id: `nested:${messages}`, kind: 'request', data: nested(messages) };
  }
  for (const depth of [2, 9_999, 10_000, 10_001, 10_002, 10_003]) {
    const data = bytes(new Uint8Array(depth).fill(0xf3 - 0x80 + 0x08), new Uint8Array(depth).fill(0xf4 - 0x80 + 0x08));
    yield { id: `groups:${depth}`, kind: 'request', data };
  }
  const random = randomNumbers(7);
  const samples = Object.values(REQUESTS);
  for (let i = 0; i < 600; i++) {
    const sample = samples[random(samples.length)]!;
    yield { id: `random:${i}:request`, kind: 'request', data: mutated(sample, random) };
    const changes = Object.values(CONF_CHANGES);
    const change = changes[random(changes.length)]!;
    yield { id: `random:${i}:conf-change`, kind: 'confChange', data: mutated(change, random) };
    yield { id: `random:${i}:fields`, kind: 'request', data: randomFields(random) };
  }
}

/**
 * What a parser said: errors of the v3 and the v2 API, what was there, the method of a v2 request. Nobody hears the words of
 * the v3 API's parser up to 3.6.
 */
export function requestAnswer(
  minor: EtcdMinor,
  parts: {
    readonly v3Error?: string;
    readonly v2Error?: string;
    readonly hasId?: boolean;
    readonly hasHeader?: boolean;
    readonly hasV2?: boolean;
    readonly method?: string;
  },
): string {
  const { v3Error = '', v2Error = '', hasId = false, hasHeader = false, hasV2 = false, method = '' } = parts;
  const flags = `${hasId ? 'id ' : ''}${hasHeader ? 'header ' : ''}${hasV2 ? 'v2 ' : ''}`;
  if (v3Error === '') return `ok ${flags}${method}`;
  if (minor === '3.7') return steadyWords(v3Error);
  return v2Error === '' ? `v2 ${method}` : v2Error;
}

/** The simulation's answer. */
export function ourRequestAnswer({ kind, data }: RequestCase, minor: EtcdMinor): string {
  const parser = new MessageParser(minor);
  const end = data.length;
  if (kind === 'confChange') return steadyWords(parser.parse(data, 0, end, CONF_CHANGE)?.words ?? 'ok');
  const method = (): string => new TextDecoder().decode(data.subarray(parser.start(2), parser.end(2)));
  const v3Error = parser.parse(data, 0, end, INTERNAL_RAFT_REQUEST)?.words;
  if (v3Error !== undefined) {
    if (minor === '3.7') return requestAnswer(minor, { v3Error, v2Error: '' });
    const v2Error = parser.parse(data, 0, end, REQUEST)?.words;
    return requestAnswer(minor, v2Error === undefined ? { v3Error, method: method() } : { v3Error, v2Error });
  }
  const hasV2 = minor !== '3.7' && parser.has(2);
  const found = { hasId: parser.uint64(1) !== 0n, hasHeader: parser.has(100), hasV2 };
  if (!hasV2) return requestAnswer(minor, found);
  parser.parse(data, parser.start(2), parser.end(2), REQUEST);
  return requestAnswer(minor, { ...found, method: method() });
}
