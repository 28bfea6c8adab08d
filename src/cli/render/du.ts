/**
 * What takes the space in a db, for people and as JSON.
 */

import type { Usage } from '../../backend/du.ts';
import type { BucketUsage, PageUsage } from '../../backend/du-pages.ts';
import type { UsageNode } from '../../backend/du-tree.ts';
import { base64 } from './base64.ts';
import { byteFields } from './json-bytes.ts';
import { readableBytes } from './readable-bytes.ts';
import { counted, exactSize, grouped, humanSize } from './size.ts';
import { visible } from './visible.ts';

/** What stands where there is no name. No name of Kubernetes has such characters. */
const REST_NAMES: Readonly<Record<NonNullable<UsageNode['rest']>, string>> = {
  'other-names': '…other',
  'no-namespace': '(no namespace)',
  'other-keys': '(other keys)',
};

/** So much of a key is shown to people. */
const KEY_SHOWN = 1024;

/** The text of `du`, in pieces. */
export function* usageText(usage: Usage, path: string): Generator<string> {
  const { tree, pages, by, kinds, mostRevised, buckets, moreBuckets } = usage;
  yield `${visible(path)}\n${summary(tree, pages)}`;
  if (by === 'bucket') {
    yield* section('by bucket', bucketRows(tree, buckets));
    if (moreBuckets > 0) yield `  and ${counted(moreBuckets, 'bucket')} more\n`;
  } else yield* section(by === 'prefix' ? 'by prefix' : 'by namespace and kind', treeRows(tree));
  if (by === 'namespace') yield* section('by kind', nodeRows(kinds));
  if (mostRevised.length > 0) {
    const rows = mostRevised.map(({ key, records, liveBytes }) => [
      grouped(records),
      liveBytes === 0 ? 'deleted' : humanSize(liveBytes),
      readableBytes(key, KEY_SHOWN),
    ]);
    yield* section('keys with the most records', [['records', 'live', 'key'], ...rows]);
  }
}

function summary(tree: UsageNode, pages: PageUsage): string {
  const older = tree.records - tree.tombstones - tree.keys;
  const kinds = [
    '2 meta',
    `${grouped(pages.branch)} branch`,
    `${grouped(pages.leaf)} leaf`,
    `${grouped(pages.overflow)} overflow`,
    ...(pages.freelist > 0 ? [`${grouped(pages.freelist)} freelist`] : []),
  ];
  return [
    `live:       ${exactSize(tree.liveBytes)} in ${counted(tree.keys, 'key')}`,
    `history:    ${exactSize(tree.historyBytes)} in ${counted(older, 'older record')}`,
    `tombstones: ${exactSize(tree.tombstoneBytes)} in ${counted(tree.tombstones, 'record')}`,
    `free:       ${exactSize(pages.freeBytes)} in ${counted(pages.free, 'page')}`,
    `slack:      ${exactSize(pages.slackBytes)} unused in pages that are not free`,
    `pages:      ${grouped(pages.highWaterMark)} of ${grouped(pages.pageSize)} bytes, ${grouped(pages.inUse)} in use: ${kinds.join(', ')}`,
    `file:       ${exactSize(pages.fileBytes)}, ${grouped(pages.tailBytes)} of them behind the last page`,
    '',
  ].join('\n');
}

function* section(title: string, rows: Iterable<readonly string[]>): Generator<string> {
  yield `\n${title}\n`;
  yield* aligned([...rows]);
}

const HEAD = ['live', 'history', 'tombstones', 'records', 'keys', 'name'];

function figureCells({ liveBytes, historyBytes, tombstones, records, keys }: UsageNode): string[] {
  return [humanSize(liveBytes), humanSize(historyBytes), grouped(tombstones), grouped(records), grouped(keys)];
}

function nameText({ name, rest }: UsageNode): string {
  if (rest === undefined) return name.length === 0 ? '(all)' : readableBytes(name);
  return `${readableBytes(name)}${REST_NAMES[rest]}`;
}

/** A tree, those below a node indented. Its depth has a limit, so this may call itself. */
function* treeRows(tree: UsageNode): Generator<string[]> {
  yield HEAD;
  yield* rowsBelow(tree, 0);
}

function* rowsBelow(node: UsageNode, depth: number): Generator<string[]> {
  yield [...figureCells(node), `${'  '.repeat(depth)}${nameText(node)}`];
  for (const child of node.children) yield* rowsBelow(child, depth + 1);
}

function* nodeRows(nodes: readonly UsageNode[]): Generator<string[]> {
  yield HEAD;
  for (const node of nodes) yield [...figureCells(node), nameText(node)];
}

function* bucketRows(tree: UsageNode, buckets: readonly BucketUsage[]): Generator<string[]> {
  yield ['live', 'history', 'tombstones', 'records', 'pages', 'slack', 'name'];
  const pagesOf = new Map(buckets.map((bucket) => [bucket.name, bucket]));
  for (const node of tree.children) {
    const bucket = pagesOf.get(node.name);
    const { inline = true, branch = 0, leaf = 0, overflow = 0, slackBytes = 0 } = bucket ?? {};
    const cells = figureCells(node).slice(0, -1);
    yield [...cells, inline ? 'inline' : grouped(branch + leaf + overflow), humanSize(slackBytes), nameText(node)];
  }
}

/** Numbers to the right, and the name behind them as it is. */
function* aligned(rows: readonly (readonly string[])[]): Generator<string> {
  const widths: number[] = [];
  for (const row of rows) {
    for (let i = 0; i < row.length; i++) widths[i] = Math.max(widths[i] ?? 0, row[i]!.length);
  }
  for (const row of rows) {
    const cells = row.map((cell, i) => (i === row.length - 1 ? cell : cell.padStart(widths[i]!)));
    yield `  ${cells.join('  ')}\n`;
  }
}

/** The JSON of `du`, but for the tree, which may be large. */
export function usageJson(usage: Usage): Record<string, unknown> {
  const { by, pages, kinds, buckets, moreBuckets, mostRevised, unreadable } = usage;
  return {
    by,
    pages,
    buckets: buckets.map(({ name, ...figures }) => ({ ...byteFields('name', name), ...figures })),
    moreBuckets,
    ...(by === 'namespace' ? { kinds: kinds.map(nodeJson) } : {}),
    mostRevised: mostRevised.map(({ key, ...figures }) => ({
      key: base64(key),
      keyText: readableBytes(key),
      ...figures,
    })),
    unreadableRecords: unreadable.count,
    tree: nodeJson(usage.tree),
  };
}

function nodeJson(node: UsageNode): Record<string, unknown> {
  const { name, rest, children, ...figures } = node;
  // A name is text that can be shown; what its bytes are is told where text cannot tell.
  const { nameHex, name: text } = byteFields('name', name) as { nameHex: string; name: string | null };
  const shown =
    rest === undefined ? (text ?? readableBytes(name)) : `${text ?? readableBytes(name)}${REST_NAMES[rest]}`;
  return {
    name: shown,
    ...(text === null ? { nameHex } : {}),
    ...(rest === undefined ? {} : { rest }),
    ...figures,
    ...(children.length === 0 ? {} : { children: children.map(nodeJson) }),
  };
}
