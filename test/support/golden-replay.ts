/**
 * Sequences of requests whose result is known revision by revision, and the directories that servers of every release left after
 * them: fixtures/golden-replay/VERSION/SEQUENCE, told of in fixtures/README.md.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import type { SaidAfterRestart } from './after-restart.ts';
import {
  DB_PATH,
  type DirContent,
  type MemoryDir,
  memoryDir,
  plainFile,
  type StoredFile,
} from './data-dir-fixtures.ts';
import { toBase64 } from './etcd-gateway.ts';
import { FIXTURES } from './fixtures.ts';
import { storedLog } from './log-fixtures.ts';

/** A request to the gateway. */
export interface GoldenRequest {
  readonly method: string;
  readonly message: object;
  /** As this user; nobody where it is not said. */
  readonly as?: string;
  /** The words of the refusal; none where it is not said. Those of a server at run time: on replay some are not refused. */
  readonly refused?: string;
}

export type GoldenSequence = 'keys' | 'auth';
/** The db that goes with the log: as the first start makes it, of before the sequence, with everything in it, or none. */
export type GoldenDb = 'new' | 'before' | 'flushed' | 'none';

const NO_LEASE = 'etcdserver: requested lease not found';

type More = Readonly<Record<string, unknown>>;
const putMessage = (key: string, value: string | undefined, more: More = {}): object => ({
  key: toBase64(key),
  ...(value === undefined ? {} : { value: toBase64(value) }),
  ...more,
});
const deleteMessage = (key: string, end = ''): object => ({ key: toBase64(key), range_end: toBase64(end) });
const put = (key: string, value = '1', more: More = {}): GoldenRequest => ({
  method: 'kv/put',
  message: putMessage(key, value, more),
});
const remove = (key: string, end?: string, more: More = {}): GoldenRequest => ({
  method: 'kv/deleterange',
  message: { ...deleteMessage(key, end), ...more },
});
const txn = (success: readonly object[], more: More = {}): GoldenRequest => ({
  method: 'kv/txn',
  message: { success, ...more },
});
const grant = (id: number, ttl: number): GoldenRequest => ({
  method: 'lease/grant',
  message: { ID: `${id}`, TTL: `${ttl}` },
});
const revoke = (id: number): GoldenRequest => ({ method: 'lease/revoke', message: { ID: `${id}` } });
const refused = (request: GoldenRequest, words: string): GoldenRequest => ({ ...request, refused: words });
const as = (user: string, request: GoldenRequest): GoldenRequest => ({ ...request, as: user });

const putOp = (key: string, value: string | undefined = '1', more: More = {}): object => ({
  request_put: putMessage(key, value, more),
});
const deleteOp = (key: string, end?: string): object => ({ request_delete_range: deleteMessage(key, end) });
const rangeOp = (key: string, more: More = {}): object => ({ request_range: { key: toBase64(key), ...more } });
const txnOp = (success: readonly object[], more: More = {}): object => ({ request_txn: { success, ...more } });
const ifVersion = (key: string, result: string, version: number): More => ({
  compare: [{ key: toBase64(key), target: 'VERSION', result, version: `${version}` }],
});

/** Revisions 2 to 17 are the same in every release; the transaction of `t1` is one of those whose outcome a replay changes. */
const KEYS: readonly GoldenRequest[] = [
  ...['k3', 'k1', 'k2'].map((key) => put(key)),
  remove('k1', 'k4', { prev_kv: true }),
  remove('k1', 'k4', { prev_kv: true }),
  grant(100, 600),
  grant(101, 1),
  refused(grant(100, 600), 'etcdserver: lease already exists'),
  ...['z9', 'a1', 'm5', 'b2'].map((key) => put(key, 'L', { lease: '100' })),
  put('a1', 'noL'),
  put('b2', 'L2', { lease: '100' }),
  revoke(100),
  refused(revoke(100), NO_LEASE),
  grant(102, 600),
  revoke(102),
  ...['x1', 'x3', 'x2'].map((key) => put(key)),
  txn(
    [
      putOp('n1'),
      txnOp([putOp('A')], { ...ifVersion('n1', 'GREATER', 0), failure: [putOp('n2'), deleteOp('x1', 'x3')] }),
      rangeOp('n1'),
      putOp('n3'),
      deleteOp('x', 'y'),
    ],
    ifVersion('x1', 'EQUAL', 1),
  ),
  txn([txnOp([putOp('s')]), txnOp([deleteOp('s')])]),
  refused(txn([putOp('t1'), putOp('t2', '1', { lease: '999' })]), NO_LEASE),
  refused(
    txn([putOp('t1'), { request_put: putMessage('nokey', undefined, { ignore_value: true }) }]),
    'etcdserver: key not found',
  ),
  refused(put('t3', '1', { lease: '999' }), NO_LEASE),
  refused(
    txn([putOp('t1'), rangeOp('t1', { revision: '100000' })]),
    'etcdserver: mvcc: required revision is a future revision',
  ),
  txn([deleteOp('zzz')]),
  put('a1', 'again', { ignore_lease: true }),
  remove('n2', '\0'),
  put('last'),
];

