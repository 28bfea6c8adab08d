/**
 * Copies of a db with something changed: for people and as JSON.
 */
import type { EditedCopy } from '../../files/edit-copy.ts';
import { exactSize } from './size.ts';
import { visible } from './visible.ts';

const KINDS: Readonly<Record<EditedCopy['kind'], string>> = {
  db: 'the db',
  snapshot: 'the snapshot file',
  'data-dir': 'the data directory',
};

/** The check is left out: it was healthy. */
export function editedJson({ report: _, ...made }: EditedCopy): Record<string, unknown> {
  return { ...made };
}

/** `lines`: what the command has done besides. */
export function editedText(source: string, made: EditedCopy, lines: readonly string[] = []): string {
  const { path, kind, size, sha256 } = made;
  const all = [
    `DONE: ${KINDS[kind]} was written`,
    `${source} -> ${path}`,
    ...lines,
    `size of db: ${exactSize(size.after)}; before: ${exactSize(size.before)}`,
    ...(sha256 === null ? [] : [`sha256:     ${sha256}`]),
  ];
  return all.map((line) => `${visible(line)}\n`).join('');
}
