// The bytes that real etcds and the real wal packages have written, made again here call by call.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import { type ConfState, type Entry, encodeConfChange } from '../../../src/proto/raft.ts';
import { memoryLogDirectory } from '../../../src/wal/log-directory.ts';
import { createWal, type WalWriter } from '../../../src/wal/writer.ts';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replace(/\s/g, ''), 'hex'));
const members = (...voters: bigint[]): ConfState => ({ voters, learners: [], votersOutgoing: [], learnersNext: [] });

/** The records of the only segment, as hex, after `write` has had the log. */
function written(
  etcdVersion: EtcdMinor,
  ids: { nodeId: bigint; clusterId: bigint },
  write: (log: WalWriter) => void,
): Buffer {
  const directory = memoryLogDirectory();
  const log = createWal(directory, ids, { etcdVersion, segmentSize: 4096 });
  write(log);
  log.close();
  const [name = ''] = directory.list();
  expect(directory.list()).toEqual(['0000000000000000-0000000000000000.wal']);
  const file = directory.read(name);
  expect(file.length).toBe(4096);
  expect(file.subarray(log.position).every((byte) => byte === 0)).toBe(true);
  return Buffer.from(file.subarray(0, log.position));
}

const same = (hex: string): string => hex.replace(/\s/g, '');

describe('a small log of the wal packages of 3.5.33, 3.6.14 and 3.7.1', () => {
  const HEAD = `04000000000000840804100000000000
    0e00000000000082080110a9f6f0ac0c1a04080110020000
    0e0000000000008208051099cffffd0d1a04080010000000`;
  const GOGO = `1300000000000085080210f9f6a9a50d1a090800100118012201780000000000
    100000000000000008031088c3fcbb091a06080110011801`;
  const EXPECTED: Record<EtcdMinor, string> = {
    '3.4': `${HEAD}${GOGO}0e00000000000082080510e89bbdc3021a04080110010000`,
    '3.5': `${HEAD}${GOGO}1400000000000084080510e7b9f6d10e1a0a080110011a040801280000000000`,
    '3.6': `${HEAD}${GOGO}1400000000000084080510e7b9f6d10e1a0a080110011a040801280000000000`,
    '3.7': `${HEAD}110000000000008708021094bba3f9021a071001180122017800000000000000
      1000000000000000080310a6f7d7d1031a06080110011801
      1200000000000086080510b6def4a90b1a08080110011a020801000000000000`,
  };

  test.each(Object.entries(EXPECTED) as [EtcdMinor, string][])('%s', (version, expected) => {
    const log = written(version, { nodeId: 1n, clusterId: 2n }, (wal) => {
      wal.save({ term: 1n, vote: 1n, commit: 1n }, [{ term: 1n, index: 1n, data: text('x') }]);
      wal.saveSnapshot({ index: 1n, term: 1n, confState: members(1n) });
    });
    expect(log.toString('hex')).toBe(same(expected));
  });
});

test('the first seconds of a member of 3.4.23', () => {
  const self = 0x2e1259d415f2a040n;
  const context = text(`{"id":${self},"peerURLs":["http://127.0.0.1:23800"],"name":"n1"}`);
  const change = encodeConfChange({ id: 0n, type: 0, nodeId: self, context }, 'gogo');
  const log = written('3.4', { nodeId: self, clusterId: 0x048276a8f75b6a87n }, (wal) => {
    wal.save({ term: 1n, vote: 0n, commit: 1n }, [{ type: 1, term: 1n, index: 1n, data: change }]);
    wal.save({ term: 2n, vote: self, commit: 2n }, [{ type: 0, term: 2n, index: 2n }]);
  });
  expect(log.toString('hex')).toBe(
    same(`04000000000000840804100000000000
      1d000000000000830801108d9cf9161a1408c0c0caafc1ba96892e1087d5edba8fd59dc104000000
      0e00000000000082080510878cc58d0d1a04080010000000
      6e0000000000008208021080a28882041a64080110011801225c0800100018c0c0caafc1ba96892e224c7b226964223a333331
      393831343634323736313633373935322c227065657255524c73223a5b22687474703a2f2f3132372e302e302e313a32333830
      30225d2c226e616d65223a226e31227d0000
      1000000000000000080310fef3d3930d1a06080110001801
      1000000000000000080210bab98e88021a06080010021802
      1800000000000000080310cfbcd9c10d1a0e080210c0c0caafc1ba96892e1802`),
  );
});

