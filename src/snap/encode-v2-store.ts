/**
 * Makes the v2 store of a `.snap` file, byte for byte as etcd does.
 *
 * 3.6 and 3.7 make it anew for each snapshot, and `snapshot restore` of every version for its one: members in ascending order,
 * each a create of its raftAttributes and, once it has published, a set of its attributes; then removed members; then the
 * version of the cluster. Each of these is a step that is counted, listed as an event, and leaves its number on what it made.
 */
import { compareMinors, type EtcdMinor } from '../etcd-version.ts';
import { type GoJsonValue, goJson } from '../json/go-json.ts';
import { V2, V2_EVENTS, V2_FORMAT_VERSION, V2_NEVER } from './format.ts';

/** A member as it goes into a v2 store. */
export interface V2StoreMember {
  readonly id: bigint;
  readonly peerURLs: readonly string[];
  readonly isLearner?: boolean | undefined;
  /** Written only together with client URLs: a member publishes both. */
  readonly name?: string | undefined;
  readonly clientURLs?: readonly string[] | undefined;
}

/** What goes into a v2 store. */
export interface V2StoreContent {
  readonly members: readonly V2StoreMember[];
  readonly removed?: readonly bigint[] | undefined;
  /** The version of the cluster, `3.6.0`. */
  readonly version?: string | undefined;
}

/** The document as the releases of `minor` write it. */
export function encodeV2Store(content: V2StoreContent, minor: EtcdMinor): Uint8Array {
  const builder = new StoreBuilder();
  for (const { id, peerURLs, isLearner, name, clientURLs } of ascending(content.members, (member) => member.id)) {
    const path = [V2.cluster, V2.members, id.toString(16)];
    const raft = { peerURLs, isLearner: isLearner === true ? true : undefined };
    builder.put('create', [...path, V2.raftAttributes], goJson(raft));
    if (clientURLs === undefined || clientURLs.length === 0) continue;
    builder.put('set', [...path, V2.attributes], goJson({ name: name === '' ? undefined : name, clientURLs }));
  }
  for (const id of ascending(content.removed ?? [], (removed) => removed)) {
    builder.put('create', [V2.cluster, V2.removed, id.toString(16)], '');
  }
  if (content.version !== undefined) builder.put('set', [V2.cluster, V2.version], content.version);
  // 3.6 looks whether the store is empty before it fills it.
  return new TextEncoder().encode(goJson(builder.document(compareMinors(minor, '3.6') >= 0 ? 1n : 0n)));
}

function ascending<Item>(items: readonly Item[], idOf: (item: Item) => bigint): Item[] {
  return [...items].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

interface StoreNode {
  readonly path: string;
  readonly index: bigint;
  readonly value: string;
  /** Of a directory. */
  readonly children: Map<string, StoreNode> | undefined;
}

class StoreBuilder {
  readonly #root = directory('/', 0n);
  readonly #events: GoJsonValue[] = [];
  readonly #counts = { create: 0n, set: 0n };
  #index = 0n;

  constructor() {
    this.#below(this.#root, V2.cluster);
    this.#below(this.#root, V2.keys);
  }

  /** A step: makes a file, and directories on the way to it. */
  put(action: 'create' | 'set', names: readonly string[], value: string): void {
    this.#index++;
    this.#counts[action]++;
    let node = this.#root;
    for (const name of names.slice(0, -1)) node = this.#below(node, name);
    const name = names.at(-1) as string;
    const path = join(node.path, name);
    node.children?.set(name, { path, index: this.#index, value, children: undefined });
    this.#events.push({
      action,
      node: { key: path, value, modifiedIndex: this.#index, createdIndex: this.#index },
    });
  }

  #below(node: StoreNode, name: string): StoreNode {
    const known = node.children?.get(name);
    if (known !== undefined) return known;
    const made = directory(join(node.path, name), this.#index);
    node.children?.set(name, made);
    return made;
  }

  document(getsFail: bigint): GoJsonValue {
    // The list is a ring: what came first is gone once there is more than it can hold.
    const total = BigInt(this.#events.length);
    const size = total < V2_EVENTS ? total : BigInt(V2_EVENTS);
    const ring: GoJsonValue[] = new Array<GoJsonValue>(V2_EVENTS).fill(null);
    for (const [i, event] of this.#events.entries()) ring[i % V2_EVENTS] = event;
    const back = total % BigInt(V2_EVENTS);
    return {
      Root: nodeJson(this.#root),
      WatcherHub: {
        EventHistory: {
          Queue: {
            Events: ring,
            Size: size,
            Front: total > V2_EVENTS ? back : 0n,
            Back: back,
            Capacity: BigInt(V2_EVENTS),
          },
          StartIndex: total > V2_EVENTS ? total - size + 1n : total === 0n ? 0n : 1n,
          LastIndex: total,
        },
      },
      CurrentIndex: total,
      Stats: {
        getsSuccess: 0n,
        getsFail,
        setsSuccess: this.#counts.set,
        setsFail: 0n,
        deleteSuccess: 0n,
        deleteFail: 0n,
        updateSuccess: 0n,
        updateFail: 0n,
        createSuccess: this.#counts.create,
        createFail: 0n,
        compareAndSwapSuccess: 0n,
        compareAndSwapFail: 0n,
        compareAndDeleteSuccess: 0n,
        compareAndDeleteFail: 0n,
        expireCount: 0n,
        watchers: 0n,
      },
      CurrentVersion: V2_FORMAT_VERSION,
    };
  }
}

function directory(path: string, index: bigint): StoreNode {
  return { path, index, value: '', children: new Map() };
}

function join(path: string, name: string): string {
  return path === '/' ? `/${name}` : `${path}/${name}`;
}

function nodeJson({ path, index, value, children }: StoreNode): GoJsonValue {
  return {
    Path: path,
    CreatedIndex: index,
    ModifiedIndex: index,
    ExpireTime: V2_NEVER,
    Value: value,
    Children: children === undefined ? null : new Map([...children].map(([name, child]) => [name, nodeJson(child)])),
  };
}
