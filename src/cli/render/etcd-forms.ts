/**
 * Answers in the output forms of etcdctl and etcdutl (`-w simple|json|fields|table`), byte for byte, for scripts that read
 * those already. docs/etcd-forms.md has an example of each, and where releases differ.
 */
import { DatadirError } from '../../errors.ts';
import { compareMinors, type EtcdMinor } from '../../etcd-version.ts';
import { type GoJsonValue, goJson } from '../../json/go-json.ts';
import { goQuote } from '../../proto/go-quote.ts';
import { base64 } from './base64.ts';
import { etcdTable } from './etcd-table.ts';
import { jsonOf } from './json.ts';
import { siSize } from './si-size.ts';

/** An output form. */
export type Form = 'simple' | 'json' | 'fields' | 'table';

/** Further fields of ours, behind those of etcd: in JSON only, 64-bit values as decimal strings. */
export type ExtraFields = Readonly<Record<string, unknown>>;

/** The head of a server's answer. What is not known is left out of JSON, and is 0 in the other forms. */
export interface Header {
  readonly clusterId?: bigint | undefined;
  readonly memberId?: bigint | undefined;
  readonly revision?: bigint | undefined;
  readonly raftTerm?: bigint | undefined;
}

/** What `snapshot status` tells. */
export interface StatusFigures {
  readonly hash: number;
  readonly revision: bigint;
  /** Live keys: the keys of 3.6 and later. */
  readonly totalKey: number;
  /** Pairs in all buckets: the keys of 3.4 and 3.5. */
  readonly records: number;
  readonly totalSize: number;
  /** The stored storage version; empty if there is none. */
  readonly version: string;
  readonly extra?: ExtraFields | undefined;
}

/** `snapshot status`. In JSON the fields of 3.6 and later, with their meaning, whatever the release. */
export function statusForm(form: Form, minor: EtcdMinor, figures: StatusFigures): string {
  const { hash, revision, totalKey, records, totalSize, version, extra } = figures;
  if (form === 'json') {
    return jsonLine(
      { hash: whole(hash), revision, totalKey: whole(totalKey), totalSize: whole(totalSize), version },
      extra,
    );
  }
  const counted = since36(minor) ? totalKey : records;
  const last = since36(minor) ? [version] : [];
  if (form === 'fields') {
    return fieldLines([
      ['Hash', hash],
      ['Revision', revision],
      ['Keys', counted],
      ['Size', totalSize],
      ...last.map((text): [string, string] => ['Version', text]),
    ]);
  }
  const heads = ['hash', 'revision', 'total keys', 'total size', 'version'];
  const row = [hash.toString(16), `${revision}`, `${counted}`, siSize(totalSize), ...last];
  return simpleOrTable(form, minor, heads.slice(0, row.length), [row]);
}

/** What `hashkv` tells. */
export interface HashKvFigures {
  readonly hash: number;
  readonly hashRevision: bigint;
  readonly compactRevision: bigint;
  readonly extra?: ExtraFields | undefined;
}

/** `etcdutl hashkv`, which 3.6 was the first to have. */
export function hashKvForm(form: Form, minor: EtcdMinor, figures: HashKvFigures): string {
  const { hash, hashRevision, compactRevision, extra } = figures;
  if (form === 'json') return jsonLine({ hash: whole(hash), hashRevision, compactRevision }, extra);
  if (form === 'fields') {
    return fieldLines([
      ['Hash', hash],
      ['Hash revision', hashRevision],
      ['Compact revision', compactRevision],
    ]);
  }
  const row = [`${hash}`, `${hashRevision}`, `${compactRevision}`];
  return simpleOrTable(form, minor, ['hash', 'hash revision', 'compact revision'], [row]);
}