describe('the first seconds of a member', () => {
  const self = 0xb5aa2546e8364707n;
  const ids = { nodeId: self, clusterId: 0x409947e768f36fefn };
  const context = text(`{"id":${self},"peerURLs":["http://127.0.0.1:24201"],"name":"m1"}`);

  /** The saves of both versions; only what the messages leave out is different. */
  function start(wal: WalWriter, normal: Entry, change: Uint8Array, attributes: string, version: string): void {
    wal.save({ term: 1n, vote: 0n, commit: 1n }, [{ type: 1, term: 1n, index: 1n, data: change }]);
    wal.save({ term: 2n, vote: self, commit: 1n });
    wal.save(undefined, [{ ...normal, term: 2n, index: 2n }]);
    wal.save({ term: 2n, vote: self, commit: 3n }, [{ ...normal, term: 2n, index: 3n, data: bytes(attributes) }]);
    wal.save({ term: 2n, vote: self, commit: 4n }, [{ ...normal, term: 2n, index: 4n, data: bytes(version) }]);
  }

  test('3.6.14', () => {
    const change = encodeConfChange({ type: 0, nodeId: self, context }, 'gogo');
    const log = written('3.6', ids, (wal) =>
      start(
        wal,
        {},
        change,
        `a2060a0881cc80d4a9bce88347aa512908878ed9c1eea889d5b501121c0a026d311216687474703a2f2f3132372e302e302e31
         3a3234323030`,
        'a2060a0882cc80d4a9bce88347a251070a05332e362e30',
      ),
    );
    expect(log.subarray(0x50).toString('hex')).toBe(
      same(`7000000000000000080210fc9bbbfb061a66080110011801225e0800100018878ed9c1eea889d5b501224d7b226964223a3133
        3039303331363235333337393537373630372c227065657255524c73223a5b22687474703a2f2f3132372e302e302e313a3234
        323031225d2c226e616d65223a226d31227d
        1000000000000000080310bea09a99051a06080110001801
        1900000000000087080310a9faafc3011a0f080210878ed9c1eea889d5b501180100000000000000
        1000000000000000080210e7e7cfc20a1a06080010021802
        4b00000000000085080210c2c5ff820c1a410800100218032239a2060a0881cc80d4a9bce88347aa512908878ed9c1eea889d5
        b501121c0a026d311216687474703a2f2f3132372e302e302e313a32343230300000000000
        190000000000008708031098b7f2d5061a0f080210878ed9c1eea889d5b501180300000000000000
        2900000000000087080210f3a483e7021a1f0800100218042217a2060a0882cc80d4a9bce88347a251070a05332e362e300000
        0000000000
        1900000000000087080310889ed386071a0f080210878ed9c1eea889d5b501180400000000000000`),
    );
    expect(log.length).toBe(512);
  });

  test('3.7.1', () => {
    const change = encodeConfChange({ type: 0, nodeId: self, context }, 'google');
    const log = written('3.7', ids, (wal) =>
      start(
        wal,
        {},
        change,
        `a2060a0881aef9d4a9bce88347aa512908878ed9c1eea889d5b501121c0a026d311216687474703a2f2f3132372e302e302e31
         3a3234323030`,
        'a2060a0882aef9d4a9bce88347a251070a05332e372e30',
      ),
    );
    expect(log.toString('hex')).toBe(
      same(`04000000000000840804100000000000
        1f0000000000008108011084c6eef1011a1508878ed9c1eea889d5b50110efdfcdc7f6fcd1cc4000
        0e000000000000820805109dcbcaf8021a04080010000000
        6e00000000000082080210e58cc2db011a64080110011801225c100018878ed9c1eea889d5b501224d7b226964223a31333039
        303331363235333337393537373630372c227065657255524c73223a5b22687474703a2f2f3132372e302e302e313a32343230
        31225d2c226e616d65223a226d31227d0000
        1000000000000000080310efafa7c90a1a06080110001801
        1900000000000087080310808cc5cb031a0f080210878ed9c1eea889d5b501180100000000000000
        0e00000000000082080210fa84e1ff051a04100218020000
        490000000000008708021080fca9fc091a3f100218032239a2060a0881aef9d4a9bce88347aa512908878ed9c1eea889d5b501
        121c0a026d311216687474703a2f2f3132372e302e302e313a323432303000000000000000
        1900000000000087080310ac8e86f90a1a0f080210878ed9c1eea889d5b501180300000000000000
        2700000000000081080210e3bffced0d1a1d100218042217a2060a0882aef9d4a9bce88347a251070a05332e372e3000
        1900000000000087080310f3dcfdd30e1a0f080210878ed9c1eea889d5b501180400000000000000`),
    );
    expect(log.length).toBe(504);
  });
});

