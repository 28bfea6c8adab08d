/**
 * Random load for an etcd that is about to be killed: everything whose outcome is decided when its entry is applied. Keys, transactions within transactions
 * that fail in part, leases, compactions; in some rounds users with few permissions and tokens of an old auth revision, or a quota
 * that is soon used up. Requests go on until the server is gone; what is refused is refused.
 */
import { type AnswerHeader, type EtcdGateway, toBase64 } from '../support/etcd-gateway.ts';
import type { Choices } from '../support/writer-random.ts';
import { messageOf, RequestMaker } from './backend-requests.ts';

/** What a round of load has besides keys and leases. */
export type LoadKind = 'keys' | 'auth' | 'nospace';

export interface LoadOptions {
  /**
   * The server is one of several: no members come and go; and no transaction fails for what it reads, since up to 3.6 the members that no
   * client waits for apply it, and have other data from then on.
   */
  readonly isCluster?: boolean;
  /** Nothing that brings what is pending into the db, whatever the batch interval: no lease revoked, nothing compacted. */
  readonly longTail?: boolean;
}

/** Requests under way at once. */
const WIDTH = 8;
/** What a round with little space leaves between the size of the db and the quota; a request that fills it has a byte more. */
export const HEADROOM = 400 * 1024;
export const ROOT_PASSWORD = 'password of root';
/** The passwords that users are given in turn. */
export const PASSWORDS = [ROOT_PASSWORD, 'one', 'two'];

const USERS = ['alice', 'bob', 'carol'];
const ROLES = ['reader', 'writer', 'spare'];
/** Ranges of the keys that requests are about; some overlap, and some end together. */
const RANGES: readonly (readonly [key: string, end: string])[] = [
  ['\0', '\0'],
  ['/a/', '/a0'],
  ['/a/1', '/a/3'],
  ['/a/3', '/b'],
  ['/registry/', '/registry0'],
  ['k', '\0'],
  ['/a/7', ''],
  ['', ''],
];

/** Load on one server. */
export class ReplayLoad {
  readonly #gateway: EtcdGateway;
  readonly #choices: Choices;
  readonly #maker: RequestMaker;
  readonly #kind: LoadKind;
  readonly #options: LoadOptions;
  readonly #tokens = new Map<string, string>();
  readonly #passwords = new Map<string, string>();
  #revision = 1;
  #over = false;
  /** Requests that were answered, well or not. */
  answered = 0;
  refused = 0;

  constructor(gateway: EtcdGateway, choices: Choices, kind: LoadKind, options: LoadOptions = {}) {
    this.#options = options;
    this.#gateway = gateway;
    this.#choices = choices;
    this.#maker = new RequestMaker(choices);
    this.#kind = kind;
  }

  /** What must be there before: users, roles and auth in a round with these, and no alarm. `authOn`: it is on already. */
  async prepare(authOn: boolean): Promise<void> {
    if (authOn) await this.#login('root');
    await this.#disarm();
    if (this.#kind !== 'auth') {
      if (authOn) await this.#send('auth/disable', {}, 'root');
      this.#tokens.clear();
      return;
    }
    for (const name of ['root', ...ROLES]) await this.#send('auth/role/add', { name }, 'root');
    for (const name of ['root', ...USERS]) {
      await this.#send('auth/user/add', { name, password: name === 'root' ? ROOT_PASSWORD : 'one' }, 'root');
    }
    for (const [user, role] of [
      ['root', 'root'],
      ['alice', 'reader'],
      ['bob', 'writer'],
    ]) {
      await this.#send('auth/user/grant', { user, role }, 'root');
    }
    await this.#permit('reader', 'READ', ['\0', '\0']);
    await this.#permit('reader', 'READWRITE', ['/a/', '/a0']);
    await this.#permit('writer', 'WRITE', ['/registry/', '/registry0']);
    await this.#permit('writer', 'READWRITE', ['k', '\0']);
    await this.#send('auth/enable', {}, 'root');
    for (const name of ['root', ...USERS]) await this.#login(name);
  }

  /** Sends requests until `end`, or until the server does not answer. */
  async run(): Promise<void> {
    const sender = async (): Promise<void> => {
      while (!this.#over) {
        try {
          await this.#one();
        } catch {
          // It was killed; a connection that breaks says no more.
          this.#over = true;
        }
      }
    };
    await Promise.all(Array.from({ length: WIDTH }, sender));
  }

  end(): void {
    this.#over = true;
  }

