/**
 * Random damage to healthy bolt files, the same for the same seed: wrong numbers in fields, pages changed against each
 * other, keys and freelists edited. What to damage is chosen in the healthy file; then one to three things are changed.
 */
import { BoltEdit, type BoltField, boundaryValues } from '../support/bolt-edit.ts';

/** Numbers from 0 (inclusive) to 1, the same for the same seed. */
function mulberry32(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

export interface Damaged {
  readonly bytes: Uint8Array;
  /** What was done, for the message of a failed test. */
  readonly what: string;
}

type Choice = <T>(list: readonly T[]) => T;

/** A healthy file, with all places in it that can be damaged. */
export class DamageMaker {
  readonly #original: Uint8Array;
  readonly #bolt: BoltEdit;
  /** Fields by structure and name, so that those that occur once are chosen as often as those of every element. */
  readonly #fields: (readonly BoltField[])[];
  readonly #pages: readonly number[];
  readonly #keys: readonly { at: number; length: number; page: number }[];

  constructor(bytes: Uint8Array) {
    this.#original = bytes;
    this.#bolt = new BoltEdit(bytes);
    const byKind = new Map<string, BoltField[]>();
    for (const field of this.#bolt.fields()) {
      const kind = `${field.structure}.${field.field}`;
      byKind.set(kind, [...(byKind.get(kind) ?? []), field]);
    }
    this.#fields = [...byKind.values()];
    this.#pages = this.#bolt.treePages();
    this.#keys = this.#pages.flatMap((page) =>
      (this.#bolt.flags(page) === 1
        ? this.#bolt.branchElements(page)
        : this.#bolt.leafElements(this.#bolt.at(page))
      ).map(({ position, keySize }) => ({ at: position, length: keySize, page })),
    );
  }

  make(seed: number): Damaged {
    const random = mulberry32(seed);
    const below = (n: number): number => Math.floor(random() * n);
    const choose: Choice = (list) => list[below(list.length)] as (typeof list)[number];
    const bolt = new BoltEdit(this.#original);
    const stored = this.#bolt.freelist !== undefined;
    const kinds = [
      ...Array.from({ length: 5 }, () => this.#changeField),
      this.#flipBit,
      this.#flipBit,
      this.#redirectChild,
      this.#exchangePages,
      this.#copyPage,
      this.#changeKey,
      this.#changeKey,
      this.#exchangeKeys,
      this.#overwrite,
      ...(stored ? [this.#editFreelist, this.#editFreelist, this.#editFreelist, this.#editFreelist] : []),
    ];
    const times = choose([1, 1, 1, 2, 3]);
    const done = Array.from({ length: times }, () => choose(kinds).call(this, bolt, choose, below));
    return { bytes: bolt.bytes, what: done.join('; ') };
  }

  #changeField(bolt: BoltEdit, choose: Choice): string {
    const field = choose(choose(this.#fields));
    const own = bolt.getField(field);
    const near = [own, BigInt(this.#bolt.highWaterMark), BigInt(choose(this.#pages)), BigInt(bolt.pageSize)];
    const values = boundaryValues(field.size, ...near).filter((value) => value !== own);
    const value = choose([...values, own ^ 1n, own ^ (1n << BigInt(choose([1, 4, 8, 12])))]);
    bolt.setField(field, value);
    this.#seal(bolt, field, choose);
    return `page ${field.page} ${field.structure} ${field.index ?? ''} ${field.field} ${own} -> ${value}`;
  }

  #flipBit(bolt: BoltEdit, choose: Choice, below: (n: number) => number): string {
    const field = choose(choose(this.#fields));
    const bit = below(8);
    const offset = field.offset + below(field.size);
    bolt.flip(offset, 1 << bit);
    this.#seal(bolt, field, choose);
    return `page ${field.page} ${field.structure} ${field.index ?? ''} ${field.field}: bit ${bit} of byte ${offset}`;
  }

  /** A changed meta is believed only with the right checksum. */
  #seal(bolt: BoltEdit, { structure, field, page }: BoltField, choose: Choice): void {
    if (structure === 'meta' && field !== 'checksum' && choose([true, true, false])) bolt.sealMeta(page as 0 | 1);
  }

  #redirectChild(bolt: BoltEdit, choose: Choice): string {
    const children = this.#fields.find(([first]) => first?.structure === 'branch-element' && first.field === 'child');
    if (children === undefined) return this.#exchangePages(bolt, choose);
    const field = choose(children);
    const target = choose([...this.#pages, ...this.#bolt.freePages(), this.#bolt.highWaterMark, this.#bolt.root]);
    bolt.setField(field, BigInt(target));
    return `page ${field.page} child ${field.index} -> ${target}`;
  }

  #exchangePages(bolt: BoltEdit, choose: Choice): string {
    const [a, b] = [choose(this.#pages), choose(this.#pages)];
    const copy = bolt.bytes.slice(bolt.at(a), bolt.at(a + 1));
    bolt.bytes.copyWithin(bolt.at(a), bolt.at(b), bolt.at(b + 1));
    bolt.bytes.set(copy, bolt.at(b));
    const right = choose([true, true, false]);
    if (right) for (const page of [a, b]) bolt.setU64(bolt.at(page), page);
    return `pages ${a} and ${b} changed places${right ? ', ids right' : ''}`;
  }

  #copyPage(bolt: BoltEdit, choose: Choice): string {
    const from = choose([...this.#pages, ...this.#bolt.freePages()]);
    const to = choose(this.#pages);
    bolt.bytes.copyWithin(bolt.at(to), bolt.at(from), bolt.at(from + 1));
    const right = choose([true, true, false]);
    if (right) bolt.setU64(bolt.at(to), to);
    return `page ${from} copied to ${to}${right ? ', id right' : ''}`;
  }

  #changeKey(bolt: BoltEdit, choose: Choice, below: (n: number) => number): string {
    const { at, length, page } = choose(this.#keys);
    const offset = at + below(Math.min(length, 8));
    const value = choose([0, 0xff, ((bolt.bytes[offset] ?? 0) + 1) & 0xff, below(256)]);
    bolt.bytes[offset] = value;
    return `page ${page}: byte ${offset - at} of a key -> ${value}`;
  }

  #exchangeKeys(bolt: BoltEdit, choose: Choice): string {
    const first = choose(this.#keys);
    const second = choose(this.#keys.filter(({ page }) => page === first.page));
    const length = Math.min(first.length, second.length);
    const copy = bolt.bytes.slice(first.at, first.at + length);
    bolt.bytes.copyWithin(first.at, second.at, second.at + length);
    bolt.bytes.set(copy, second.at);
    return `page ${first.page}: two keys changed places`;
  }

  #overwrite(bolt: BoltEdit, choose: Choice): string {
    const page = choose(this.#pages);
    const from = choose([0, 0, 16, bolt.pageSize / 2]);
    const byte = choose([0, 0, 0xff, 0xa5]);
    bolt.bytes.fill(byte, bolt.at(page, from), bolt.at(page + 1));
    return `page ${page} from byte ${from} on filled with ${byte}`;
  }

  #editFreelist(bolt: BoltEdit, choose: Choice, below: (n: number) => number): string {
    const list = this.#bolt.freelist as number;
    const ids = this.#bolt.freePages();
    const overflowing = this.#pages.filter((page) => this.#bolt.overflow(page) > 0);
    const continuation = overflowing.length > 0 ? choose(overflowing) + 1 : this.#bolt.root;
    const hwm = this.#bolt.highWaterMark;
    const edits: readonly (readonly [what: string, ids: number[]])[] = [
      ['an id is missing', ids.toSpliced(below(ids.length), 1)],
      ['several ids are missing', ids.slice(0, below(ids.length))],
      ['an id twice', ids.toSpliced(below(ids.length), 0, choose(ids))],
      ['a page in use', [...ids, choose(this.#pages)]],
      ['a page in use, in order', [...ids, choose(this.#pages)].sort((a, b) => a - b)],
      ['a continuation of a page', [...ids, continuation].sort((a, b) => a - b)],
      ['an id out of range', [...ids, choose([0, 1, hwm, hwm + 1, 2 ** 40])]],
      ['its own page', [...ids, list].sort((a, b) => a - b)],
      ['reversed', ids.toReversed()],
    ];
    const [what, edited] = choose(edits);
    const room = Math.floor(((this.#bolt.overflow(list) + 1) * bolt.pageSize - 16) / 8);
    if (edited.length > room) return this.#changeKey(bolt, choose, below);
    bolt.setU16(bolt.at(list, 10), edited.length);
    for (const [i, id] of edited.entries()) bolt.setU64(bolt.at(list, 16 + 8 * i), id);
    return `freelist: ${what}`;
  }
}