/** A member as `member list` tells of it. */
export interface FormMember {
  readonly id: bigint;
  /** Empty until the member has started for the first time. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

/** `member list`. A server has at least one member; should a file have none, JSON has an empty list. */
export function membersForm(
  form: Form,
  minor: EtcdMinor,
  header: Header,
  members: readonly FormMember[],
  extra?: ExtraFields,
): string {
  if (form === 'json') return jsonLine({ header: headerJson(header), members: members.map(memberJson) }, extra);
  if (form === 'fields') {
    const blocks = members.map(({ id, name, peerUrls, clientUrls, isLearner }) =>
      fieldLines([
        ['ID', id],
        ['Name', quoted(name)],
        ...peerUrls.map((url): [string, string] => ['PeerURL', quoted(url)]),
        ...clientUrls.map((url): [string, string] => ['ClientURL', quoted(url)]),
        ['IsLearner', isLearner],
      ]),
    );
    return `${headerLines(minor, header)}${blocks.map((block) => `${block}\n`).join('')}`;
  }
  const rows = members.map(({ id, name, peerUrls, clientUrls, isLearner }) => [
    id.toString(16),
    name === '' ? 'unstarted' : 'started',
    name,
    peerUrls.join(','),
    clientUrls.join(','),
    `${isLearner}`,
  ]);
  const heads = ['ID', 'Status', 'Name', 'Peer Addrs', 'Client Addrs', 'Is Learner'];
  return simpleOrTable(form, minor, heads, rows);
}

/** A key as `get` tells of it. */
export interface FormKeyValue {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  readonly version: bigint;
  readonly lease: bigint;
}

/** What was asked for beside the form. */
export interface RangeFormOptions {
  /** Values count as empty, as the server sends them then. */
  readonly keysOnly?: boolean | undefined;
  /** There will be no items. Simple prints the number alone (etcdctl prints it in fields only). */
  readonly countOnly?: boolean | undefined;
  /** The values without the keys; simple only. */
  readonly printValueOnly?: boolean | undefined;
}

/**
 * `get`, piece by piece, since there may be any number of keys:
 *
 *     out.write(form.head(header));
 *     for (…) out.write(form.item(keyValue));
 *     out.write(form.tail(more, count));
 */
export class RangeForm {
  readonly #form: Exclude<Form, 'table'>;
  readonly #minor: EtcdMinor;
  readonly #options: RangeFormOptions;
  #items = 0;

  /** Throws `USAGE` where etcdctl refuses, in its words: there is no table, and no values alone but in simple. */
  constructor(form: Form, minor: EtcdMinor, options: RangeFormOptions = {}) {
    if (form === 'table') throw new DatadirError('USAGE', 'table not supported as output format');
    if (options.printValueOnly === true && form !== 'simple') {
      throw new DatadirError('USAGE', 'print-value-only is only for `--write-out=simple`');
    }
    this.#form = form;
    this.#minor = minor;
    this.#options = options;
  }

