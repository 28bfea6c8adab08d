/**
 * Golden bytes: what `snapshot restore` of each version writes for the members of one example.
 */
import { describe, expect, test } from 'vitest';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { encodeV2Store, type V2StoreMember } from '../../src/snap/encode-v2-store.ts';
import { readSnap } from '../../src/snap/reader.ts';
import { encodeSnap } from '../../src/snap/writer.ts';

const GOLD: readonly V2StoreMember[] = [
  { id: 0x7048467a862dd57dn, peerURLs: ['http://10.0.0.1:2380'] },
  { id: 0x2142f9b77b03511dn, peerURLs: ['http://10.0.0.2:2380'] },
  { id: 0x38a1050657bbc6ben, peerURLs: ['http://10.0.0.3:2380'] },
];
const TWO: readonly V2StoreMember[] = [
  { id: 0x1236a196b9a730d5n, peerURLs: ['http://127.0.0.1:23801'] },
  { id: 0x5c8bde0e9bd4e13dn, peerURLs: ['http://127.0.0.1:23802'] },
];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function restored(members: readonly V2StoreMember[], minor: EtcdMinor): { data: Uint8Array; file: Uint8Array } {
  const data = encodeV2Store({ members }, minor);
  const voters = members.map(({ id }) => id).sort((a, b) => (a < b ? -1 : 1));
  const confState = { voters, learners: [], votersOutgoing: [], learnersNext: [] };
  return { data, file: encodeSnap({ index: BigInt(members.length), term: 1n, confState, data }, minor) };
}

describe.each([
  ['3.4', 6487, '08fcdb809101', '12120a0c08fdaab7b1a8cf91a470280010011801'],
  ['3.5', 6487, '08fcdb809101', '12120a0c08fdaab7b1a8cf91a470280010011801'],
  ['3.6', 6487, '08b9ae8fbd0b', '12120a0c08fdaab7b1a8cf91a470280010011801'],
  ['3.7', 6485, '088595a69906', '12100a0a08fdaab7b1a8cf91a47010011801'],
] as const)('restored by %s', (minor, size, crc, tail) => {
  test('one member', () => {
    const { data, file } = restored(GOLD.slice(0, 1), minor);
    expect(data.length).toBe(6455);
    expect(file.length).toBe(size);
    expect(hex(file).startsWith(crc)).toBe(true);
    expect(hex(file).endsWith(tail)).toBe(true);
  });

  test('two and three members', () => {
    expect(restored(TWO, minor).data.length).toBe(6988);
    expect(restored(TWO, minor).file.length).toBe(minor === '3.7' ? 7028 : 7030);
    expect(restored(GOLD, minor).data.length).toBe(7505);
  });

  test('members are made in ascending order, whatever order they are given in', () => {
    expect(hex(restored([...GOLD].reverse(), minor).data)).toBe(hex(restored(GOLD, minor).data));
    const text = new TextDecoder().decode(restored(GOLD, minor).data);
    expect(text).toContain('"/0/members/2142f9b77b03511d","CreatedIndex":1,');
    expect(text).toContain('"/0/members/7048467a862dd57d","CreatedIndex":3,');
  });
});

test('ids of fewer digits sort as text in the document, as numbers in the events', () => {
  const members = [0x10n, 0x9n, 0xan].map((id) => ({ id, peerURLs: [] }));
  const text = new TextDecoder().decode(encodeV2Store({ members }, '3.5'));
  expect([...text.matchAll(/"([0-9a-f]+)":\{"Path":"\/0\/members\//g)].map(([, id]) => id)).toEqual(['10', '9', 'a']);
  expect([...text.matchAll(/"key":"\/0\/members\/([0-9a-f]+)\//g)].map(([, id]) => id)).toEqual(['9', 'a', '10']);
});

test.each(ETCD_MINORS)('everything that goes in comes out again (%s)', (minor) => {
  const content = {
    members: [
      { id: 1n, peerURLs: ['http://h/?a=1&b=<2>', '"\\'], isLearner: true, name: 'é<&>', clientURLs: ['c'] },
      { id: 0xffffffffffffffffn, peerURLs: [], isLearner: false, name: undefined, clientURLs: undefined },
    ],
    removed: [5n, 3n],
    version: '3.6.0',
  };
  const data = encodeV2Store(content, minor);
  const confState = { voters: [0xffffffffffffffffn], learners: [1n], votersOutgoing: [], learnersNext: [] };
  const snap = readSnap(encodeSnap({ index: 7n, term: 3n, confState, data }, minor));
  expect(snap).toMatchObject({ index: 7n, term: 3n, confState, dataKind: 'v2-store' });
  expect(snap.store).toMatchObject({ members: content.members, removed: [3n, 5n], version: '3.6.0', currentIndex: 6n });
});

test('the list of events never has more than it can hold', () => {
  const members = Array.from({ length: 1001 }, (_, i) => ({ id: BigInt(i + 1), peerURLs: ['p'] }));
  const text = new TextDecoder().decode(encodeV2Store({ members }, '3.6'));
  expect(text.match(/"action"/g)).toHaveLength(1000);
  expect(text).toContain('"Size":1000,"Front":1,"Back":1,"Capacity":1000},"StartIndex":2,"LastIndex":1001}');
});
