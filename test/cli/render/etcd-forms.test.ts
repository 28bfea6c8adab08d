/**
 * Each form against what the real tools printed (fixtures/etcd/VERSION/SCENARIO/recorded.json.gz, forms/), for the figures
 * that they printed in JSON.
 */
import { describe, expect, test } from 'vitest';
import {
  type Form,
  type FormKeyValue,
  type FormMember,
  type Header,
  hashKvForm,
  membersForm,
  RangeForm,
  type RangeFormOptions,
  statusForm,
} from '../../../src/cli/render/etcd-forms.ts';
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import type { JsonObject, JsonValue } from '../../../src/json/parse.ts';
import { parseJson } from '../../../src/json/parse.ts';
import { goQuote } from '../../../src/proto/go-quote.ts';
import { type EtcdRecording, etcdRecordings } from '../../support/etcd-recordings.ts';

const FORMS: readonly Form[] = ['simple', 'json', 'fields', 'table'];
const recordings = etcdRecordings().filter((recording) => recording.has('forms/status-json.txt'));

function figures(recording: EtcdRecording, name: string): JsonObject {
  return parseJson(recording.words(`forms/${name}-json.txt`).bytes) as JsonObject;
}

const number = (object: JsonObject, name: string): number => Number(object.get(name) ?? 0n);
const big = (object: JsonObject, name: string): bigint => (object.get(name) ?? 0n) as bigint;
const strings = (object: JsonObject, name: string): string[] => (object.get(name) ?? []) as string[];
const bytes = (object: JsonObject, name: string): Uint8Array =>
  new Uint8Array(Buffer.from((object.get(name) ?? '') as string, 'base64'));
const objects = (value: JsonValue | undefined): JsonObject[] => (value ?? []) as unknown as JsonObject[];

function header(answer: JsonObject): Header {
  const head = answer.get('header') as JsonObject;
  return {
    clusterId: big(head, 'cluster_id'),
    memberId: big(head, 'member_id'),
    revision: big(head, 'revision'),
    raftTerm: big(head, 'raft_term'),
  };
}

function whole(
  form: RangeForm,
  head: Header,
  items: readonly FormKeyValue[],
  more: boolean,
  count: bigint,
): Uint8Array {
  return Buffer.concat(
    [form.head(head), ...items.map((item) => form.item(item)), form.tail(more, count)].map((piece) =>
      Buffer.from(piece as string),
    ),
  );
}

test('the forms of all versions are recorded', () => {
  expect(recordings.map(({ name }) => name)).toEqual([
    '3.4.23/busy',
    '3.5.33/busy',
    '3.6.14/busy',
    '3.6.14/fresh',
    '3.7.1/busy',
  ]);
});

