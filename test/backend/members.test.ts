/**
 * Buckets `members` and `members_removed`: records as etcd writes them, and every way in which one can be wrong.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { membersCount, parseMember, parseRemovedMember, readMembers } from '../../src/backend/members.ts';
import { goJson } from '../../src/json/go-json.ts';
import { makeDb, openDb, type Pairs, toBytes } from '../support/backend-db.ts';

const GOLDEN =
  '{"id":7234835788977491870,"peerURLs":["http://127.0.0.1:24001"],"name":"m1","clientURLs":["http://127.0.0.1:24000"]}';

const parse = (key: string | Uint8Array, value: string | Uint8Array) => parseMember(toBytes(key), toBytes(value));

describe('a member', () => {
  test('as a server writes it', () => {
    expect(parse('64674cd17a494f9e', GOLDEN)).toEqual({
      id: 7234835788977491870n,
      name: 'm1',
      peerUrls: ['http://127.0.0.1:24001'],
      clientUrls: ['http://127.0.0.1:24000'],
      isLearner: false,
      key: '64674cd17a494f9e',
      keyId: 7234835788977491870n,
      canonical: true,
    });
  });

  test('a learner that never started has neither name nor client URLs', () => {
    const value = '{"id":2901093197592896047,"peerURLs":["http://127.0.0.1:24999"],"isLearner":true}';
    expect(parse('2842c0e47ed3a22f', value)).toMatchObject({
      id: 2901093197592896047n,
      name: '',
      clientUrls: [],
      isLearner: true,
    });
  });

  test('without an id in the JSON the key is the id; with one the JSON counts', () => {
    expect(parse('ffffffffffffffff', '{}')).toMatchObject({
      id: 0xffff_ffff_ffff_ffffn,
      keyId: 0xffff_ffff_ffff_ffffn,
    });
    expect(parse('a', '{"id":11}')).toMatchObject({ id: 11n, keyId: 10n, canonical: true });
  });

  test('an escaped character of a URL is that character', () => {
    const value = '{"id":1,"peerURLs":["http://h:1/?a=1\\u0026b=2"],"name":"\\u003cm\\u003e"}';
    expect(parse('1', value)).toMatchObject({ peerUrls: ['http://h:1/?a=1&b=2'], name: '<m>' });
  });

  test('fields that nobody knows are passed over, and the case of names does not matter', () => {
    const value = '{"ID":3,"PeerURLs":["p"],"future":{"x":[1]},"NAME":"n"}';
    expect(parse('3', value)).toMatchObject({ id: 3n, peerUrls: ['p'], name: 'n' });
  });

  test('URLs that are null are none', () => {
    expect(parse('1', '{"id":1,"peerURLs":null,"clientURLs":null}')).toMatchObject({ peerUrls: [], clientUrls: [] });
  });

  test.each([
    ['A', 10n, false],
    ['0a', 10n, false],
    ['0000000000000000000a', 10n, false],
    ['0', 0n, true],
    ['000', 0n, false],
    ['6049dc3fc60cfbd', 0x6049dc3fc60cfbdn, true],
  ])('key %s stands for an id; etcd spells it without zeros and in lower case', (key, keyId, canonical) => {
    expect(parse(key, '{}')).toMatchObject({ key, keyId, canonical });
    expect(parseRemovedMember(toBytes(key))).toEqual({ id: keyId, key, canonical });
  });

  test.each([
    '',
    'g',
    '0x1',
    '+1',
    ' 1',
    '1_0',
    '10000000000000000',
    'ffffffffffffffff0',
    '1\n',
    new Uint8Array([0xff]),
  ])('key %j is no id', (key) => {
    const problem = 'its key is not a 64-bit number in hexadecimal digits';
    expect(parse(key, GOLDEN)).toEqual({ problem });
    expect(parseRemovedMember(toBytes(key))).toEqual({ problem });
  });

  test.each([
    ['', 'it is not the JSON of a member: the text ends too early at byte 0'],
    ['{"id":1', 'it is not the JSON of a member: the text ends too early at byte 7'],
    ['null', 'it is null'],
    ['[]', 'it is not the JSON of a member: the text is no JSON object'],
    ['{"id":18446744073709551616}', 'it is not the JSON of a member: "id" is not an unsigned 64-bit number'],
    ['{"id":"1"}', 'it is not the JSON of a member: "id" is not an unsigned 64-bit number'],
    ['{"peerURLs":"http://h"}', 'it is not the JSON of a member: "peerURLs" is not a list of texts'],
    ['{"clientURLs":[7]}', 'it is not the JSON of a member: "clientURLs" is not a list of texts'],
    ['{"name":7}', 'it is not the JSON of a member: "name" is not a text'],
    ['{"isLearner":"true"}', 'it is not the JSON of a member: "isLearner" is not true or false'],
  ])('value %j is no member', (value, problem) => {
    expect(parse('1', value)).toEqual({ problem });
  });
});

test.each([
  ['3.6.0', '3.6.0', true],
  ['3.7.0', '3.6.0', true],
  // A new server of 3.6, in its first seconds.
  [null, '3.6.0', true],
  // A server of 3.6 in a cluster that is being downgraded, or data of 3.5.
  [null, '3.5.0', false],
  [null, '3.4.0', false],
  [null, null, false],
  ['garbage', '3.10.0', true],
  [null, '4.0.0', true],
])('servers go by the members of a db of storage version %s, cluster version %s: %s', (storage, cluster, expected) => {
  expect(membersCount(storage, cluster)).toBe(expected);
});

describe('the membership of a db', () => {
  test('is listed by id, whatever the order of keys is', async () => {
    const ids = [0xf6cf6ec69b80e2aen, 0x28c636493431c565n, 0x6049dc3fc60cfbdn, 1n];
    const file = await openDb({
      members: ids.map((id) => [id.toString(16), goJson({ id, peerURLs: [`http://h:${id}`] })]),
      members_removed: [
        ['ff', 'removed'],
        ['a', 'removed'],
        ['b0', ''],
      ],
    });
    const { members, removed, unreadable } = readMembers(file.db);
    expect(members.map(({ id }) => id)).toEqual([1n, 0x6049dc3fc60cfbdn, 0x28c636493431c565n, 0xf6cf6ec69b80e2aen]);
    expect(removed).toEqual([0xan, 0xb0n, 0xffn]);
    expect(unreadable.count).toBe(0);
  });

  test('is empty without its buckets', async () => {
    const file = await openDb({}, { bare: true });
    expect(readMembers(file.db)).toMatchObject({ members: [], removed: [], unreadable: { count: 0, listed: [] } });
  });

  test('bad records are passed over and told, with their place', async () => {
    const buckets = {
      members: [
        ['1', '{"id":1'],
        ['2', '{"id":2}'],
        ['zz', '{}'],
      ] as Pairs,
      members_removed: [
        ['3', 'removed'],
        ['-', 'removed'],
      ] as Pairs,
    };
    const file = await openDb(buckets);
    const { members, removed, unreadable } = readMembers(file.db);
    expect(members.map(({ id }) => id)).toEqual([2n]);
    expect(removed).toEqual([3n]);
    expect(unreadable.count).toBe(3);
    expect(unreadable.listed.map(({ bucket, key }) => `${bucket} ${new TextDecoder().decode(key)}`)).toEqual([
      'members 1',
      'members zz',
      'members_removed -',
    ]);
    const bytes = await makeDb(buckets);
    for (const { key, offset, pageId } of unreadable.listed) {
      expect(bytes.subarray(offset, offset + key.length)).toEqual(key);
      expect(pageId).toBe(Math.floor(offset / 4096));
    }
  });

  test('of very many bad records only the first are listed', async () => {
    const pairs = Array.from({ length: 1000 }, (_, i) => [`x${`${i}`.padStart(4, '0')}`, '{}'] as const);
    const { unreadable } = readMembers((await openDb({ members: pairs })).db);
    expect(unreadable.count).toBe(1000);
    expect(unreadable.listed).toHaveLength(100);
  });

  test('a value of more than 16 MiB is not read', async () => {
    const file = await openDb({ members: [['1', new Uint8Array((16 << 20) + 1)]] });
    expect(readMembers(file.db).unreadable.listed[0]?.reason).toBe('it has 16777217 bytes');
  });

  const url = fc.webUrl({ withQueryParameters: true });
  const member = fc.record({
    id: fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }),
    name: fc.string({ unit: 'binary' }),
    peerUrls: fc.array(url, { maxLength: 3 }),
    clientUrls: fc.array(url, { maxLength: 3 }),
    isLearner: fc.boolean(),
  });
  property.prop([fc.uniqueArray(member, { selector: ({ id }) => id, maxLength: 8 })], { numRuns: 40 })(
    'what Go would write is read back',
    async (wanted) => {
      const pairs = wanted.map(({ id, name, peerUrls, clientUrls, isLearner }): readonly [string, string] => [
        id.toString(16),
        goJson({
          id,
          peerURLs: peerUrls.length === 0 ? null : peerUrls,
          isLearner: isLearner || undefined,
          name: name === '' ? undefined : name,
          clientURLs: clientUrls.length === 0 ? undefined : clientUrls,
        }),
      ]);
      const { members, unreadable } = readMembers((await openDb({ members: pairs })).db);
      expect(unreadable.count).toBe(0);
      expect(members).toEqual(
        wanted
          .map((each) => ({ ...each, key: each.id.toString(16), keyId: each.id, canonical: true }))
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
    },
  );

  property.prop([fc.uint8Array({ maxLength: 40 }), fc.oneof(fc.uint8Array({ maxLength: 80 }), fc.json().map(toBytes))])(
    'any bytes give a member or a reason',
    (key, value) => {
      const parsed = parseMember(key, value);
      expect('problem' in parsed ? typeof parsed.problem : typeof parsed.id).toMatch(/string|bigint/);
    },
  );
});
