/**
 * Small data directories made in memory, entry by entry, for tests of the replay.
 */
import { type DataDir, openDataDir } from '../../../src/datadir/data-dir.ts';
import { type DecodedMessage, encodeMessage } from '../../../src/proto/messages.ts';
import { makeDb, type Pairs, uint64 } from '../../support/backend-db.ts';
import { type DirContent, memoryDir, plainFile } from '../../support/data-dir-fixtures.ts';
import { buildLog, metadata, type SegmentPlan, snapshot } from '../../support/small-log.ts';
import { ENTRY, encodeFields, type RecordToWrite } from '../../support/wal-edit.ts';

/** The member whose directory it is, and two others. */
export const SELF = 0x10n;
export const OTHERS = [0x20n, 0x30n] as const;
export const FIRST_SEGMENT = '0000000000000000-0000000000000000.wal';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const memberPair = (id: bigint, isLearner = false): readonly [string, string] => [
  id.toString(16),
  `{"id":${id},"peerURLs":["http://m${id}:2380"]${isLearner ? ',"isLearner":true' : ''},"name":"m${id}"}`,
];

/** An entry of any type. */
function entry(term: bigint, index: bigint, data: Uint8Array, type = 0n): RecordToWrite {
  const fields = [type, term, index].map((value, i) => ({ number: i + 1, value }));
  return { type: ENTRY, data: encodeFields([...fields, { number: 4, value: data }]) };
}

/** An entry with a request of the v3 API. */
export function request(term: bigint, index: bigint, message: DecodedMessage): RecordToWrite {
  return entry(term, index, encodeMessage('etcdserverpb.InternalRaftRequest', { header: { ID: index }, ...message }));
}

export function put(term: bigint, index: bigint, key: string, value = 'v'): RecordToWrite {
  return request(term, index, { put: { key: utf8(key), value: utf8(value) } });
}

/** An entry with a request of the v2 API: old servers write every field. */
export function v2Request(term: bigint, index: bigint, method: string, path: string, value = ''): RecordToWrite {
  const texts = new Map([2, 3, 4, 6].map((number, i) => [number, utf8([method, path, value, ''][i]!)]));
  const numbers = [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 16];
  const fields = numbers.map((number) => ({ number, value: number === 1 ? index : (texts.get(number) ?? 0n) }));
  return entry(term, index, encodeFields(fields));
}

const CHANGES = { add: 0n, remove: 1n, update: 2n, 'add-learner': 3n } as const;

/** An entry that changes a member. */
export function change(term: bigint, index: bigint, kind: keyof typeof CHANGES, id: bigint): RecordToWrite {
  const learner = kind === 'add-learner' ? ',"isLearner":true' : '';
  const context = utf8(`{"id":${id},"peerURLs":["http://m${id}:2380"]${learner},"name":"m${id}"}`);
  const fields = [index, CHANGES[kind], id].map((value, i) => ({ number: i + 1, value }));
  const data = encodeFields(kind === 'remove' ? fields : [...fields, { number: 4, value: context }]);
  return entry(term, index, data, 1n);
}

export interface SmallDirPlan {
  /** Of the db; null: there is none. Default 0: a db that has no entry. */
  readonly consistentIndex?: bigint | null;
  /** The bytes of the db, in place of one that is made. */
  readonly db?: Uint8Array;
  /** The version of the cluster. Default 3.6. */
  readonly version?: string;
  /** Members in the db. Default: only the own one. */
  readonly members?: readonly (readonly [id: bigint, isLearner?: boolean])[];
  /** Further content of the db. */
  readonly buckets?: Readonly<Record<string, Pairs>>;
  /** The records of a log of one segment, behind metadata and the first snapshot record. */
  readonly records?: readonly RecordToWrite[];
  /** The whole log. */
  readonly segments?: readonly SegmentPlan[];
  /** Other files of the snap folder. */
  readonly snaps?: Readonly<Record<string, Uint8Array>>;
  readonly inUse?: boolean;
  /** Changes the bytes of the last segment. */
  readonly damage?: (bytes: Uint8Array) => Uint8Array;
}

/** The bytes of a db as a server of that cluster has it. */
export function smallDb(plan: SmallDirPlan = {}): Promise<Uint8Array> {
  const { consistentIndex = 0n, version = '3.6.0', members = [[SELF]], buckets = {} } = plan;
  const meta: Pairs =
    consistentIndex === null || consistentIndex === 0n ? [] : [['consistent_index', uint64(consistentIndex)]];
  return makeDb({
    auth: [['authRevision', uint64(1n)]],
    ...buckets,
    meta: [...meta, ...(buckets['meta'] ?? [])],
    cluster: [['clusterVersion', version]],
    members: members.map(([id, isLearner]) => memberPair(id, isLearner)),
  });
}

export async function smallContent(plan: SmallDirPlan): Promise<DirContent> {
  const { consistentIndex = 0n, records = [], snaps = {} } = plan;
  const segments = plan.segments ?? [
    { name: FIRST_SEGMENT, records: [metadata(SELF, 0x99n), snapshot(0n, 0n), ...records] },
  ];
  const content: DirContent = { files: new Map(), folders: new Set(['member', 'member/snap', 'member/wal']) };
  if (consistentIndex !== null || plan.db !== undefined) {
    content.files.set('member/snap/db', plainFile(plan.db ?? (await smallDb(plan))));
  }
  for (const [name, bytes] of Object.entries(snaps)) content.files.set(`member/snap/${name}`, plainFile(bytes));
  const log = buildLog(segments, 4096);
  for (const [number, { name, bytes }] of log.entries()) {
    const isLast = number === log.length - 1;
    content.files.set(`member/wal/${name}`, plainFile(isLast ? (plan.damage?.(bytes) ?? bytes) : bytes));
  }
  return content;
}

/** The directory, open. */
export async function smallDir(plan: SmallDirPlan): Promise<DataDir> {
  const files = memoryDir(await smallContent(plan));
  return openDataDir(plan.inUse === true ? { ...files, lookForUse: () => true } : files);
}