describe.each(recordings)('$name', (recording) => {
  const { minor } = recording;

  test.each(FORMS)('status, %s', (form) => {
    const status = figures(recording, 'status');
    const printed = statusForm(form, minor, {
      hash: number(status, 'hash'),
      revision: big(status, 'revision'),
      totalKey: number(status, 'totalKey'),
      // What 3.4 and 3.5 call totalKey; nothing of the kind is printed by the later ones.
      records: number(status, 'totalKey'),
      totalSize: number(status, 'totalSize'),
      version: (status.get('version') ?? '') as string,
    });
    const expected = recording.words(`forms/status-${form}.txt`).text;
    const older = minor === '3.4' || minor === '3.5';
    expect(printed).toBe(form === 'json' && older ? expected.replace('}', ',"version":""}') : expected);
  });

  test.each(FORMS)('hashkv, %s', (form) => {
    const hash = figures(recording, 'hashkv');
    const printed = hashKvForm(form, recording.scenario === 'fresh' ? minor : '3.7', {
      hash: number(hash, 'hash'),
      hashRevision: big(hash, 'hashRevision'),
      compactRevision: big(hash, 'compactRevision'),
    });
    expect(printed).toBe(recording.words(`forms/hashkv-${form}.txt`).text);
  });

  test.each(FORMS)('member list, %s', (form) => {
    const answer = figures(recording, 'member-list');
    const members = objects(answer.get('members')).map(
      (member): FormMember => ({
        id: big(member, 'ID'),
        name: (member.get('name') ?? '') as string,
        peerUrls: strings(member, 'peerURLs'),
        clientUrls: strings(member, 'clientURLs'),
        isLearner: member.get('isLearner') === true,
      }),
    );
    expect(members).toHaveLength(1);
    expect(membersForm(form, minor, header(answer), members)).toBe(
      recording.words(`forms/member-list-${form}.txt`).text,
    );
  });

  describe.each(['get-leased', 'get-three', 'get-keys-only', 'get-missing'])('%s', (name) => {
    test.each(['simple', 'json', 'fields'] as const)('%s', (form) => {
      const answer = figures(recording, name);
      const keysOnly = name === 'get-keys-only';
      const items = objects(answer.get('kvs')).map(
        (kv): FormKeyValue => ({
          key: bytes(kv, 'key'),
          value: keysOnly ? new TextEncoder().encode('not to be printed') : bytes(kv, 'value'),
          createRevision: big(kv, 'create_revision'),
          modRevision: big(kv, 'mod_revision'),
          version: big(kv, 'version'),
          lease: big(kv, 'lease'),
        }),
      );
      const range = new RangeForm(form, minor, { keysOnly });
      const printed = whole(range, header(answer), items, answer.get('more') === true, big(answer, 'count'));
      const expected = recording.words(`forms/${name}-${form}.txt`).bytes;
      expect(Buffer.from(printed).toString('latin1')).toBe(Buffer.from(expected).toString('latin1'));
    });

    test('table is refused in the same words', () => {
      const { text } = recording.words(`forms/${name}-table.txt`);
      expect(() => new RangeForm('table', minor)).toThrow(
        expect.objectContaining({ code: 'USAGE', message: text.replace(/^Error: |\n/g, '') }),
      );
    });
  });
});

// Printed by etcdctl 3.5.33, 3.6.14 and 3.7.1.
const TWO: readonly FormMember[] = [
  {
    id: 8887861456981248659n,
    name: 'a "b" <ü>',
    peerUrls: ['http://127.0.0.1:28792'],
    clientUrls: ['http://127.0.0.1:28790', 'http://127.0.0.1:28791'],
    isLearner: false,
  },
  {
    id: 16679290425020835115n,
    name: '',
    peerUrls: ['http://127.0.0.1:28794', 'http://127.0.0.1:28795'],
    clientUrls: [],
    isLearner: true,
  },
];
const TWO_HEADER: Header = { clusterId: 13304742722948242887n, memberId: 8887861456981248659n, raftTerm: 2n };

const LINE = `+${'-'.repeat(18)}+${'-'.repeat(11)}+${'-'.repeat(11)}+${'-'.repeat(47)}+${'-'.repeat(47)}+${'-'.repeat(12)}+\n`;
const TABLE = `${LINE}|        ID        |  STATUS   |   NAME    |                  PEER ADDRS                   |                 CLIENT ADDRS                  | IS LEARNER |
${LINE}| 7b5806e7bc40ca93 |   started | a "b" <ü> |                        http://127.0.0.1:28792 | http://127.0.0.1:28790,http://127.0.0.1:28791 |      false |
| e778be4558f0e52b | unstarted |           | http://127.0.0.1:28794,http://127.0.0.1:28795 |                                               |       true |
${LINE}`;

function drawn(plain: string): string {
  const lines = plain.replaceAll('|', '│').replaceAll('-', '─').split('\n');
  const crossings = ['┌┬┐', '├┼┤', '└┴┘'];
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('+')) continue;
    const [left, between, right] = crossings.shift() as string;
    lines[at] = `${left}${line.slice(1, -1).replaceAll('+', between as string)}${right}`;
  }
  return lines.join('\n');
}