  async #one(): Promise<void> {
    const choices = this.#choices;
    const user = this.#kind === 'auth' ? choices.one(['root', 'root', 'nobody', ...USERS]) : undefined;
    const what = choices.weighted({
      ordinary: 80,
      failing: 6,
      compact: this.#options.longTail ? 0 : 1.5,
      admin: this.#kind === 'auth' ? 2.5 : 0.5,
      login: this.#kind === 'auth' ? 2.5 : 0,
      fill: this.#kind === 'nospace' ? 0.6 : 0,
      disarm: this.#kind === 'nospace' ? 0.8 : 0,
    });
    switch (what) {
      case 'ordinary': {
        const operation = this.#maker.next(this.#revision);
        if (this.#options.longTail && operation.type === 'revoke') return;
        return this.#send(...messageOf(operation), user);
      }
      case 'failing':
        return this.#send('kv/txn', this.#failingTxn(), user);
      case 'compact': {
        const revision = Math.max(1, this.#revision - choices.below(60));
        return this.#send('kv/compaction', { revision: `${revision}`, physical: choices.chance(0.3) }, user);
      }
      case 'admin':
        return this.#administer();
      case 'login':
        return this.#login(choices.one(['root', ...USERS]));
      case 'fill':
        return this.#send('kv/put', { key: toBase64('large'), value: toBase64('x'.repeat(HEADROOM + 1)) });
      case 'disarm':
        return this.#disarm();
    }
  }

  /** A transaction that writes, and then fails: the range at a revision that is not there, or below a lease that is not. */
  #failingTxn(): object {
    const choices = this.#choices;
    const put = (key: string, more: object = {}): object => ({
      request_put: { key: toBase64(key), value: toBase64(`${choices.below(1000)}`), ...more },
    });
    const range = (revision: number): object => ({
      request_range: { key: toBase64('/a/1'), revision: `${revision}` },
    });
    const writes = [
      () => put('/a/other', { lease: '987654321' }),
      () => ({ request_put: { key: toBase64('/never/there'), ignore_value: true } }),
    ];
    const reads = [
      () => range(this.#revision + 100_000),
      () => range(1),
      () => ({ request_txn: { success: [range(this.#revision + 100_000)] } }),
    ];
    const fails = choices.one(this.#options.isCluster ? writes : [...writes, ...reads])();
    const success = [put(`/a/${choices.below(24)}`), fails];
    return choices.chance(0.7) ? { success } : { success: [{ request_txn: { success } }] };
  }

  /** Changes of users, roles and members. Tokens that were given before are of an old auth revision then. */
  async #administer(): Promise<void> {
    const choices = this.#choices;
    const user = choices.one(USERS);
    const role = choices.one(ROLES);
    const [key, end] = choices.one(RANGES);
    const range = { key: toBase64(key), range_end: toBase64(end) };
    const password = choices.one(PASSWORDS);
    const as = choices.chance(0.9) ? 'root' : user;
    switch (
      choices.weighted({ role: 6, permission: 6, user: 3, password: 2, member: this.#options.isCluster ? 0 : 1 })
    ) {
      case 'role':
        return this.#send(...choices.one(roleChanges(user, role)), as);
      case 'permission':
        if (choices.chance(0.7)) {
          return this.#permit(role, choices.one(['READ', 'WRITE', 'READWRITE']), [key, end], as);
        }
        return this.#send('auth/role/revoke', { role, ...range }, as);
      case 'user':
        return this.#send(...choices.one(userChanges(user, password)), as);
      case 'password':
        return this.#send('auth/user/changepw', { name: user, password }, as);
      case 'member':
        return this.#changeMember();
    }
  }

  /** A learner that never starts comes and goes. */
  async #changeMember(): Promise<void> {
    const token = this.#tokens.get('root');
    const added = await this.#gateway.call<{ member: { ID: string } }>(
      'cluster/member/add',
      { peerURLs: [`http://127.0.0.1:${this.#choices.between(1, 9)}`], isLearner: true },
      token,
    );
    const id = added.message?.member.ID;
    if (id !== undefined && this.#choices.chance(0.7)) await this.#send('cluster/member/remove', { ID: id }, 'root');
  }

  async #disarm(): Promise<void> {
    const token = this.#tokens.get('root');
    const { alarms = [] } = await this.#gateway.ask<{ alarms?: { memberID?: string; alarm: string }[] }>(
      'maintenance/alarm',
      { action: 'GET' },
      token,
    );
    for (const { memberID = '0', alarm } of alarms) {
      await this.#send('maintenance/alarm', { action: 'DEACTIVATE', memberID, alarm }, 'root');
    }
  }

  #permit(name: string, permType: string, [key, end]: readonly [string, string], as = 'root'): Promise<void> {
    const perm = { permType, key: toBase64(key), range_end: toBase64(end) };
    return this.#send('auth/role/grant', { name, perm }, as);
  }

  /** With whichever of the passwords it has now; first with the one it had the last time. */
  async #login(user: string): Promise<void> {
    const last = this.#passwords.get(user) ?? PASSWORDS[1]!;
    for (const password of user === 'root' ? [ROOT_PASSWORD] : new Set([last, ...PASSWORDS])) {
      const answer = await this.#gateway.call<{ token: string }>('auth/authenticate', { name: user, password });
      if (answer.message === undefined) continue;
      this.#passwords.set(user, password);
      this.#tokens.set(user, answer.message.token);
      return;
    }
  }

  async #send(method: string, message: object, user?: string): Promise<void> {
    const token = user === undefined ? undefined : this.#tokens.get(user);
    const answer = await this.#gateway.call<{ header?: AnswerHeader }>(method, message, token);
    this.answered++;
    if (answer.message === undefined) this.refused++;
    this.#revision = Math.max(this.#revision, Number(answer.message?.header?.revision ?? 0));
  }
}

type Request = readonly [method: string, message: object];

function roleChanges(user: string, role: string): readonly Request[] {
  return [
    ['auth/user/grant', { user, role }],
    ['auth/user/grant', { user, role }],
    ['auth/user/revoke', { name: user, role }],
    ['auth/role/add', { name: role }],
    ['auth/role/delete', { role: 'spare' }],
    ['auth/role/delete', { role: 'root' }],
  ];
}

function userChanges(user: string, password: string): readonly Request[] {
  return [
    ['auth/user/add', { name: user, password }],
    ['auth/user/add', { name: 'dave', options: { no_password: true } }],
    ['auth/user/delete', { name: choicesOfDeleted(user) }],
    ['auth/user/delete', { name: 'root' }],
  ];
}

/** Alice stays. */
const choicesOfDeleted = (user: string): string => (user === 'alice' ? 'dave' : user);
