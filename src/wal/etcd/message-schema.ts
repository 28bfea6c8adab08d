/**
 * The messages that etcd parses while it starts on a log, as tables: just enough to tell whether its generated parsers
 * accept some bytes, and in which words they refuse. What the fields mean is for others.
 */
import { compareMinors, type EtcdMinor } from '../../etcd-version.ts';

/**
 * How a field is parsed: a varint of any type; repeated varints, one by one or packed; bytes; a string, which the runtime of
 * 3.7 wants to be UTF-8; a message.
 */
type Kind = 'varint' | 'varints' | 'bytes' | 'string' | Schema;

/** A known field. `name` is that of Go's field, which stands in messages. */
export interface Field {
  readonly name: string;
  readonly kind: Kind;
  /** The minor that first knows the field; for an older one it is an unknown field. Default: all. */
  readonly since?: EtcdMinor;
  /** The last minor that knows it. */
  readonly until?: EtcdMinor;
}

/** A message type: its name and its fields by number. */
export interface Schema {
  readonly name: string;
  readonly fields: ReadonlyMap<number, Field>;
}

/** Whether `minor` knows the field. */
export function isKnown(field: Field, minor: EtcdMinor): boolean {
  return (
    (field.since === undefined || compareMinors(minor, field.since) >= 0) &&
    (field.until === undefined || compareMinors(minor, field.until) <= 0)
  );
}

function schema(name: string, fields: Readonly<Record<number, Field | readonly [string, Kind]>>): Schema {
  const entries = Object.entries(fields).map(([number, field]): [number, Field] => [
    Number(number),
    'kind' in field ? field : { name: field[0], kind: field[1] },
  ]);
  return { name, fields: new Map(entries) };
}

/** A message whose fields are numbered from 1 on in order. */
function plain(name: string, ...kinds: readonly Kind[]): Schema {
  return schema(name, Object.fromEntries(kinds.map((kind, i) => [i + 1, { name: '', kind }])));
}

export const RECORD: Schema = schema('Record', { 1: ['Type', 'varint'], 2: ['Crc', 'varint'], 3: ['Data', 'bytes'] });

export const ENTRY: Schema = schema('Entry', {
  1: ['Type', 'varint'],
  2: ['Term', 'varint'],
  3: ['Index', 'varint'],
  4: ['Data', 'bytes'],
});

export const HARD_STATE: Schema = schema('HardState', {
  1: ['Term', 'varint'],
  2: ['Vote', 'varint'],
  3: ['Commit', 'varint'],
});

const CONF_STATE: Schema = schema('ConfState', {
  1: ['Voters', 'varints'],
  2: ['Learners', 'varints'],
  3: ['VotersOutgoing', 'varints'],
  4: ['LearnersNext', 'varints'],
  5: ['AutoLeave', 'varint'],
});

export const SNAPSHOT: Schema = schema('Snapshot', {
  1: ['Index', 'varint'],
  2: ['Term', 'varint'],
  3: { name: 'ConfState', kind: CONF_STATE, since: '3.5' },
});

export const METADATA: Schema = schema('Metadata', { 1: ['NodeID', 'varint'], 2: ['ClusterID', 'varint'] });

export const CONF_CHANGE: Schema = schema('ConfChange', {
  1: ['ID', 'varint'],
  2: ['Type', 'varint'],
  3: ['NodeID', 'varint'],
  4: ['Context', 'bytes'],
});

/** The request of the v2 API. */
export const REQUEST: Schema = schema('Request', {
  1: ['ID', 'varint'],
  2: ['Method', 'string'],
  3: ['Path', 'string'],
  4: ['Val', 'string'],
  5: ['Dir', 'varint'],
  6: ['PrevValue', 'string'],
  7: ['PrevIndex', 'varint'],
  8: ['PrevExist', 'varint'],
  9: ['Expiration', 'varint'],
  10: ['Wait', 'varint'],
  11: ['Since', 'varint'],
  12: ['Recursive', 'varint'],
  13: ['Sorted', 'varint'],
  14: ['Quorum', 'varint'],
  15: ['Time', 'varint'],
  16: ['Stream', 'varint'],
  17: ['Refresh', 'varint'],
});

