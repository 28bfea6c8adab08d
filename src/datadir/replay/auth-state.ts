/**
 * Users and roles during a replay: who may do what, and the requests that change it.
 */
import type { BoltDb } from '../../bolt/database.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { DecodedMessage } from '../../proto/messages.ts';
import type { BucketChanges } from '../rewrite/bucket-changes.ts';
import { type Applied, failed, NOTHING_CHANGED } from './applied.ts';
import { platformRandom, type RandomSource } from './auth-password.ts';
import { AUTH_REQUESTS, isRoot } from './auth-requests.ts';
import { AuthStore } from './auth-store.ts';
import { OLD_REVISION, PERMISSION_DENIED, USER_EMPTY, USER_NOT_FOUND } from './auth-words.ts';
import { KeyCover, type PermittedRange } from './permissions.ts';
import type { RequestHeader } from './request-header.ts';

/** The keys that a lease is attached to; none if there is no such lease. */
export type AttachedKeys = (leaseId: bigint) => Iterable<Uint8Array>;

type Right = 'read' | 'write';

/** The types of permissions that give a right. */
const GIVEN_BY: Readonly<Record<Right, readonly number[]>> = { read: [0, 2], write: [1, 2] };

/** Requests that only ask, and that only `root` may make. */
const ASKING_AS_ROOT: ReadonlySet<string> = new Set(['auth_status', 'auth_user_list', 'auth_role_list']);

const NOTHING = new Uint8Array(0);

/**
 * Each `refuse…` says in etcd's words why a request fails, or undefined if it is permitted; with authentication off everything is.
 */
export class AuthState {
  readonly #store: AuthStore;
  readonly #random: RandomSource;
  /** What users may read and write, of those that were asked for since the last change. */
  readonly #covers = new Map<string, KeyCover>();

  /** The state of a db; without one, that of a server that begins with none. `random` makes the salt of passwords. */
  static load(db: BoltDb | undefined, random: RandomSource = platformRandom): AuthState {
    return new AuthState(new AuthStore(db), random);
  }

  private constructor(store: AuthStore, random: RandomSource) {
    this.#store = store;
    this.#random = random;
  }

  get enabled(): boolean {
    return this.#store.enabled;
  }

  /** The revision of users and roles. */
  get revision(): bigint {
    return this.#store.revision;
  }

