/**
 * The first log and the first `.snap` file byte for byte, as `snapshot restore` of 3.4.23, 3.5.33, 3.6.14 and 3.7.1 wrote them.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { firstConfState, firstIndex, writeFirstLog } from '../../../src/datadir/create/first-log.ts';
import { firstSnap } from '../../../src/datadir/create/first-snap.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../../src/etcd-version.ts';
import { parseInitialCluster } from '../../../src/membership/initial-cluster.ts';
import { type NewCluster, newCluster } from '../../../src/membership/new-cluster.ts';
import { encodeSnap } from '../../../src/snap/writer.ts';
import { holedLogDirectory } from '../../support/holed-log-directory.ts';
import { recordsOf, SEGMENT_SIZE } from '../../support/restore-cases.ts';

const cluster = (list: string, token: string, learners: readonly string[] = []): NewCluster =>
  newCluster(parseInitialCluster(list, '3.7'), token, new Set(learners));

const GOLD1 = cluster('n1=http://10.0.0.1:2380', 'gold');
const GOLD3 = cluster([1, 2, 3].map((n) => `n${n}=http://10.0.0.${n}:2380`).join(','), 'gold');
const TOK2 = cluster('n1=http://127.0.0.1:23801,n2=http://127.0.0.1:23802', 'tok2');

const idOf = ({ members }: NewCluster, name: string): bigint =>
  members.find((member) => member.name === name)?.id as bigint;

function log(of: NewCluster, local: string, minor: EtcdMinor): Uint8Array {
  const directory = holedLogDirectory();
  writeFirstLog(directory, of, idOf(of, local), minor);
  expect(directory.list()).toEqual(['0000000000000000-0000000000000000.wal']);
  const { written, size } = directory.read('0000000000000000-0000000000000000.wal');
  expect(size).toBe(SEGMENT_SIZE);
  return recordsOf(written);
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const packed = (text: string): string => text.replaceAll(/\s/g, '');

test('the ids', () => {
  const text = ({ clusterId, members }: NewCluster): string[] =>
    [clusterId, ...members.map(({ id }) => id)].map((id) => id.toString(16));
  expect(text(GOLD1)).toEqual(['5addfab2a7055944', '7048467a862dd57d']);
  expect(text(GOLD3)).toEqual(['f985b8633e93fc9e', '2142f9b77b03511d', '38a1050657bbc6be', '7048467a862dd57d']);
  expect(text(TOK2)).toEqual(['cd65efb5d6443083', '1236a196b9a730d5', '5c8bde0e9bd4e13d']);
});

describe('log', () => {
  const of35 = {
    gold1: 'de96e833383e18c39c7616aee57ca31628c78ed18c0759e4180f78ff43792007',
    gold3: '14368ca9f26276ea63afc35d697d574a9291d67fe2ac37ee18c9752b6571dfdd',
    tok2: '23c9c447b369b227d627202cfcfb5c6da69a3053ebbac2c8f7f643500aa44f8f',
    lengths: [272, 528, 400],
  };
  const known: Readonly<Record<EtcdMinor, typeof of35>> = {
    '3.4': {
      gold1: 'c5521f327ce4c35b502ae8fc6632d1cef99495fe63588a5804d6801f12a50257',
      gold3: '8ee2d590220cf136fed308355862485308c42f2cd013f0d3fd2fe198a8946d89',
      tok2: '31ea71c201331f68b0a0fa315855409a31d736b9096a2b81b920fbd701c541a0',
      lengths: [256, 496, 376],
    },
    '3.5': of35,
    '3.6': of35,
    '3.7': {
      gold1: '810807ce3367c23477ea42e2c0ec11313504e25e12ff886d5673efc76ea41684',
      gold3: 'cf852f27b67c1835f9b942f912d17c5ec64cfc81eaa5756920f8b3151acef98a',
      tok2: '29f9c4c99db6a606017194f121fbefd1c0edff5f047fa54ca74e08e4198c39b2',
      lengths: [272, 528, 400],
    },
  };

  test.each(ETCD_MINORS)('%s: one member, three seen by the second, two', (minor) => {
    const { gold1, gold3, tok2, lengths } = known[minor];
    const logs = [log(GOLD1, 'n1', minor), log(GOLD3, 'n2', minor), log(TOK2, 'n1', minor)];
    expect(logs.map((bytes) => bytes.length)).toEqual(lengths);
    expect(logs.map(sha256)).toEqual([gold1, gold3, tok2]);
  });

  test('record by record: crc, metadata, snapshot 0, the member, hard state, snapshot 1', () => {
    const json = Buffer.from('{"id":8090794222622201213,"peerURLs":["http://10.0.0.1:2380"],"name":"n1"}').toString(
      'hex',
    );
    expect(hex(log(GOLD1, 'n1', '3.5'))).toBe(
      packed(`
        0400000000000084 08041000 00000000
        1e00000000000082 080110f89480aa011a1408fdaab7b1a8cf91a47010c4b295b8aad6feee5a 0000
        0e00000000000082 080510a8f38cfe041a0408001000 0000
        6c00000000000084 080210d9c3ead60f1a62080110011801225a0800100018fdaab7b1a8cf91a470224a ${json} 00000000
        1800000000000000 080310a8ce8ad00f1a0e080110fdaab7b1a8cf91a4701801
        1c00000000000084 080510ca8096ba0e1a12080110011a0c08fdaab7b1a8cf91a4702800 00000000`),
    );
  });

  test('3.4 ends without the members of the snapshot, 3.7 leaves out fields that are zero', () => {
    expect(hex(log(GOLD1, 'n1', '3.4').subarray(232))).toBe(
      packed('0e00000000000082 080510adc0dcb7051a0408011001 0000'),
    );
    expect(hex(log(GOLD1, 'n1', '3.7').subarray(200))).toBe(
      packed(`
        1800000000000000 080310f1c9b9df011a0e080110fdaab7b1a8cf91a4701801
        1a00000000000086 080510e8dcb2aa0c1a10080110011a0a08fdaab7b1a8cf91a470 000000000000`),
    );
    expect(hex(log(TOK2, 'n1', '3.7').subarray(-48))).toMatch(
      packed('2300000000000085 080510e2fe86271a1a080210011a1408d5e19ccdebb2a89b1208bdc2d3dee9c1f7c55c0000000000'),
    );
  });

  test('the logs of three members differ in who they belong to, and so in their checksums; all vote for the smallest id', () => {
    const logs = ['n1', 'n2', 'n3'].map((name) => hex(log(GOLD3, name, '3.6')));
    expect(new Set(logs).size).toBe(3);
    // Hard state: term 1, vote 2142f9b77b03511d, commit 3.
    for (const text of logs) expect(text).toContain('1a0e0801109da28dd8f7b6bea1211803');
    expect(logs[1]?.slice(32, 112)).toBe(
      packed('1f00000000000081 080110d0cbc7c10d1a15089da28dd8f7b6bea121109ef9cff4b38ceec2f901 00'),
    );
  });
});

describe('.snap file', () => {
  const known: Readonly<Record<EtcdMinor, { crc: string; size: number; tok2: number }>> = {
    '3.4': { crc: '08fcdb809101', size: 6487, tok2: 7030 },
    '3.5': { crc: '08fcdb809101', size: 6487, tok2: 7030 },
    '3.6': { crc: '08b9ae8fbd0b', size: 6487, tok2: 7030 },
    '3.7': { crc: '088595a69906', size: 6485, tok2: 7028 },
  };

  test.each(ETCD_MINORS)('%s', (minor) => {
    const { crc, size, tok2 } = known[minor];
    const snap = firstSnap(GOLD1, minor);
    const bytes = encodeSnap(snap, minor);
    expect({ size: bytes.length, crc: hex(bytes).slice(0, 12) }).toEqual({ size, crc });
    expect(hex(bytes)).toMatch(
      minor === '3.7' ? /12100a0a08fdaab7b1a8cf91a47010011801$/ : /12120a0c08fdaab7b1a8cf91a470280010011801$/,
    );
    expect(snap.data.length).toBe(6455);
    expect(firstSnap(GOLD3, minor).data.length).toBe(7505);
    expect(firstSnap(TOK2, minor).data.length).toBe(6988);
    expect(encodeSnap(firstSnap(TOK2, minor), minor).length).toBe(tok2);
  });

  test('members are created in order of their ids, without names; 3.6 counts a probe', () => {
    const text = (minor: EtcdMinor): string => new TextDecoder().decode(firstSnap(TOK2, minor).data);
    expect([...text('3.6').matchAll(/"key":"\/0\/members\/([0-9a-f]+)\/raftAttributes"/g)].map(([, id]) => id)).toEqual(
      ['1236a196b9a730d5', '5c8bde0e9bd4e13d'],
    );
    expect(text('3.6')).not.toContain('n1');
    expect(ETCD_MINORS.map((minor) => /"getsFail":(\d)/.exec(text(minor))?.[1])).toEqual(['0', '0', '1', '1']);
  });
});

test('a learner is added as one, is no voter, and is not voted for', () => {
  // 1236a196b9a730d5, the smallest id, is the learner here.
  const learning = cluster('n1=http://127.0.0.1:23801,n2=http://127.0.0.1:23802', 'tok2', ['n1']);
  const [first, second] = learning.members.map(({ id }) => id);
  expect(firstConfState(learning)).toMatchObject({ voters: [second], learners: [first] });
  expect(firstIndex(learning)).toBe(2n);
  const text = hex(log(learning, 'n1', '3.6'));
  expect(text).toContain(Buffer.from('"isLearner":true').toString('hex'));
  // Type 3 of the change, then hard state: the vote is that of the other one.
  expect(text).toContain('0800100318d5e19ccdebb2a89b12');
  expect(text).toContain('1a0e080110bdc2d3dee9c1f7c55c1802');
  const store = new TextDecoder().decode(firstSnap(learning, '3.6').data);
  expect(store).toContain('\\"isLearner\\":true');
});
