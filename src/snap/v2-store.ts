/**
 * The v2 store as it lies in a `.snap` file: etcd's old tree of keys as JSON, in which up to 3.5 the membership is kept.
 *
 * It is read token by token and only what is asked for is kept, so memory does not grow with the keys of a v2 user. Values
 * of users' keys and of `/2` (password hashes) are never looked at.
 */
import { DatadirError } from '../errors.ts';
import { asObject, asStrings, type JsonObject, parseJson } from '../json/parse.ts';
import { type JsonToken, JsonTokens } from '../json/tokens.ts';
import { V2, V2_NEVER } from './format.ts';

/** A member as the v2 store has it. */
export interface V2Member {
  readonly id: bigint;
  readonly peerURLs: readonly string[];
  readonly isLearner: boolean;
  /** Undefined until the member has published its name and URLs. */
  readonly name: string | undefined;
  readonly clientURLs: readonly string[] | undefined;
}

/** A key of the v2 API. */
export interface V2Key {
  /** As its user knows it: `/a/b`. */
  readonly path: string;
  readonly directory: boolean;
  /** When it expires; undefined: never. */
  readonly expires: string | undefined;
}

/** A directory right below the root. */
export interface V2TopDirectory {
  /** `/1` */
  readonly path: string;
  readonly children: number;
  /** Whether one of its children has children. */
  readonly nested: boolean;
}

/** What a v2 store holds. */
export interface V2Store {
  /** Ascending by id. */
  readonly members: readonly V2Member[];
  /** Ids of members that were removed, ascending. */
  readonly removed: readonly bigint[];
  /** The version of the cluster, `3.5.0`; undefined until it was agreed on. */
  readonly version: string | undefined;
  /** Keys of the v2 API: how many files and directories, and the first of them in the order of the document. */
  readonly keys: { readonly files: number; readonly directories: number; readonly listed: readonly V2Key[] };
  /** The v2 API's own users and roles. */
  readonly auth: { readonly users: number; readonly roles: number; readonly enabled: boolean };
  readonly topDirectories: readonly V2TopDirectory[];
  readonly currentIndex: bigint;
}

/** Options of reading a v2 store. */
export interface V2StoreOptions {
  /** How many keys of the v2 API are listed; all are counted. Default 100. */
  readonly maxKeys?: number | undefined;
}

/**
 * The directories for which etcd 3.6 refuses to start (`detected disallowed custom content in v2store`): what is not etcd's
 * own. Releases before 3.6.3 (`authException: false`) also count `/2` when nothing in it has children.
 */
export function customContent(store: V2Store, authException = true): string[] {
  const custom = store.topDirectories.filter(({ path, children, nested }) => {
    if (path === `/${V2.cluster}` || children === 0) return false;
    return path !== `/${V2.auth}` || !authException || nested;
  });
  return custom.map(({ path }) => path);
}

const MAX_KEYS_LISTED = 100;
// Bounds of what is kept of a document that nobody's etcd wrote.
const MAX_MEMBERS = 10_000;
const MAX_REMOVED = 100_000;
const MAX_TOP_DIRECTORIES = 1000;
/** A member's attributes are a few URLs. */
const MAX_ATTRIBUTES = 1 << 20;
const TOKENS_PER_STEP = 4000;

/** A node of the tree that is being read. Its name is the last of the path. */
interface OpenNode {
  value: string | undefined;
  expires: string | undefined;
  directory: boolean;
  children: number;
  nested: boolean;
}

interface MemberParts {
  raftAttributes?: string;
  attributes?: string;
}

/** Reads a v2 store in steps. Throws `JSON_INVALID` or `SNAP_DAMAGED` when etcd would not start from it. */
export class V2StoreReading {
  readonly #tokens: JsonTokens;
  readonly #maxKeys: number;
  readonly #nodes: OpenNode[] = [];
  /** Names from the root down; the root itself has none. */
  readonly #path: string[] = [];
  /** Whether the innermost open object is the children of a node, not the node. */
  #inChildren = false;
  /** Values deeper than this are passed over. */
  #skipTo: number | undefined;
  #sawRoot = false;
  #done = false;
  #currentIndex = 0n;
  #version: string | undefined;
  readonly #members = new Map<bigint, MemberParts>();
  readonly #removed = new Set<bigint>();
  readonly #topDirectories: V2TopDirectory[] = [];
  readonly #listed: V2Key[] = [];
  #files = 0;
  #directories = 0;
  #users = 0;
  #roles = 0;
  #authEnabled = false;

