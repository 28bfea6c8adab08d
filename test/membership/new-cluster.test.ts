/**
 * The ids of members and clusters. Most are those of directories that real servers and tools of etcd have made.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { parseInitialCluster } from '../../src/membership/initial-cluster.ts';
import { memberIdOf } from '../../src/membership/member-id.ts';
import { newCluster } from '../../src/membership/new-cluster.ts';
import { recorded } from './recorded.ts';

const three = parseInitialCluster('a=http://10.0.0.1:2380,b=http://10.0.0.2:2380,c=http://10.0.0.3:2380', '3.6');

describe('member id', () => {
  test.each([
    ['http://localhost:2380', 'etcd-cluster', '8e9e05c52164694d'],
    ['http://127.0.0.1:23800', 'tok', '25351fad42b3c84c'],
    ['http://127.0.0.1:23801', 'tok2', '1236a196b9a730d5'],
    ['http://127.0.0.1:23802', 'tok2', '5c8bde0e9bd4e13d'],
    ['http://127.0.0.1:32381', 'gold', 'ba18ffa002cc5ac8'],
    ['http://127.0.0.1:4001', 'c3', '822c5e51cad1f6dc'],
    ['http://127.0.0.1:4003', 'c3', '85349e012917fc3f'],
    ['http://127.0.0.1:4005', 'c3', '4ec6bfbe569c42f'],
  ])('of %s with token %s', (url, token, id) => {
    expect(memberIdOf([url], token).toString(16)).toBe(id);
  });

  test('the order of its URLs does not matter', () => {
    const urls = ['http://10.0.0.2:2380', 'http://10.0.0.1:2380'];
    expect(memberIdOf(urls, 'tkn')).toBe(0xd7a32b2f3ce002bcn);
    expect(memberIdOf(urls.toReversed(), 'tkn')).toBe(0xd7a32b2f3ce002bcn);
  });

  test('a member that is added has a time and no token', () => {
    expect(memberIdOf(['http://10.0.0.1:2380'], '', 1700000000n)).toBe(0x20887cfd5ab65081n);
  });
});

describe('new cluster', () => {
  test.each([
    ['http://localhost:2380', 'etcd-cluster', 'cdf818194e3a8c32'],
    ['http://127.0.0.1:23800', 'tok', '3d3fd201ef4996ab'],
    ['http://127.0.0.1:23801', 'tok2', 'a9ce684c882f530c'],
    ['http://10.0.0.1:2380', 'gold', '5addfab2a7055944'],
    ['http://127.0.0.1:32381', 'gold', '73eae27fa8e88822'],
  ])('one member at %s with token %s', (url, token, id) => {
    expect(newCluster(new Map([['n', [url]]]), token).clusterId.toString(16)).toBe(id);
  });

  test('two members', () => {
    const two = parseInitialCluster('a=http://127.0.0.1:23801,b=http://127.0.0.1:23802', '3.6');
    expect(newCluster(two, 'tok2').clusterId).toBe(0xcd65efb5d6443083n);
  });

  test('members come by ascending id, with what was given', () => {
    expect(newCluster(three, 'gold', new Set(['a']))).toEqual({
      clusterId: 0xf985b8633e93fc9en,
      token: 'gold',
      members: [
        { id: 0x2142f9b77b03511dn, name: 'b', peerUrls: ['http://10.0.0.2:2380'], isLearner: false },
        { id: 0x38a1050657bbc6ben, name: 'c', peerUrls: ['http://10.0.0.3:2380'], isLearner: false },
        { id: 0x7048467a862dd57dn, name: 'a', peerUrls: ['http://10.0.0.1:2380'], isLearner: true },
      ],
    });
  });

  test.each(recorded.bootstraps.filter(({ answers }) => answers['3.7']?.out !== undefined))(
    'the ids of etcdutl: $cluster with token $token',
    ({ cluster, token, answers }) => {
      const made = newCluster(parseInitialCluster(cluster, '3.7'), token);
      const members = made.members.map(({ id }) => id.toString(16)).sort();
      expect([made.clusterId.toString(16), ...members]).toEqual(answers['3.7']?.out);
    },
  );

  test('URLs that read the same one after the other make the same id', () => {
    const same = parseInitialCluster('a=unix:///x,a=unix:///y,b=unix:///xunix:///y', '3.6');
    // So says etcdutl; at times it names the other one.
    const words = 'member exists with identical ID &{17a10fd356fd2847 {[unix:///xunix:///y] false} {b []}}';
    expect(() => newCluster(same, 't')).toThrow(expect.objectContaining({ code: 'USAGE', message: words }));
  });

  test.each([
    [['x'], 'the learner "x" is no member of the cluster'],
    [['a', 'b'], '2 learners: a cluster has at most 1'],
  ])('learners %j', (learners, words) => {
    expect(() => newCluster(three, 't', new Set(learners))).toThrow(
      expect.objectContaining({ code: 'USAGE', message: words }),
    );
  });

  test('somebody must vote', () => {
    const one = parseInitialCluster('a=http://h:1', '3.6');
    expect(() => newCluster(one, 't', new Set(['a']))).toThrow(
      'all members are learners: a cluster needs at least one that votes',
    );
    expect(() => newCluster(new Map(), 't')).toThrow('no members: a cluster needs at least one that votes');
  });

  const ports = fc.uniqueArray(fc.nat(65535), { minLength: 1, maxLength: 12 });
  property.prop([ports, fc.string()])('the order and the names of members do not matter for ids', (all, token) => {
    const named = (names: (port: number) => string): string =>
      all.map((port) => `${names(port)}=http://h:${port}`).join(',');
    const plain = newCluster(parseInitialCluster(named(String), '3.6'), token);
    const other = newCluster(
      parseInitialCluster(
        named((port) => `x${99999 - port}`),
        '3.6',
      ),
      token,
    );
    expect(other.clusterId).toBe(plain.clusterId);
    expect(other.members.map(({ id }) => id)).toEqual(plain.members.map(({ id }) => id));
    expect(plain.members.every(({ id }, i) => i === 0 || id > plain.members[i - 1]!.id)).toBe(true);
  });
});