const EMPTY = plain('');
const NAME = plain('', 'string');
const TWO_NAMES = plain('', 'string', 'string');

const RANGE = plain('RangeRequest', 'bytes', 'bytes', ...Array<Kind>(11).fill('varint'));
const PUT = plain('PutRequest', 'bytes', 'bytes', 'varint', 'varint', 'varint', 'varint');
const DELETE_RANGE = plain('DeleteRangeRequest', 'bytes', 'bytes', 'varint');

const COMPARE = schema('Compare', {
  1: ['', 'varint'],
  2: ['', 'varint'],
  3: ['', 'bytes'],
  4: ['', 'varint'],
  5: ['', 'varint'],
  6: ['', 'varint'],
  7: ['', 'bytes'],
  8: ['', 'varint'],
  64: ['', 'bytes'],
});

// An operation of a transaction may be a transaction itself.
const operationFields = new Map<number, Field>();
const OPERATION: Schema = { name: 'RequestOp', fields: operationFields };
const TXN = plain('TxnRequest', COMPARE, OPERATION, OPERATION);
for (const [i, kind] of [RANGE, PUT, DELETE_RANGE, TXN].entries()) operationFields.set(i + 1, { name: '', kind });

const PERMISSION = plain('Permission', 'varint', 'bytes', 'bytes');
const USER_OPTIONS = plain('UserAddOptions', 'varint');
const ATTRIBUTES = plain('Attributes', 'string', 'string');

const since35 = (kind: Kind): Field => ({ name: '', kind, since: '3.5' });

const USER_ADD = schema('AuthUserAddRequest', {
  1: ['', 'string'],
  2: ['', 'string'],
  3: ['', USER_OPTIONS],
  4: since35('string'),
});
const CHANGE_PASSWORD = schema('AuthUserChangePasswordRequest', {
  1: ['', 'string'],
  2: ['', 'string'],
  3: since35('string'),
});

/** What is proposed through raft. */
export const INTERNAL_RAFT_REQUEST: Schema = schema('InternalRaftRequest', {
  1: ['ID', 'varint'],
  2: { name: 'V2', kind: REQUEST, until: '3.6' },
  3: ['', RANGE],
  4: ['', PUT],
  5: ['', DELETE_RANGE],
  6: ['', TXN],
  7: ['', plain('CompactionRequest', 'varint', 'varint')],
  8: ['', plain('LeaseGrantRequest', 'varint', 'varint')],
  9: ['', plain('LeaseRevokeRequest', 'varint')],
  10: ['', plain('AlarmRequest', 'varint', 'varint', 'varint')],
  11: ['', plain('LeaseCheckpointRequest', plain('LeaseCheckpoint', 'varint', 'varint'))],
  100: ['Header', plain('RequestHeader', 'varint', 'string', 'varint')],
  1000: ['', EMPTY],
  1011: ['', EMPTY],
  1012: ['', plain('InternalAuthenticateRequest', 'string', 'string', 'string')],
  1013: since35(EMPTY),
  1100: ['', USER_ADD],
  1101: ['', NAME],
  1102: ['', NAME],
  1103: ['', CHANGE_PASSWORD],
  1104: ['', TWO_NAMES],
  1105: ['', TWO_NAMES],
  1106: ['', EMPTY],
  1107: ['', EMPTY],
  1200: ['', NAME],
  1201: ['', NAME],
  1202: ['', NAME],
  1203: ['', plain('AuthRoleGrantPermissionRequest', 'string', PERMISSION)],
  1204: ['', plain('AuthRoleRevokePermissionRequest', 'string', 'bytes', 'bytes')],
  1300: since35(NAME),
  1301: since35(plain('ClusterMemberAttrSetRequest', 'varint', ATTRIBUTES)),
  1302: since35(plain('DowngradeInfoSetRequest', 'varint', 'string')),
  9900: { name: '', kind: NAME, since: '3.6' },
});