  refusePut(header: RequestHeader, put: DecodedMessage, attached: AttachedKeys): string | undefined {
    const key = { key: bytesOf(put, 'key'), rangeEnd: NOTHING };
    return (
      this.#refuse(header, 'write', key) ??
      this.#refuseAttached(header, attached((put['lease'] as bigint | undefined) ?? 0n)) ??
      (put['prev_kv'] === true ? this.#refuse(header, 'read', key) : undefined)
    );
  }

  refuseDelete(header: RequestHeader, request: DecodedMessage): string | undefined {
    const range = rangeOf(request);
    return (
      this.#refuse(header, 'write', range) ??
      (request['prev_kv'] === true ? this.#refuse(header, 'read', range) : undefined)
    );
  }

  refuseRange(header: RequestHeader, request: DecodedMessage): string | undefined {
    return this.#refuse(header, 'read', rangeOf(request));
  }

  /**
   * All compares, and the operations of both branches. 3.4 looks neither into transactions inside of it, nor at the lease and at
   * `prev_kv` of its puts.
   */
  refuseTxn(header: RequestHeader, txn: DecodedMessage, minor: EtcdMinor, attached: AttachedKeys): string | undefined {
    if (!this.enabled) return undefined;
    for (const compare of listOf(txn, 'compare')) {
      const refused = this.#refuse(header, 'read', rangeOf(compare));
      if (refused !== undefined) return refused;
    }
    for (const branch of ['success', 'failure']) {
      for (const operation of listOf(txn, branch)) {
        const refused = this.#refuseOperation(header, operation, minor, attached);
        if (refused !== undefined) return refused;
      }
    }
    return undefined;
  }

  /** `keys` are those that the lease is attached to. */
  refuseRevoke(header: RequestHeader, keys: Iterable<Uint8Array>, minor: EtcdMinor): string | undefined {
    // From 3.5 on `root` may whatever the revision in the header is.
    if (minor !== '3.4' && this.#refuseAdmin(header) === undefined) return undefined;
    return this.#refuseAttached(header, keys);
  }

  /** Applies a request about users and roles, or one that only asks for them. */
  apply(requestName: string, request: DecodedMessage, header: RequestHeader, minor: EtcdMinor): Applied {
    const change = AUTH_REQUESTS.get(requestName);
    if (change === undefined && !ASKING_AS_ROOT.has(requestName)) return NOTHING_CHANGED;
    const refused = this.#refuseAdmin(header);
    if (refused !== undefined) return failed(refused);
    if (change === undefined) return NOTHING_CHANGED;
    this.#covers.clear();
    return change(this.#store, request, minor);
  }

  /** Hashes passwords that are not hashed yet, each of which takes about a tenth of a second. */
  changes(): BucketChanges[] {
    return this.#store.changes(this.#random);
  }

  #refuseOperation(
    header: RequestHeader,
    operation: DecodedMessage,
    minor: EtcdMinor,
    attached: AttachedKeys,
  ): string | undefined {
    const { request_range, request_put, request_delete_range, request_txn } = operation as Record<
      string,
      DecodedMessage | undefined
    >;
    if (request_range !== undefined) return this.refuseRange(header, request_range);
    if (request_put !== undefined) {
      if (minor !== '3.4') return this.refusePut(header, request_put, attached);
      return this.#refuse(header, 'write', { key: bytesOf(request_put, 'key'), rangeEnd: NOTHING });
    }
    if (request_delete_range !== undefined) return this.refuseDelete(header, request_delete_range);
    if (request_txn === undefined || minor === '3.4') return undefined;
    return this.refuseTxn(header, request_txn, minor, attached);
  }

  #refuseAttached(header: RequestHeader, keys: Iterable<Uint8Array>): string | undefined {
    if (!this.enabled) return undefined;
    for (const key of keys) {
      const refused = this.#refuse(header, 'write', { key, rangeEnd: NOTHING });
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  #refuse(header: RequestHeader, right: Right, range: PermittedRange): string | undefined {
    if (!this.enabled) return undefined;
    const { username, authRevision } = header;
    if (authRevision === 0n) return USER_EMPTY;
    if (authRevision < this.revision) return OLD_REVISION;
    const user = this.#store.users.get(username);
    if (user === undefined) return PERMISSION_DENIED;
    if (isRoot(user) || this.#cover(username, user.roles, right).covers(range)) return undefined;
    return PERMISSION_DENIED;
  }

  #refuseAdmin({ username }: RequestHeader): string | undefined {
    if (!this.enabled) return undefined;
    if (username === '') return USER_EMPTY;
    const user = this.#store.users.get(username);
    if (user === undefined) return USER_NOT_FOUND;
    return isRoot(user) ? undefined : PERMISSION_DENIED;
  }

  #cover(username: string, roles: readonly string[], right: Right): KeyCover {
    const name = `${right} ${username}`;
    let cover = this.#covers.get(name);
    if (cover === undefined) {
      // A role that is not there any more gives no right.
      const permissions = roles.flatMap((role) => this.#store.roles.get(role)?.permissions ?? []);
      cover = new KeyCover(permissions.filter(({ type }) => GIVEN_BY[right].includes(type)));
      this.#covers.set(name, cover);
    }
    return cover;
  }
}

function bytesOf(message: DecodedMessage, field: string): Uint8Array {
  return (message[field] as Uint8Array | undefined) ?? NOTHING;
}

function rangeOf(message: DecodedMessage): PermittedRange {
  return { key: bytesOf(message, 'key'), rangeEnd: bytesOf(message, 'range_end') };
}

function listOf(message: DecodedMessage, field: string): readonly DecodedMessage[] {
  return (message[field] as readonly DecodedMessage[] | undefined) ?? [];
}
