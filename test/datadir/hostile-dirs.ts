/**
 * Small directories that hold some of everything, to be spoiled: two members of different clusters and releases.
 */
import { makeDb, type Pairs, put as record, uint64 } from '../support/backend-db.ts';
import type { DirContent } from '../support/data-dir-fixtures.ts';
import { emptyEntry, metadata, snapshot, state } from '../support/small-log.ts';
import { snapFile, v2Document } from '../support/snap-files.ts';
import { change, OTHERS, put, request, SELF, smallContent } from './replay/small-dir.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
/** As etcd makes them of the first members. */
const CLUSTER = 0x2e1c906bc96c841fn;
const OTHER_CLUSTER = 0x5951d36986a171cn;

const member = (id: bigint): readonly [string, string] => [
  id.toString(16),
  `{"id":${id},"peerURLs":["http://m${id}:2380"],"name":"m${id}","clientURLs":["http://m${id}:2379"]}`,
];

/** What the first nine entries of the log have made. */
const KEYS: Pairs = [
  record(2, 0, { key: 'k0', value: 'v' }),
  record(3, 0, { key: 'k1', value: 'v' }),
  record(4, 0, { key: 'k3', value: 'v', lease: 77 }),
  record(5, 0, { key: 'k4', value: 'v' }),
  record(6, 0, { key: 'k0', value: 'v', createRevision: 2, version: 2 }),
  record(7, 0, { key: 'k1', value: 'v', createRevision: 3, version: 2 }),
];

/** Snapshots at 4 and 8, in files and in the log; the db has got to 9, the log to 14. */
export async function loneDir(version = '3.6.0'): Promise<DirContent> {
  const db = await makeDb({
    auth: [['authRevision', uint64(1n)]],
    cluster: [['clusterVersion', version]],
    key: KEYS,
    lease: [[uint64(77n), Uint8Array.from([8, 77, 16, 100])]],
    members: [member(SELF)],
    meta: [
      ['confState', `{"voters":[${SELF}],"auto_leave":false}`],
      ['consistent_index', uint64(9n)],
      ['term', uint64(2n)],
      ...(version === '3.6.0' ? ([['storageVersion', '3.6.0']] as const) : []),
    ],
  });
  const document = v2Document()
    .replaceAll('/0/members/1', `/0/members/${SELF.toString(16)}`)
    .replace('"1":', `"${SELF.toString(16)}":`);
  const snap = (index: bigint): Uint8Array => snapFile({ index, term: 2n, voters: [SELF], document });
  return smallContent({
    db,
    snaps: { '0000000000000002-0000000000000004.snap': snap(4n), '0000000000000002-0000000000000008.snap': snap(8n) },
    segments: [
      {
        name: '0000000000000000-0000000000000000.wal',
        records: [
          metadata(SELF, CLUSTER),
          snapshot(0n, 0n),
          change(1n, 1n, 'add', SELF),
          state(1n, 0n, 1n),
          emptyEntry(2n, 2n),
          put(2n, 3n, 'k0'),
          put(2n, 4n, 'k1'),
          state(2n, SELF, 4n),
          snapshot(4n, 2n, SELF),
          request(2n, 5n, { lease_grant: { ID: 77n, TTL: 100n } }),
        ],
      },
      {
        name: '0000000000000001-0000000000000006.wal',
        records: [
          metadata(SELF, CLUSTER),
          state(2n, SELF, 5n),
          request(2n, 6n, { put: { key: utf8('k3'), value: utf8('v'), lease: 77n } }),
          put(2n, 7n, 'k4'),
          put(2n, 8n, 'k0'),
          state(2n, SELF, 8n),
          snapshot(8n, 2n, SELF),
          put(2n, 9n, 'k1'),
        ],
      },
      {
        name: '0000000000000002-000000000000000a.wal',
        records: [
          metadata(SELF, CLUSTER),
          state(2n, SELF, 9n),
          put(2n, 10n, 'k2'),
          request(2n, 11n, { delete_range: { key: utf8('k'), range_end: utf8('l') } }),
          request(2n, 12n, { lease_revoke: { ID: 77n } }),
          state(2n, SELF, 12n),
          request(2n, 13n, { compaction: { revision: 9n } }),
          request(2n, 14n, {
            txn: {
              compare: [{ key: utf8('k'), range_end: Uint8Array.of(0), target: 'VERSION', result: 'GREATER' }],
              success: [{ request_put: { key: utf8('t'), value: utf8('1') } }],
              failure: [{ request_delete_range: { key: utf8('t') } }],
            },
          }),
        ],
      },
    ],
  });
}

/** One of three, of an older release, without snapshots. */
export async function otherDir(): Promise<DirContent> {
  const [second, third] = OTHERS;
  const self = 0x55n;
  return smallContent({
    consistentIndex: 4n,
    version: '3.4.0',
    members: [[self], [second], [third]],
    segments: [
      {
        name: '0000000000000000-0000000000000000.wal',
        records: [
          metadata(self, OTHER_CLUSTER),
          snapshot(0n, 0n),
          ...[self, second, third].map((id, i) => change(1n, BigInt(i + 1), 'add', id)),
          emptyEntry(2n, 4n),
          put(2n, 5n, 'x'),
          state(2n, self, 5n),
          put(2n, 6n, 'y'),
        ],
      },
    ],
  });
}
