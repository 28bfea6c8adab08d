/**
 * Transactions after which there is only one file that bbolt can leave: it visits nodes and buckets in random order, so
 * that page numbers depend on chance as soon as a transaction changes two buckets side by side, or deletes from two leaf
 * pages of a bucket. Those made here change one bucket, or several of which each lies in the one before, and in each
 * delete from one leaf page only.
 */
import { BoltEdit } from './bolt-edit.ts';
import type { ModelBucket } from './writer-model.ts';
import { type ByteText, type Operation, type Path, toText } from './writer-operations.ts';
import type { Choices, ContentMaker } from './writer-random.ts';

/** The keys of each leaf page of a bucket, in order, as they lie in the file. */
function leavesOf(bolt: BoltEdit, path: Path): ByteText[][] {
  const texts = (start: number): ByteText[] => bolt.leafElements(start).map(({ key }) => toText(key));
  if (path.length === 0) {
    return [...bolt.walk(bolt.root)].filter((page) => bolt.flags(page) === 2).map((page) => texts(bolt.at(page)));
  }
  const { inlineAt } = bolt.bucket(...path);
  if (inlineAt !== undefined) return [texts(inlineAt)];
  return bolt.leaves(...path).map((page) => texts(bolt.at(page)));
}

export interface DeterminedTransaction {
  readonly operations: readonly Operation[];
  readonly commit: boolean;
}

/** Makes such transactions. */
export class DeterminedMaker {
  readonly #choices: Choices;
  readonly #content: ContentMaker;
  readonly #nested: boolean;
  readonly #fill: number | undefined;

  /** With `nested` the buckets lie up to three deep; without there is one bucket, as in most databases of etcd. */
  constructor(choices: Choices, content: ContentMaker, nested: boolean) {
    this.#choices = choices;
    this.#content = content;
    this.#nested = nested;
    this.#fill = choices.one([undefined, undefined, 0.1, 0.5, 0.7, 0.9, 1, 0.05, 1.5]);
  }

  /** A transaction for a database whose content is `model` and whose file is `bytes`. */
  next(model: ModelBucket, bytes: Uint8Array): DeterminedTransaction {
    const choices = this.#choices;
    const operations: Operation[] = [];
    if (!choices.chance(0.04)) {
      const bolt = new BoltEdit(bytes);
      const chain = this.#chain(model);
      // Mostly only the innermost is changed.
      for (const [i, path] of chain.entries()) {
        if (i === chain.length - 1 || choices.chance(0.2)) this.#change(model, bolt, path, operations, i, chain);
      }
    }
    return { operations, commit: !choices.chance(0.07) };
  }

  /** Paths of buckets each of which lies in the one before. The last one may be new. */
  #chain(model: ModelBucket): Path[] {
    if (!this.#nested) return [['bucket']];
    const chain: Path[] = [];
    for (let path: Path = []; path.length < 3; ) {
      const bucket = model.find(path);
      const names = (bucket?.childNames ?? []).filter((name) => /^[a-e]$/.test(name));
      const name =
        names.length > 0 && this.#choices.chance(0.8) ? this.#choices.one(names) : this.#choices.one([...'abcde']);
      path = [...path, name];
      chain.push(path);
      if (model.find(path) === undefined || this.#choices.chance(0.4)) break;
    }
    return chain;
  }

  #change(
    model: ModelBucket,
    bolt: BoltEdit,
    path: Path,
    operations: Operation[],
    depth: number,
    chain: readonly Path[],
  ): void {
    const choices = this.#choices;
    const at = path;
    const there = model.find(path) !== undefined;
    if (!there) operations.push({ op: choices.one(['create', 'createIfMissing']), at });
    else if (this.#nested && depth === chain.length - 1 && choices.chance(0.05)) {
      // The leaf of the parent that loses the element must be the only one to lose any: no other deletes there.
      if (!operations.some(({ op, at: other }) => /elete$/.test(op) && other.length === path.length - 1)) {
        operations.push({ op: 'deleteBucket', at });
        if (choices.chance(0.3)) operations.push({ op: 'create', at });
        return;
      }
    }
    if (this.#fill !== undefined) operations.push({ op: 'fill', at, percent: this.#fill });
    const changes: Operation[] = [];
    const kind = choices.weighted({
      puts: 10,
      overwrites: 3,
      deletes: 7,
      oneDelete: 2,
      sequence: 1,
      missing: 1,
      refused: 0.5,
    });
    if (kind === 'puts' || (kind === 'deletes' && choices.chance(0.3))) {
      for (let n = choices.one([1, 1, 2, 5, 12, 40, 120]); n > 0; n--) {
        changes.push({ op: 'put', at, key: this.#content.key(), value: this.#content.value() });
      }
    }
    if (there) {
      const leaves = leavesOf(bolt, path);
      // A name of a bucket is no key to put to or delete.
      const plain = (keys: readonly ByteText[]) => keys.filter((key) => !model.find([...path, key]));
      const leaf = plain(choices.one(leaves));
      if (kind === 'deletes') {
        const chosen = choices.chance(0.3) ? leaf : choices.some(leaf, choices.one([0.2, 0.5, 0.9]));
        for (const key of chosen) {
          changes.push({ op: choices.chance(0.2) ? 'cursorDelete' : 'delete', at, key });
        }
      } else if (kind === 'oneDelete' && leaf.length > 0) {
        changes.push({ op: 'delete', at, key: choices.one(leaf) });
      } else if (kind === 'overwrites') {
        for (const key of plain(choices.some(leaves.flat(), choices.one([0.05, 0.2, 0.6])))) {
          changes.push({ op: 'put', at, key, value: this.#content.value() });
        }
      }
    }
    if (kind === 'sequence') {
      if (choices.chance(0.5)) changes.push({ op: 'nextSequence', at });
      else
        changes.push({
          op: 'setSequence',
          at,
          sequence: choices.one(['0', '1', '4294967296', '18446744073709551615']),
        });
    }
    if (kind === 'missing') changes.push({ op: 'delete', at, key: 'no such key' }, { op: 'get', at, key: 'nor this' });
    if (kind === 'refused') {
      changes.push({ op: 'create', at }, { op: 'put', at, key: '', value: [1, 1] }, { op: 'create', at: [...at, ''] });
    }
    if (choices.chance(0.1)) changes.push({ op: 'scan', at });
    operations.push(...changes);
  }
}
