/**
 * The buckets `auth`, `authUsers` and `authRoles` during a replay: what was in the db, and what has changed since.
 */
import { parseAuthEnabled, parseAuthRevision } from '../../backend/auth.ts';
import { scanBucket } from '../../backend/bucket-scan.ts';
import { AUTH, type BucketName } from '../../backend/format.ts';
import { storedValue } from '../../backend/stored-value.ts';
import { UnreadableList } from '../../backend/unreadable.ts';
import type { BoltDb } from '../../bolt/database.ts';
import { BucketChanges, keyText } from '../rewrite/bucket-changes.ts';
import { hashOf, type RandomSource } from './auth-password.ts';
import {
  encodeRoleRecord,
  encodeUserRecord,
  parseRoleRecord,
  parseUserRecord,
  type RoleRecord,
  type UserRecord,
} from './auth-records.ts';

const encoder = new TextEncoder();

/** Records of a bucket by the key they are stored under, and which of them have changed. */
class NamedRecords<Value extends { readonly name: Uint8Array }> {
  readonly #records = new Map<string, Value>();
  readonly #touched = new Map<string, Uint8Array>();

  get(name: string): Value | undefined {
    return this.#records.get(keyText(encoder.encode(name)));
  }

  get all(): readonly Value[] {
    return [...this.#records.values()];
  }

  /** Takes a record of the db. */
  load(key: Uint8Array, record: Value): void {
    this.#records.set(keyText(key), record);
  }

  /** Stores a record under its own name. */
  put(record: Value): void {
    const text = keyText(record.name);
    this.#records.set(text, record);
    this.#touched.set(text, record.name);
  }

  delete(name: string): void {
    const key = encoder.encode(name);
    const text = keyText(key);
    this.#records.delete(text);
    this.#touched.set(text, key);
  }

  changes(bucket: BucketName, encode: (record: Value) => Uint8Array): BucketChanges {
    const changes = new BucketChanges(bucket);
    for (const [text, key] of this.#touched) {
      const record = this.#records.get(text);
      if (record === undefined) changes.delete(key);
      else changes.put(key, encode(record));
    }
    return changes;
  }
}

export class AuthStore {
  readonly users: NamedRecords<UserRecord> = new NamedRecords();
  readonly roles: NamedRecords<RoleRecord> = new NamedRecords();
  readonly #changes = new BucketChanges('auth');
  #enabled = false;
  #revision = 0n;

  /** Records that cannot be read are passed over: no server starts with them, which the check of the db reports. */
  constructor(db: BoltDb | undefined) {
    if (db !== undefined) this.#load(db);
    // A server that finds no revision begins with 1, before it applies anything.
    if (this.#revision === 0n) this.advance();
  }

  get enabled(): boolean {
    return this.#enabled;
  }

  set enabled(enabled: boolean) {
    this.#enabled = enabled;
    this.#changes.put(encoder.encode(AUTH.enabled), Uint8Array.of(enabled ? 1 : 0));
  }

  get revision(): bigint {
    return this.#revision;
  }

  /** Goes on to the next revision. */
  advance(): void {
    this.#revision = BigInt.asUintN(64, this.#revision + 1n);
    const value = new Uint8Array(8);
    new DataView(value.buffer).setBigUint64(0, this.#revision);
    this.#changes.put(encoder.encode(AUTH.revision), value);
  }

  changes(random: RandomSource): BucketChanges[] {
    return [
      this.#changes,
      this.users.changes('authUsers', (user) => encodeUserRecord(user, hashOf(user.password, random))),
      this.roles.changes('authRoles', encodeRoleRecord),
    ];
  }

  #load(db: BoltDb): void {
    const unreadable = new UnreadableList();
    this.#enabled = storedValue(db, 'auth', AUTH.enabled, parseAuthEnabled, unreadable) ?? false;
    this.#revision = storedValue(db, 'auth', AUTH.revision, parseAuthRevision, unreadable) ?? 0n;
    const takeUser = (key: Uint8Array, value: Uint8Array): undefined => {
      const user = parseUserRecord(value);
      if (user !== undefined) this.users.load(key, user);
    };
    const takeRole = (key: Uint8Array, value: Uint8Array): undefined => {
      const role = parseRoleRecord(value);
      if (role !== undefined) this.roles.load(key, role);
    };
    scanBucket(db, 'authUsers', takeUser, unreadable);
    scanBucket(db, 'authRoles', takeRole, unreadable);
  }
}