const DENIED = 'etcdserver: permission denied';
const addUser = (name: string): GoldenRequest => ({
  method: 'auth/user/add',
  message: { name, password: `password of ${name}` },
});
const addRole = (name: string): GoldenRequest => ({ method: 'auth/role/add', message: { name } });
const grantRole = (user: string, role: string): GoldenRequest => ({
  method: 'auth/user/grant',
  message: { user, role },
});

/** User `u` may write to [w, x), and read nothing. */
const AUTH: readonly GoldenRequest[] = [
  addUser('root'),
  addRole('root'),
  grantRole('root', 'root'),
  addRole('w'),
  {
    method: 'auth/role/grant',
    message: { name: 'w', perm: { permType: 'WRITE', key: toBase64('w'), range_end: toBase64('x') } },
  },
  addUser('u'),
  grantRole('u', 'w'),
  { method: 'auth/enable', message: {} },
  as('u', put('w1')),
  as('u', refused(put('a1'), DENIED)),
  as('u', refused(txn([putOp('w2'), rangeOp('w2')]), DENIED)),
  as('u', refused(put('w3', '1', { prev_kv: true }), DENIED)),
  as('root', addUser('another')),
  as('u', put('w4')),
];

export const GOLDEN_SEQUENCES: Readonly<Record<GoldenSequence, readonly GoldenRequest[]>> = { keys: KEYS, auth: AUTH };

/** The password of a user of the sequence `auth`. */
export const goldenPassword = (user: string): string => `password of ${user}`;

/** What is known beforehand of a release that has applied all entries of the log to a db of before the sequence. */
export const GOLDEN_ENDS: Readonly<
  Record<GoldenSequence, (minor: EtcdMinor) => { revision: string; hash?: number; authRevision?: bigint }>
> = {
  keys: (minor) => (minor === '3.7' ? { revision: '20', hash: 845_298_335 } : { revision: '21', hash: 3_884_471_206 }),
  auth: (minor) => ({ revision: minor === '3.7' ? '3' : '4', authRevision: 9n }),
};

/** HashKV of the sequence `keys` at revision 17, in every release. */
export const GOLDEN_HASH_AT_17 = 21_427_448;

/** What each db and the log became when a server of the same release was started on them. */
export type GoldenSaid = Readonly<Record<GoldenDb, SaidAfterRestart>>;

/** The directory that one server left. */
export interface GoldenReplay {
  /** `VERSION/SEQUENCE`. */
  readonly name: string;
  readonly minor: EtcdMinor;
  readonly sequence: GoldenSequence;
  readonly said: GoldenSaid;
  /** The directory with that db. */
  directory(db: GoldenDb): MemoryDir;
}

export const GOLDEN_FOLDER = 'golden-replay';
const FOLDER = join(FIXTURES, GOLDEN_FOLDER);
export const GOLDEN_MEMBER = 'm1';

/** Where a file of a directory is kept. */
export const goldenPath = (name: string, file: string): string => join(FOLDER, name, file);

/** All of them, in order of name. */
export function goldenReplays(): readonly GoldenReplay[] {
  const sorted = (folder: string): string[] => readdirSync(folder).sort();
  if (!existsSync(FOLDER)) return [];
  return sorted(FOLDER).flatMap((version) =>
    sorted(join(FOLDER, version)).map((sequence) => load(version, sequence as GoldenSequence)),
  );
}

function load(version: string, sequence: GoldenSequence): GoldenReplay {
  const name = `${version}/${sequence}`;
  return {
    name,
    minor: ETCD_MINORS.find((minor) => version.startsWith(`${minor}.`)) as EtcdMinor,
    sequence,
    said: JSON.parse(readFileSync(goldenPath(name, 'said.json'), 'utf8')) as GoldenSaid,
    directory: (db) => memoryDir(contentOf(version, sequence, db), `${name}/${db}`),
  };
}

function contentOf(version: string, sequence: GoldenSequence, db: GoldenDb): DirContent {
  const { walFiles, snapFiles } = storedLog(FOLDER, version, sequence, GOLDEN_MEMBER);
  const files = new Map<string, StoredFile>();
  for (const file of walFiles) files.set(`member/wal/${file.name}`, file);
  for (const file of snapFiles) files.set(`member/snap/${file.name}`, file);
  if (db !== 'none') {
    const stored = readFileSync(goldenPath(`${version}/${sequence}`, `${db}.gz`));
    files.set(DB_PATH, plainFile(new Uint8Array(gunzipSync(stored))));
  }
  return { files, folders: new Set(['member', 'member/snap', 'member/wal']) };
}