  constructor(bytes: Uint8Array, options: V2StoreOptions = {}) {
    this.#tokens = new JsonTokens(bytes);
    this.#maxKeys = options.maxKeys ?? MAX_KEYS_LISTED;
  }

  /** Bytes read so far. */
  get position(): number {
    return this.#tokens.end;
  }

  /** Whether the document has a tree at all: any JSON can be in a `.snap` file of another program. */
  get sawRoot(): boolean {
    return this.#sawRoot;
  }

  /** Reads on; true when the document is read. */
  step(): boolean {
    for (let i = 0; i < TOKENS_PER_STEP && !this.#done; i++) this.#take(this.#tokens.next());
    return this.#done;
  }

  get result(): V2Store {
    const members = [...this.#members].map(([id, parts]) => memberOf(id, parts));
    return {
      members: members.sort((a, b) => (a.id < b.id ? -1 : 1)),
      removed: [...this.#removed].sort((a, b) => (a < b ? -1 : 1)),
      version: this.#version,
      keys: { files: this.#files, directories: this.#directories, listed: this.#listed },
      auth: { users: this.#users, roles: this.#roles, enabled: this.#authEnabled },
      topDirectories: this.#topDirectories,
      currentIndex: this.#currentIndex,
    };
  }

  #take(token: JsonToken): void {
    if (this.#skipTo !== undefined) {
      if (this.#tokens.depth <= this.#skipTo) this.#skipTo = undefined;
    } else if (token === 'end') this.#done = true;
    else if (token === '}') this.#leave();
    else if (token === 'key') this.#member(this.#tokens.text());
    else if (token !== '{') throw this.#wrong('the document is not an object');
  }

  /** A member of the document, of a node or of the children of a node. */
  #member(name: string): void {
    const node = this.#nodes.at(-1);
    const token = this.#tokens.next();
    if (node === undefined) this.#ofDocument(name, token);
    else if (this.#inChildren) {
      node.children++;
      this.#path.push(name);
      this.#enter(token);
    } else this.#ofNode(node, name, token);
  }

  #ofDocument(name: string, token: JsonToken): void {
    if (name === 'Root') {
      this.#sawRoot = true;
      this.#enter(token);
    } else if (name === 'CurrentIndex') this.#currentIndex = this.#unsigned(token, name) ?? this.#currentIndex;
    else this.#skip(token);
  }

  #ofNode(node: OpenNode, name: string, token: JsonToken): void {
    if (name === 'Children') {
      // null: a file.
      if (token === '{') {
        node.directory = true;
        this.#inChildren = true;
      } else if (token !== 'null') throw this.#wrong('the children of a node are not an object');
    } else if (name === 'Value' || name === 'ExpireTime' || name === 'Path') {
      if (token !== 'string' && token !== 'null') throw this.#wrong(`${name} of a node is not a string`);
      if (token === 'null' || name === 'Path') return;
      if (name === 'Value') node.value = this.#valueIsNeeded() ? this.#tokens.text() : '';
      else node.expires = this.#tokens.text();
    } else if (name === 'CreatedIndex' || name === 'ModifiedIndex') this.#unsigned(token, name);
    else this.#skip(token);
  }

  /** Only of etcd's own nodes; of `/2` nothing but whether it is enabled. */
  #valueIsNeeded(): boolean {
    const [top, second] = this.#path;
    return top === V2.cluster || (top === V2.auth && second === 'enabled' && this.#path.length === 2);
  }

  #unsigned(token: JsonToken, name: string): bigint | undefined {
    if (token === 'null') return undefined;
    const value = token === 'number' ? this.#tokens.number() : undefined;
    if (typeof value === 'bigint' && value >= 0n && value < 1n << 64n) return value;
    throw this.#wrong(`${name} is not an unsigned number of 64 bits`);
  }

  #skip(token: JsonToken): void {
    if (token === '{' || token === '[') this.#skipTo = this.#tokens.depth - 1;
  }

