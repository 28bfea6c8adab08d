// The members that a log begins with, and the id of their cluster.
import { describe, expect, test } from 'vitest';
import { parseEntry } from '../../src/proto/raft.ts';
import { BootstrapMembers, clusterIdOf } from '../../src/wal/bootstrap-members.ts';
import { readWal } from '../../src/wal/reader.ts';
import { logFixtures, segments } from '../support/log-fixtures.ts';
import { bytes, number } from './etcd/raw-log.ts';

const adding = (node: bigint, type = 0): Uint8Array => bytes(number(2, type), number(3, node));

describe('first members', () => {
  test('one member makes the cluster id of a real directory', () => {
    // A member of 3.7.1, from the head of its log.
    expect(clusterIdOf([0xb5aa2546e8364707n])).toBe(0x409947e768f36fefn);
  });

  test('the order in which they are given does not matter', () => {
    expect(clusterIdOf([1n, 2n, 2n ** 64n - 1n])).toBe(clusterIdOf([2n ** 64n - 1n, 2n, 1n]));
    expect(clusterIdOf([1n, 2n])).not.toBe(clusterIdOf([1n, 3n]));
  });

  test('are those of the entries of term 1 from index 1 on', () => {
    const members = new BootstrapMembers();
    members.add(1, 1, 1, adding(5n));
    members.add(1, 1, 2, adding(6n));
    expect(members.collecting).toBe(true);
    members.add(0, 2, 3, bytes());
    expect(members.collecting).toBe(false);
    expect(members.count).toBe(2);
    expect(members.clusterId).toBe(clusterIdOf([5n, 6n]));
  });

  test.each([
    ['the log does not begin with entry 1', (m: BootstrapMembers) => m.add(1, 1, 2, adding(5n))],
    ['the first entry is of a later term', (m: BootstrapMembers) => m.add(1, 2, 1, adding(5n))],
    ['the first entry is a request', (m: BootstrapMembers) => m.add(0, 1, 1, bytes())],
    ['a member is removed', (m: BootstrapMembers) => m.add(1, 1, 1, adding(5n, 1))],
    ['a change names no member', (m: BootstrapMembers) => m.add(1, 1, 1, number(2, 0))],
    ['a change is garbage', (m: BootstrapMembers) => m.add(1, 1, 1, bytes([0xff]))],
    ['nothing came', (m: BootstrapMembers) => m.stop()],
  ])('nothing is said where %s', (_, tell) => {
    const members = new BootstrapMembers();
    tell(members);
    expect(members.collecting).toBe(false);
    expect(members.clusterId).toBe(undefined);
  });

  test('more than any cluster has are not kept', () => {
    const members = new BootstrapMembers();
    for (let i = 1; i < 1100; i++) members.add(1, 1, i, adding(BigInt(i)));
    expect([members.count, members.collecting]).toEqual([1000, false]);
  });
});

test('in all stored logs that begin with their first members these make the id in the metadata', () => {
  let checked = 0;
  for (const fixture of logFixtures().filter(({ scenario }) => scenario !== 'segments')) {
    const [first] = segments(fixture);
    using log = readWal({ segments: [first!] });
    const members = new BootstrapMembers();
    for (const item of log.records()) {
      if (item.kind !== 'record' || item.type !== 2) continue;
      const { type = 0, term = 0n, index = 0n, data = bytes() } = parseEntry(item.data!);
      members.add(type, Number(term), Number(index), data);
      if (!members.collecting) break;
    }
    if (members.clusterId === undefined) continue;
    checked++;
    expect(members.clusterId, fixture.name).toBe(log.state.metadata?.clusterId);
  }
  expect(checked).toBeGreaterThan(30);
});
