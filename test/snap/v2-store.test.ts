/**
 * The v2 store: what is kept of it, and what etcd would not start from.
 */
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { readSnap } from '../../src/snap/reader.ts';
import { customContent, type V2Store, type V2StoreOptions, V2StoreReading } from '../../src/snap/v2-store.ts';
import { logFixture } from '../support/log-fixtures.ts';
import { snapFile, v2Document } from '../support/snap-files.ts';

function read(document: string, options?: V2StoreOptions): V2Store {
  const reading = new V2StoreReading(new TextEncoder().encode(document), options);
  while (!reading.step());
  return reading.result;
}

const file = (value: string): string => `{"Value":${JSON.stringify(value)},"Children":null}`;
const directory = (...children: string[]): string => `{"Children":{${children.join(',')}}}`;
const top = (name: string, ...children: string[]): string => `"${name}":${directory(...children)}`;

describe('keys of the v2 API', () => {
  const { store } = readSnap(logFixture('3.5.33/v2/m1').snapFiles.at(-1)!.bytes, { maxKeys: 1000 });

  test('are counted and listed as their users know them', () => {
    const { files, directories, listed } = store!.keys;
    expect({ files, directories }).toEqual({ files: 37, directories: 6 });
    expect(listed).toHaveLength(43);
    expect(listed).toContainEqual({ path: '/dir0/key0', directory: false, expires: undefined });
    expect(listed).toContainEqual({ path: '/emptydir', directory: true, expires: undefined });
    expect(listed).toContainEqual({ path: '/expiring', directory: false, expires: '2027-02-24T04:53:53.798289758Z' });
  });

  test('are listed up to a limit', () => {
    expect(readSnap(logFixture('3.5.33/v2/m1').snapFiles.at(-1)!.bytes, { maxKeys: 2 }).store!.keys).toMatchObject({
      files: 37,
      listed: [{}, {}],
    });
  });

  test('values are not kept', () => {
    expect(JSON.stringify(store, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).not.toContain(
      'v2-1-36',
    );
  });
});

describe('users of the v2 API', () => {
  const auth = top(
    '2',
    `"enabled":${file('true')}`,
    `"users":${directory(`"root":${file('{"password":"$2a$10$x"}')}`)}`,
  );

  test('are counted, and nothing of their passwords is kept', () => {
    const store = read(v2Document(`${auth.replace(/\}\}$/, `,"roles":${directory(`"guest":${file('{}')}`)}}}`)}`));
    expect(store.auth).toEqual({ users: 1, roles: 1, enabled: true });
    expect(JSON.stringify(store, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).not.toContain('$2a');
  });
});

describe('custom content', () => {
  test.each([
    ['nothing but etcd\u2019s own', '', [], []],
    ['an empty /1', top('1'), [], []],
    ['keys', top('1', `"a":${file('')}`), ['/1'], ['/1']],
    ['an empty directory', top('1', `"a":${directory()}`), ['/1'], ['/1']],
    ['/2 with files alone', top('2', `"enabled":${file('false')}`), [], ['/2']],
    ['/2 with empty directories', top('2', `"users":${directory()}`), [], ['/2']],
    ['/2 with users', top('2', `"users":${directory(`"root":${file('')}`)}`), ['/2'], ['/2']],
    ['anything else', top('foo', `"a":${file('')}`), ['/foo'], ['/foo']],
  ])('%s', (_, more, now, before) => {
    const store = read(v2Document(more));
    expect(customContent(store)).toEqual(now);
    expect(customContent(store, false)).toEqual(before);
  });
});

describe('what etcd up to 3.6 would not start from', () => {
  const member = (...children: string[]): string => v2Document('', directory(...children));
  const raft = `"raftAttributes":${file('{"peerURLs":["http://a"]}')}`;
  test.each([
    ['not JSON', '{"Root":', /ends too early/],
    ['not an object', '[]', /not an object/],
    ['a root that is no node', '{"Root":null}', /not an object/],
    ['children that are no object', '{"Root":{"Children":[]}}', /children of a node/],
    ['a child that is no node', '{"Root":{"Children":{"0":1}}}', /a node is not an object/],
    ['a value that is no string', '{"Root":{"Value":1}}', /Value of a node is not a string/],
    ['an index that is no number', '{"Root":{"CreatedIndex":"1"}}', /CreatedIndex/],
    ['an index below zero', '{"CurrentIndex":-1}', /CurrentIndex/],
    ['an index of more than 64 bits', '{"CurrentIndex":18446744073709551616}', /CurrentIndex/],
    ['a number of endless digits', `{"CurrentIndex":${'1'.repeat(2000)}}`, /digits/],
    ['a member without raftAttributes', member(`"attributes":${file('{}')}`), /has no raftAttributes/],
    ['a member with an unknown key', member(raft, `"more":${file('')}`), /unknown key/],
    ['attributes that are not JSON', member(`"raftAttributes":${file('{')}`), /attributes of member 1: the text ends/],
    ['attributes that are no object', member(`"raftAttributes":${file('[]')}`), /not an object/],
    [
      'peer URLs that are no list',
      member(`"raftAttributes":${file('{"peerURLs":"x"}')}`),
      /raftAttributes of member 1/,
    ],
    [
      'a learner that is no boolean',
      member(`"raftAttributes":${file('{"isLearner":1}')}`),
      /raftAttributes of member 1/,
    ],
    ['a name that is no string', member(raft, `"attributes":${file('{"name":1}')}`), /attributes of member 1/],
    ['a member whose id is no number', v2Document().replace('"1":{"Path"', '"xyz":{"Path"'), /number in hex/],
    [
      'a member whose id has 17 digits',
      v2Document().replace('"1":{"Path"', `"${'1'.repeat(17)}":{"Path"`),
      /number in hex/,
    ],
    ['deeper than Go reads', `{"Root":${'{"Children":{"a":'.repeat(6000)}`, /levels/],
  ])('%s', (_, document, message) => {
    let error: unknown;
    try {
      read(document);
    } catch (thrown) {
      error = thrown;
    }
    expect(isDatadirError(error, 'JSON_INVALID', 'SNAP_DAMAGED')).toBe(true);
    expect((error as Error).message).toMatch(message);
    // The file itself can be read, and says what is wrong with the store.
    const { dataProblem, store } = readSnap(snapFile({ document }));
    expect(dataProblem?.reason).toMatch(message);
    expect(store).toBeUndefined();
  });

  test('the place counts in the file', () => {
    const bytes = snapFile({ document: '{"Root":{"Value":1}}' });
    const { offset } = readSnap(bytes).dataProblem!;
    expect(String.fromCharCode(bytes[offset!]!)).toBe('1');
  });
});

test('what Go takes for nothing is nothing', () => {
  const node = '{"Path":null,"Value":null,"CreatedIndex":null,"ExpireTime":null,"Children":null,"More":[{}]}';
  expect(read(`{"Root":${node},"CurrentIndex":null,"Stats":{"a":[1]}}`)).toMatchObject({
    members: [],
    currentIndex: 0n,
  });
});

test('data of another program is not taken for a v2 store', () => {
  expect(readSnap(snapFile({ document: '{"key":"value"}' }))).toMatchObject({
    dataKind: 'other',
    dataProblem: { reason: 'the document has no Root' },
  });
  expect(readSnap(snapFile({ document: 'gob' }))).toMatchObject({ dataKind: 'other' });
  expect(readSnap(snapFile({ document: '' }))).toMatchObject({
    dataKind: 'empty',
    dataProblem: { reason: 'there is none' },
  });
});