describe('two members, one that has not started', () => {
  test('simple', () => {
    expect(membersForm('simple', '3.7', TWO_HEADER, TWO).split('\n')).toEqual([
      '7b5806e7bc40ca93, started, a "b" <ü>, http://127.0.0.1:28792, http://127.0.0.1:28790,http://127.0.0.1:28791, false',
      'e778be4558f0e52b, unstarted, , http://127.0.0.1:28794,http://127.0.0.1:28795, , true',
      '',
    ]);
  });

  test('json', () => {
    expect(membersForm('json', '3.7', TWO_HEADER, TWO)).toBe(
      '{"header":{"cluster_id":13304742722948242887,"member_id":8887861456981248659,"raft_term":2},"members":[{"ID":8887861456981248659,"name":"a \\"b\\" \\u003cü\\u003e","peerURLs":["http://127.0.0.1:28792"],"clientURLs":["http://127.0.0.1:28790","http://127.0.0.1:28791"]},{"ID":16679290425020835115,"peerURLs":["http://127.0.0.1:28794","http://127.0.0.1:28795"],"isLearner":true}]}\n',
    );
  });

  test.each([
    ['3.5', '"Revision" : 0\n'],
    ['3.6', ''],
    ['3.7', ''],
  ] as [EtcdMinor, string][])('fields, %s', (minor, revision) => {
    expect(membersForm('fields', minor, TWO_HEADER, TWO)).toBe(`"ClusterID" : 13304742722948242887
"MemberID" : 8887861456981248659
${revision}"RaftTerm" : 2
"ID" : 8887861456981248659
"Name" : "a \\"b\\" <ü>"
"PeerURL" : "http://127.0.0.1:28792"
"ClientURL" : "http://127.0.0.1:28790"
"ClientURL" : "http://127.0.0.1:28791"
"IsLearner" : false

"ID" : 16679290425020835115
"Name" : ""
"PeerURL" : "http://127.0.0.1:28794"
"PeerURL" : "http://127.0.0.1:28795"
"IsLearner" : true

`);
  });

  test('table', () => {
    expect(membersForm('table', '3.6', TWO_HEADER, TWO)).toBe(TABLE);
    expect(membersForm('table', '3.7', TWO_HEADER, TWO)).toBe(drawn(TABLE));
  });
});

// Printed by the packages that draw these tables, tablewriter 0.0.5 and 1.1.4.
describe('unusual tables', () => {
  const member = (name: string): FormMember => ({
    ...(TWO[0] as FormMember),
    id: 1n,
    name,
    peerUrls: [],
    clientUrls: [],
  });

  test('without a row', () => {
    const table = `+----+--------+------+------------+--------------+------------+
| ID | STATUS | NAME | PEER ADDRS | CLIENT ADDRS | IS LEARNER |
+----+--------+------+------------+--------------+------------+
+----+--------+------+------------+--------------+------------+
`;
    expect(membersForm('table', '3.4', {}, [])).toBe(table);
    expect(membersForm('table', '3.7', {}, [])).toBe(`┌────┬────────┬──────┬────────────┬──────────────┬────────────┐
│ ID │ STATUS │ NAME │ PEER ADDRS │ CLIENT ADDRS │ IS LEARNER │
└────┴────────┴──────┴────────────┴──────────────┴────────────┘
`);
  });

  test('wide characters, and a cell of two lines', () => {
    const table = `+----+---------+-------+------------+--------------+------------+
| ID | STATUS  | NAME  | PEER ADDRS | CLIENT ADDRS | IS LEARNER |
+----+---------+-------+------------+--------------+------------+
|  1 | started |  日本 |            |              |      false |
|  1 | started |  line |            |              |      false |
|    |         | break |            |              |            |
+----+---------+-------+------------+--------------+------------+
`;
    expect(membersForm('table', '3.6', {}, [member('日本'), member('line\nbreak')])).toBe(table);
    expect(membersForm('table', '3.7', {}, [member('日本'), member('line\nbreak')])).toBe(drawn(table));
  });

  test('one very long name does not lengthen every row', () => {
    const text = membersForm('table', '3.7', {}, [member('x'.repeat(100_000)), ...TWO, ...TWO, ...TWO]);
    expect(text.length).toBeLessThan(120_000);
  });
});

