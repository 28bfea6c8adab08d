/**
 * `bolt page-item FILE PAGE ITEM`: key and value of one element of a leaf page.
 */
import { PageDetails, type PageItem } from '../../bolt/pages.ts';
import { uint64Argument, usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { notThere, withRawPages } from '../open-bolt.ts';
import { Pace } from '../pace.ts';
import { type BytesFormat, formatBytes, formatValue } from '../render/bytes-format.ts';
import { jsonOf } from '../render/json.ts';
import { byteFieldPieces, byteFields } from '../render/json-bytes.ts';
import { valuePieces } from '../render/page.ts';

/** What of the item is printed, and how. */
interface Wanted {
  readonly key: boolean;
  readonly value: boolean;
  readonly format: BytesFormat;
}

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out } = invocation;
  const [path, pageArgument = '', itemArgument = ''] = positionals;
  const keyOnly = options['key-only'] === true;
  const valueOnly = options['value-only'] === true;
  if (keyOnly && valueOnly) throw usageError('--key-only and --value-only exclude each other');
  const wanted = { key: !valueOnly, value: !keyOnly, format: (options['format'] ?? 'auto') as BytesFormat };
  const pageId = Number(uint64Argument('PAGE', pageArgument));
  const index = Number(uint64Argument('ITEM', itemArgument));
  const pace = new Pace(invocation);
  return withRawPages(invocation, async ({ loader }) => {
    const item = leafItem(new PageDetails(loader, pageId), index);
    const head = { schema: 1, path, page: pageId, item: index };
    for (const piece of json ? itemJson(item, wanted, head) : itemText(item, wanted)) {
      out.write(piece);
      if (pace.due()) await pace.rest();
    }
    return EXIT.done;
  });
}

function leafItem(page: PageDetails, index: number): PageItem {
  if (page.type !== 'leaf')
    throw notThere('BOLT_INCOMPATIBLE_VALUE', `page ${page.id} is a ${page.type} page, not a leaf`);
  if (index >= page.count) {
    throw notThere('BOLT_PAGE_OUT_OF_RANGE', `page ${page.id} has ${page.count} items, there is no item ${index}`);
  }
  return page.item(index);
}

function* itemText({ element }: PageItem, { key, value, format }: Wanted): Generator<string | Uint8Array> {
  if (key) {
    yield formatBytes(element.key, format);
    yield '\n';
  }
  if (value) {
    yield* formatValue(valuePieces(element), element.valueLength, format);
    yield '\n';
  }
}

function* itemJson({ element, bucket }: PageItem, wanted: Wanted, head: Record<string, unknown>): Generator<string> {
  const redacted = wanted.format === 'redacted';
  const key = wanted.key ? byteFields('key', element.key, redacted) : {};
  const root = bucket === undefined ? {} : { bucket: { root: `${bucket.root}`, sequence: bucket.sequence } };
  yield jsonOf({ ...head, ...key, ...root }).slice(0, -1);
  if (wanted.value) {
    yield `,"valueSize":${element.valueLength},`;
    yield* byteFieldPieces('value', valuePieces(element), redacted);
  }
  yield '}\n';
}
