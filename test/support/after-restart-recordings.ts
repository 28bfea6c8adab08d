/**
 * The answers of etcdctl about directories whose log has more than the db, after a server was started on them:
 * fixtures/etcd/VERSION/SCENARIO/after-restart.json.gz. Walks the folders, so that adding a recording adds cases.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { type JsonObject, parseJson } from '../../src/json/parse.ts';
import {
  byLength,
  type SaidAfterRestart,
  type SaidHash,
  type SaidKeys,
  type SaidLease,
  type SaidRole,
} from './after-restart.ts';
import { FIXTURES } from './fixtures.ts';
import { readRecordedTexts } from './recorded-texts.ts';

const ETCD = join(FIXTURES, 'etcd');
const PERMISSION_TYPES = ['read', 'write', 'readwrite'];
const ALARM_TYPES = ['NONE', 'NOSPACE', 'CORRUPT'];

/** A directory that was started on. */
export interface RestartedFixture {
  /** `VERSION/SCENARIO`. */
  readonly name: string;
  readonly minor: EtcdMinor;
  /** The dbs it can begin with: `m1`, and `killed` where that was found instead. */
  readonly dbFiles: readonly string[];
  /** Of the log and the dbs, as whoever made them counted; not there for a `crash`. */
  readonly tail: RecordedTail | undefined;
  /** Reads the answers. */
  said(): SaidAfterRestart;
}

export interface RecordedTail {
  readonly consistentIndex: bigint;
  readonly consistentIndexOfKilledDb: bigint;
  readonly lastEntry: bigint;
}

/** Every one of them, in order of name. */
export function restartedFixtures(): readonly RestartedFixture[] {
  const sorted = (folder: string): string[] => readdirSync(folder).sort();
  return sorted(ETCD).flatMap((version) =>
    sorted(join(ETCD, version))
      .filter((scenario) => existsSync(join(ETCD, version, scenario, 'after-restart.json.gz')))
      .map((scenario) => load(version, scenario)),
  );
}

function load(version: string, scenario: string): RestartedFixture {
  const path = join(ETCD, version, scenario);
  const answers = new Answers(join(path, 'after-restart.json.gz'));
  const tail = answers.paths.includes('tail.json') ? answers.object('tail.json') : undefined;
  return {
    name: `${version}/${scenario}`,
    minor: ETCD_MINORS.find((minor) => version.startsWith(`${minor}.`)) as EtcdMinor,
    dbFiles: ['m1', 'killed'].filter((file) => existsSync(join(path, `${file}.db.gz`))),
    tail: tail && (Object.fromEntries(tail) as unknown as RecordedTail),
    said: () => answers.said(),
  };
}

const list = (answer: JsonObject, name: string): JsonObject[] => (answer.get(name) ?? []) as unknown as JsonObject[];
const texts = (answer: JsonObject, name: string): string[] => (answer.get(name) ?? []) as string[];

/** The texts of one recording. */
class Answers {
  readonly #texts: ReadonlyMap<string, Uint8Array>;

  constructor(path: string) {
    this.#texts = readRecordedTexts(path);
  }

  get paths(): readonly string[] {
    return [...this.#texts.keys()];
  }

  object(path: string): JsonObject {
    const bytes = this.#texts.get(path);
    if (bytes === undefined) throw new Error(`${path} is not recorded`);
    return parseJson(bytes) as JsonObject;
  }

  said(): SaidAfterRestart {
    const hasAuth = this.#texts.has('users.json');
    const status = this.#texts.has('auth-status.json') ? this.object('auth-status.json') : undefined;
    return {
      revision: this.#revisionOf('get-all.json'),
      hashes: this.#matching(/^hashkv(?:-rev-(\d+))?\.json$/, (path, at) => this.#hash(path, at)),
      keys: this.#matching(/^get-(?:all|rev-(\d+))\.json$/, (path, at) => this.#keys(path, at)),
      leases: this.#leases(),
      alarms: list(this.object('alarms.json'), 'alarms').map((alarm) => ({
        memberId: `${alarm.get('memberID')}`,
        type: ALARM_TYPES[Number(alarm.get('alarm') ?? 0n)] as string,
      })),
      members: list(this.object('members.json'), 'members').map((member) => ({
        id: `${member.get('ID')}`,
        name: (member.get('name') ?? '') as string,
        peerUrls: texts(member, 'peerURLs'),
        clientUrls: texts(member, 'clientURLs'),
        isLearner: member.get('isLearner') === true,
      })),
      users: hasAuth
        ? texts(this.object('users.json'), 'users').map((name) => ({
            name,
            roles: texts(this.object(`user-${name}.json`), 'roles'),
          }))
        : null,
      roles: hasAuth ? texts(this.object('roles.json'), 'roles').map((name) => this.#role(name)) : null,
      auth: status ? { enabled: status.get('enabled') === true, revision: `${status.get('authRevision')}` } : null,
    };
  }

  #matching<Said>(pattern: RegExp, read: (path: string, revision: string | undefined) => Said): Said[] {
    return this.paths.flatMap((path) => {
      const found = pattern.exec(path);
      return found === null ? [] : [read(path, found[1])];
    });
  }

  #revisionOf(path: string): string {
    return `${(this.object(path).get('header') as JsonObject).get('revision')}`;
  }

  #hash(path: string, at: string | undefined): SaidHash {
    const [answer] = parseJson(this.#texts.get(path) as Uint8Array) as unknown as JsonObject[];
    const hashKv = (answer as JsonObject).get('HashKV') as JsonObject;
    return {
      revision: at ?? `${(hashKv.get('header') as JsonObject).get('revision')}`,
      hash: Number(hashKv.get('hash')),
      compactRevision: `${hashKv.get('compact_revision')}`,
    };
  }

  #keys(path: string, at: string | undefined): SaidKeys {
    const lines = list(this.object(path), 'kvs').map((kv) =>
      [
        kv.get('key') ?? '',
        kv.get('create_revision'),
        kv.get('mod_revision'),
        kv.get('version'),
        kv.get('lease') ?? 0n,
        kv.get('value') ?? '',
      ].join(' '),
    );
    return { revision: at ?? this.#revisionOf(path), lines };
  }

  #leases(): SaidLease[] {
    return list(this.object('leases.json'), 'leases')
      .map((listed) => {
        const id = listed.get('id') as bigint;
        const lease = this.object(`lease-${BigInt.asUintN(64, id).toString(16).padStart(16, '0')}.json`);
        return { id: `${id}`, ttl: `${lease.get('granted-ttl')}`, keys: texts(lease, 'keys').toSorted(byLength) };
      })
      .sort((a, b) => byLength(a.id, b.id));
  }

  #role(name: string): SaidRole {
    const permissions = list(this.object(`role-${name}.json`), 'perm').map((permission) => ({
      type: PERMISSION_TYPES[Number(permission.get('permType') ?? 0n)] as string,
      key: (permission.get('key') ?? '') as string,
      rangeEnd: (permission.get('range_end') ?? '') as string,
    }));
    return { name, permissions: name === 'root' ? [] : permissions };
  }
}