test('status of a db without a storage version', () => {
  const status = { hash: 0x0d102f6, revision: 0n, totalKey: 0, records: 3, totalSize: 8192, version: '' };
  expect(statusForm('simple', '3.6', status)).toBe('d102f6, 0, 0, 8.2 kB, \n');
  expect(statusForm('fields', '3.6', status)).toMatch(/"Version" : \n$/);
  expect(statusForm('simple', '3.5', status)).toBe('d102f6, 0, 3, 8.2 kB\n');
});

describe('what the file does not hold', () => {
  test('is left out of JSON, and 0 in fields', () => {
    expect(membersForm('json', '3.7', {}, [])).toBe('{"header":{},"members":[]}\n');
    expect(membersForm('fields', '3.7', {}, [])).toBe('"ClusterID" : 0\n"MemberID" : 0\n"RaftTerm" : 0\n');
  });
});

test('further fields stand behind those of etcd, in JSON only', () => {
  const extra = { compactRevision: 2n ** 63n - 1n, absent: undefined, storageVersion: null };
  const hash = { hash: 1, hashRevision: 2n, compactRevision: -1n, extra };
  expect(hashKvForm('json', '3.7', hash)).toBe(
    '{"hash":1,"hashRevision":2,"compactRevision":-1,"compactRevision":"9223372036854775807","storageVersion":null}\n',
  );
  expect(hashKvForm('simple', '3.7', hash)).toBe('1, 2, -1\n');
});

describe('get', () => {
  const KEY: FormKeyValue = {
    key: new TextEncoder().encode('k'),
    value: new TextEncoder().encode('v\n<&>\u2028"\\ü\x7f'),
    createRevision: 2n,
    modRevision: 2n,
    version: 1n,
    lease: 0n,
  };
  const print = (form: Form, options: RangeFormOptions, items = [KEY]): string =>
    Buffer.from(whole(new RangeForm(form, '3.7', options), {}, items, false, 1n)).toString();

  // Printed by etcdctl 3.5.33 and 3.7.1 alike.
  test('escapes of values', () => {
    expect(print('fields', {})).toContain('"Value" : "v\\n<&>\\u2028\\"\\\\ü\\x7f"\n');
    expect(print('json', {})).toContain('"value":"dgo8Jj7igKgiXMO8fw=="');
  });

  test('values without keys', () => {
    expect(print('simple', { printValueOnly: true })).toBe('v\n<&>\u2028"\\ü\x7f\n');
    expect(print('simple', { printValueOnly: true, keysOnly: true })).toBe('\n');
    for (const form of ['json', 'fields'] as const) {
      expect(() => print(form, { printValueOnly: true })).toThrow('print-value-only is only for `--write-out=simple`');
    }
  });

  test('the count alone', () => {
    expect(print('fields', { countOnly: true }, [])).toBe(
      '"ClusterID" : 0\n"MemberID" : 0\n"RaftTerm" : 0\n"More" : false\n"Count" : 1\n',
    );
    expect(print('json', { countOnly: true }, [])).toBe('{"header":{},"count":1}\n');
    expect(print('simple', { countOnly: true }, [])).toBe('1\n');
  });

  test('a long value is quoted as a short one is', () => {
    const piece = new TextEncoder().encode('ü€🙂a');
    const value = new Uint8Array(3_000_000).map((_, at) => piece[at % piece.length] as number);
    value[1 << 20] = 0xff;
    const printed = print('fields', {}, [{ ...KEY, value }]);
    expect(printed.endsWith(`\n"Value" : ${goQuote(value)}\n"Lease" : 0\n"More" : false\n"Count" : 1\n`)).toBe(true);
  });
});