interface Member {
  readonly id: bigint;
  readonly name: string;
  readonly url: string;
}

/** What `snapshot restore` writes: one entry a member, in the order of their ids. */
function restored(version: EtcdMinor, local: bigint, clusterId: bigint, cluster: readonly Member[]): Buffer {
  const sorted = [...cluster].sort((a, b) => (a.id < b.id ? -1 : 1));
  const style = version === '3.7' ? 'google' : 'gogo';
  return written(version, { nodeId: local, clusterId }, (wal) => {
    const entries = sorted.map(({ id, name, url }, i) => {
      const context = text(`{"id":${id},"peerURLs":["${url}"],"name":"${name}"}`);
      return {
        type: 1,
        term: 1n,
        index: BigInt(i + 1),
        data: encodeConfChange({ type: 0, nodeId: id, context }, style),
      };
    });
    const n = BigInt(sorted.length);
    wal.save({ term: 1n, vote: sorted[0]?.id, commit: n }, entries);
    wal.saveSnapshot({ index: n, term: 1n, confState: members(...sorted.map(({ id }) => id)) });
  });
}

const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

describe('the logs of restored members', () => {
  const n1 = { id: 0x7048467a862dd57dn, name: 'n1', url: 'http://10.0.0.1:2380' };

  test.each([
    ['3.4', 256, 'c5521f327ce4c35b502ae8fc6632d1cef99495fe63588a5804d6801f12a50257'],
    ['3.5', 272, 'de96e833383e18c39c7616aee57ca31628c78ed18c0759e4180f78ff43792007'],
    ['3.6', 272, 'de96e833383e18c39c7616aee57ca31628c78ed18c0759e4180f78ff43792007'],
    ['3.7', 272, '810807ce3367c23477ea42e2c0ec11313504e25e12ff886d5673efc76ea41684'],
  ] as const)('one member, %s', (version, length, digest) => {
    const log = restored(version, n1.id, 0x5addfab2a7055944n, [n1]);
    expect(log.length).toBe(length);
    expect(sha256(log)).toBe(digest);
  });

  test.each([
    ['3.4', 496, '8ee2d590220cf136fed308355862485308c42f2cd013f0d3fd2fe198a8946d89'],
    ['3.5', 528, '14368ca9f26276ea63afc35d697d574a9291d67fe2ac37ee18c9752b6571dfdd'],
    ['3.6', 528, '14368ca9f26276ea63afc35d697d574a9291d67fe2ac37ee18c9752b6571dfdd'],
    ['3.7', 528, 'cf852f27b67c1835f9b942f912d17c5ec64cfc81eaa5756920f8b3151acef98a'],
  ] as const)('three members, %s', (version, length, digest) => {
    const n2 = { id: 0x2142f9b77b03511dn, name: 'n2', url: 'http://10.0.0.2:2380' };
    const n3 = { id: 0x38a1050657bbc6ben, name: 'n3', url: 'http://10.0.0.3:2380' };
    const log = restored(version, n2.id, 0xf985b8633e93fc9en, [n1, n2, n3]);
    expect(log.length).toBe(length);
    expect(sha256(log)).toBe(digest);
  });

  test.each([
    ['3.4', 376, '31ea71c201331f68b0a0fa315855409a31d736b9096a2b81b920fbd701c541a0'],
    ['3.5', 400, '23c9c447b369b227d627202cfcfb5c6da69a3053ebbac2c8f7f643500aa44f8f'],
    ['3.6', 400, '23c9c447b369b227d627202cfcfb5c6da69a3053ebbac2c8f7f643500aa44f8f'],
    ['3.7', 400, '29f9c4c99db6a606017194f121fbefd1c0edff5f047fa54ca74e08e4198c39b2'],
  ] as const)('two members, %s', (version, length, digest) => {
    const a = { id: 0x1236a196b9a730d5n, name: 'n1', url: 'http://127.0.0.1:23801' };
    const b = { id: 0x5c8bde0e9bd4e13dn, name: 'n2', url: 'http://127.0.0.1:23802' };
    const log = restored(version, a.id, 0xcd65efb5d6443083n, [a, b]);
    expect(log.length).toBe(length);
    expect(sha256(log)).toBe(digest);
  });
});