  #enter(token: JsonToken): void {
    if (token !== '{') throw this.#wrong('a node is not an object');
    this.#nodes.push({ value: undefined, expires: undefined, directory: false, children: 0, nested: false });
    this.#inChildren = false;
  }

  /** An object ends: the children of a node, the node, or the document. */
  #leave(): void {
    if (this.#inChildren) {
      this.#inChildren = false;
      return;
    }
    const node = this.#nodes.pop();
    if (node === undefined) return;
    this.#keep(node);
    const parent = this.#nodes.at(-1);
    if (parent === undefined) return;
    if (node.children > 0) parent.nested = true;
    this.#path.pop();
    this.#inChildren = true;
  }

  #keep(node: OpenNode): void {
    const [top, second, third, fourth] = this.#path;
    const depth = this.#path.length;
    if (depth === 1 && node.directory && this.#topDirectories.length < MAX_TOP_DIRECTORIES) {
      this.#topDirectories.push({ path: `/${top}`, children: node.children, nested: node.nested });
    }
    if (depth < 2) return;
    if (top === V2.cluster) {
      if (second === V2.version && depth === 2) this.#version = node.value ?? '';
      else if (second === V2.members && third !== undefined) this.#keepMember(third, fourth, depth, node);
      else if (second === V2.removed && third !== undefined && depth === 3) {
        if (this.#removed.size === MAX_REMOVED) throw this.#wrong(`more than ${MAX_REMOVED} removed members`);
        this.#removed.add(this.#id(third));
      }
    } else if (top === V2.keys) this.#keepKey(node);
    else if (top === V2.auth) this.#keepAuth(second, depth, node);
  }

  #keepMember(hex: string, part: string | undefined, depth: number, node: OpenNode): void {
    const id = this.#id(hex);
    const parts = this.#members.get(id) ?? {};
    if (this.#members.size === MAX_MEMBERS) throw this.#wrong(`${MAX_MEMBERS} members or more`);
    this.#members.set(id, parts);
    if (depth === 3) return;
    if (depth > 4 || (part !== V2.raftAttributes && part !== V2.attributes)) {
      throw this.#wrong(`member ${hex} has an unknown key`);
    }
    if ((node.value?.length ?? 0) > MAX_ATTRIBUTES) throw this.#wrong(`${part} of member ${hex} are too long`);
    parts[part] = node.value ?? '';
  }

  #keepKey(node: OpenNode): void {
    if (node.directory) this.#directories++;
    else this.#files++;
    if (this.#listed.length >= this.#maxKeys) return;
    const expires = node.expires === V2_NEVER ? undefined : node.expires;
    this.#listed.push({ path: `/${this.#path.slice(1).join('/')}`, directory: node.directory, expires });
  }

  #keepAuth(second: string | undefined, depth: number, node: OpenNode): void {
    if (depth === 2 && second === 'enabled') this.#authEnabled = node.value === 'true';
    else if (depth === 3 && second === 'users') this.#users++;
    else if (depth === 3 && second === 'roles') this.#roles++;
  }

  #id(hex: string): bigint {
    if (!/^[0-9a-fA-F]{1,16}$/.test(hex)) throw this.#wrong('the name of a member is not a number in hex');
    return BigInt(`0x${hex}`);
  }

  #wrong(reason: string): DatadirError {
    return damagedStore(reason, this.#tokens.start);
  }
}

function damagedStore(reason: string, offset?: number): DatadirError {
  return new DatadirError('SNAP_DAMAGED', `v2 store: ${reason}`, offset === undefined ? {} : { offset });
}

function memberOf(id: bigint, { raftAttributes, attributes }: MemberParts): V2Member {
  const hex = id.toString(16);
  if (raftAttributes === undefined) throw damagedStore(`member ${hex} has no raftAttributes`);
  const raft = attributesOf(hex, raftAttributes);
  const own = attributes === undefined ? undefined : attributesOf(hex, attributes);
  const peerURLs = asStrings(raft.get('peerURLs') ?? null);
  const clientURLs = own === undefined ? undefined : asStrings(own.get('clientURLs') ?? null);
  const name = own?.get('name') ?? undefined;
  const isLearner = raft.get('isLearner') ?? false;
  if (peerURLs === undefined || typeof isLearner !== 'boolean') throw damagedStore(`raftAttributes of member ${hex}`);
  if (own !== undefined && (clientURLs === undefined || (name !== undefined && typeof name !== 'string'))) {
    throw damagedStore(`attributes of member ${hex}`);
  }
  return {
    id,
    peerURLs,
    isLearner,
    name: own === undefined ? undefined : ((name as string | undefined) ?? ''),
    clientURLs,
  };
}

function attributesOf(hex: string, text: string): JsonObject {
  let object: JsonObject | undefined;
  try {
    object = asObject(parseJson(text));
  } catch (error) {
    throw new DatadirError('SNAP_DAMAGED', `v2 store: attributes of member ${hex}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (object === undefined) throw damagedStore(`attributes of member ${hex} are not an object`);
  return object;
}
