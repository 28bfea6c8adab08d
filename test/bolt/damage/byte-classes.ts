/**
 * Says of every byte of a healthy bolt file what it is part of, by way of `BoltEdit` only: what a checker can know of a
 * damaged byte depends on that.
 */
import { BoltEdit, type BoltField, BRANCH } from '../../support/bolt-edit.ts';

/** Names of byte classes, in the order of the tables. Fields are `structure: field`. */
export type ByteClass = string;

const META_NAMES = { true: 'current meta', false: 'older meta' } as const;

/** The class that a field belongs to. The last element of a page is one of its own: nothing follows that would tell. */
export function fieldClass(edit: BoltEdit, { structure, field, page, index, current }: BoltField): ByteClass {
  if (structure === 'meta') return `${META_NAMES[`${current === true}`]}: ${field}`;
  if (structure === 'meta-page') return `${META_NAMES[`${current === true}`]}, page header: ${field}`;
  const name = `${structure.replace('-', ' ')}: ${field}`;
  const sized = field === 'keySize' || field === 'valueSize';
  const onTree = structure === 'leaf-element' || structure === 'branch-element';
  return sized && onTree && index === edit.count(page) - 1 ? `${name}, last of its page` : name;
}

/** One class per byte of the file. */
export function byteClasses(bytes: Uint8Array): ByteClass[] {
  const edit = new BoltEdit(bytes);
  const classes: ByteClass[] = new Array(bytes.length).fill('free page');
  const mark = (start: number, length: number, name: ByteClass): void => {
    classes.fill(name, start, start + length);
  };
  for (const meta of [0, 1]) mark(edit.at(meta), edit.pageSize, 'rest of a meta page');
  if (edit.freelist !== undefined)
    mark(edit.at(edit.freelist), edit.span(edit.freelist).length, 'rest of the freelist');
  for (const page of edit.treePages()) {
    mark(edit.at(page), edit.span(page).length, 'rest of a page');
    if (edit.flags(page) === BRANCH) {
      for (const { position, keySize } of edit.branchElements(page)) mark(position, keySize, 'branch key');
    } else {
      for (const { position, keySize, valueSize, flags } of edit.leafElements(edit.at(page))) {
        mark(position, keySize, flags & 1 ? 'name of a bucket' : 'leaf key');
        mark(position + keySize, valueSize, 'value');
      }
    }
  }
  for (const { inlineAt } of edit.buckets()) {
    if (inlineAt === undefined) continue;
    for (const { position, keySize, valueSize } of edit.leafElements(inlineAt)) {
      mark(position, keySize, 'inline key');
      mark(position + keySize, valueSize, 'inline value');
    }
  }
  for (const field of edit.fields()) mark(field.offset, field.size, fieldClass(edit, field));
  return classes;
}

/** What each page of the file is for. */
export type PageUse = 'current meta' | 'older meta' | 'freelist' | 'branch' | 'leaf' | 'continuation' | 'free';

export function pageUses(bytes: Uint8Array): PageUse[] {
  const edit = new BoltEdit(bytes);
  const uses: PageUse[] = new Array(edit.highWaterMark).fill('free');
  uses[edit.newerMeta] = 'current meta';
  uses[edit.olderMeta] = 'older meta';
  const list = edit.freelist;
  for (const page of [...(list === undefined ? [] : [list]), ...edit.treePages()]) {
    uses.fill('continuation', page, page + 1 + edit.overflow(page));
    uses[page] = page === list ? 'freelist' : edit.flags(page) === BRANCH ? 'branch' : 'leaf';
  }
  return uses;
}