  head(header: Header): string {
    if (this.#form === 'json') return `{"header":${goJson(headerJson(header))}`;
    return this.#form === 'fields' ? headerLines(this.#minor, header) : '';
  }

  item(item: FormKeyValue): string | Uint8Array {
    const keyValue = this.#options.keysOnly === true ? { ...item, value: NOTHING } : item;
    const first = this.#items++ === 0;
    switch (this.#form) {
      case 'json':
        return `${first ? ',"kvs":[' : ','}${goJson(keyValueJson(keyValue))}`;
      case 'fields':
        return keyValueFields(keyValue);
      case 'simple':
        return keyValueLines(keyValue, this.#options.printValueOnly === true);
    }
  }

  /** `more`: the limit cut something off; `count`: how many keys there are without it. */
  tail(more: boolean, count: bigint, extra: ExtraFields = {}): string {
    if (this.#form === 'simple') return this.#options.countOnly === true ? `${count}\n` : '';
    if (this.#form === 'fields') {
      return fieldLines([
        ['More', more],
        ['Count', count],
      ]);
    }
    const fields = `${more ? ',"more":true' : ''}${count === 0n ? '' : `,"count":${count}`}${extraJson(extra)}`;
    return `${this.#items === 0 ? '' : ']'}${fields}}\n`;
  }
}

const NOTHING = new Uint8Array(0);
const NEWLINE = 0x0a;

function since36(minor: EtcdMinor): boolean {
  return compareMinors(minor, '3.6') >= 0;
}

function whole(count: number): bigint {
  return BigInt(count);
}

/** A number that Go leaves out of JSON when it is 0. */
function unlessZero(value: bigint | undefined): bigint | undefined {
  return value === 0n ? undefined : value;
}

function unlessEmpty(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}

function jsonLine(value: Readonly<Record<string, GoJsonValue>>, extra: ExtraFields = {}): string {
  return `${goJson(value).slice(0, -1)}${extraJson(extra)}}\n`;
}

function extraJson(extra: ExtraFields): string {
  const present = Object.entries(extra).filter(([, value]) => value !== undefined);
  return present.map(([name, value]) => `,${JSON.stringify(name)}:${jsonOf(value)}`).join('');
}

function headerJson({ clusterId, memberId, revision, raftTerm }: Header): GoJsonValue {
  return {
    cluster_id: unlessZero(clusterId),
    member_id: unlessZero(memberId),
    revision: unlessZero(revision),
    raft_term: unlessZero(raftTerm),
  };
}

function memberJson({ id, name, peerUrls, clientUrls, isLearner }: FormMember): GoJsonValue {
  return {
    ID: unlessZero(id),
    name: name === '' ? undefined : name,
    peerURLs: unlessEmpty(peerUrls),
    clientURLs: unlessEmpty(clientUrls),
    isLearner: isLearner || undefined,
  };
}

function keyValueJson({ key, value, createRevision, modRevision, version, lease }: FormKeyValue): GoJsonValue {
  return {
    key: base64UnlessEmpty(key),
    create_revision: unlessZero(createRevision),
    mod_revision: unlessZero(modRevision),
    version: unlessZero(version),
    value: base64UnlessEmpty(value),
    lease: unlessZero(lease),
  };
}

function base64UnlessEmpty(bytes: Uint8Array): string | undefined {
  return bytes.length === 0 ? undefined : base64(bytes);
}

function fieldLines(fields: readonly (readonly [string, string | number | bigint | boolean])[]): string {
  return fields.map(([name, value]) => `"${name}" : ${value}\n`).join('');
}

/** 3.4 and 3.5 print the revision also where the answer has none. */
function headerLines(
  minor: EtcdMinor,
  { clusterId = 0n, memberId = 0n, revision = 0n, raftTerm = 0n }: Header,
): string {
  return fieldLines([
    ['ClusterID', clusterId],
    ['MemberID', memberId],
    ...(since36(minor) && revision <= 0n ? [] : [['Revision', revision] as const]),
    ['RaftTerm', raftTerm],
  ]);
}

function quoted(text: string): string {
  return goQuote(new TextEncoder().encode(text));
}

function keyValueFields({
  key,
  value,
  createRevision,
  modRevision,
  version,
  lease,
}: FormKeyValue): string | Uint8Array {
  const head = fieldLines([
    ['Key', goQuote(key)],
    ['CreateRevision', createRevision],
    ['ModRevision', modRevision],
    ['Version', version],
  ]);
  const tail = fieldLines([['Lease', lease]]);
  if (value.length <= QUOTED_AT_ONCE) return `${head}"Value" : ${goQuote(value)}\n${tail}`;
  const pieces = [Buffer.from(`${head}"Value" : "`)];
  for (let at = 0; at < value.length; ) {
    const end = characterBoundary(value, at + QUOTED_AT_ONCE);
    pieces.push(Buffer.from(goQuote(value.subarray(at, end)).slice(1, -1)));
    at = end;
  }
  pieces.push(Buffer.from(`"\n${tail}`));
  return Buffer.concat(pieces);
}

/** Longer values are quoted in pieces: a byte may take four characters, and a text has a greatest length. */
const QUOTED_AT_ONCE = 1 << 20;

/** The last place up to `end` where no character is cut in two. */
function characterBoundary(bytes: Uint8Array, end: number): number {
  if (end >= bytes.length) return bytes.length;
  for (let at = end; at > end - 4; at--) if ((bytes[at]! & 0xc0) !== 0x80) return at;
  return end;
}

/** Keys and values are bytes: they are not made text and back. */
function keyValueLines({ key, value }: FormKeyValue, valueOnly: boolean): Uint8Array {
  const keyLength = valueOnly ? 0 : key.length + 1;
  const lines = new Uint8Array(keyLength + value.length + 1);
  if (!valueOnly) {
    lines.set(key);
    lines[key.length] = NEWLINE;
  }
  lines.set(value, keyLength);
  lines[lines.length - 1] = NEWLINE;
  return lines;
}

function simpleOrTable(
  form: 'simple' | 'table',
  minor: EtcdMinor,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return form === 'table' ? etcdTable(minor, heads, rows) : rows.map((row) => `${row.join(', ')}\n`).join('');
}
