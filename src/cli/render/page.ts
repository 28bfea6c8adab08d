/**
 * A page and what is on it, as `bbolt page` prints it and as JSON, in pieces: a page may hold gigabytes.
 */
import type { PageDetails, PageItem } from '../../bolt/pages.ts';
import { type BytesFormat, formatValue, type Pieces, pageKeyText } from './bytes-format.ts';
import { jsonOf } from './json.ts';
import { byteFieldPieces, byteFields } from './json-bytes.ts';
import { metaFields, metaText } from './meta.ts';

/** Between two pages. */
export const PAGE_SEPARATOR = '===============================================\n';

/** The lines for a page. Throws where what is on the page cannot be read; what was printed by then stands. */
export function* pageText(page: PageDetails, format: BytesFormat): Generator<string | Uint8Array> {
  yield `Page ID:    ${page.storedId}\n`;
  yield `Page Type:  ${page.type}\n`;
  yield `Total Size: ${page.size} bytes\n`;
  yield `Overflow pages: ${page.overflow}\n`;
  if (page.meta !== undefined) yield metaText(page.meta);
  else if (page.freelist !== undefined) {
    yield `Item Count: ${page.freelist.count}\nOverflow: ${page.overflow}\n\n`;
    for (const id of page.freelist.rawIds()) yield `${id}\n`;
    yield '\n';
  } else if (page.hasItems) {
    yield `Item Count: ${page.count}\n\n`;
    for (const item of page.items()) {
      yield `${pageKeyText(item.element.key)}: `;
      yield* itemValue(item, format);
      yield '\n';
    }
    yield '\n';
  }
}

function* itemValue({ element, child, bucket }: PageItem, format: BytesFormat): Generator<string | Uint8Array> {
  if (child !== undefined) yield `<pgid=${child}>`;
  else if (bucket !== undefined) yield `<pgid=${bucket.root},seq=${bucket.sequence}>`;
  else yield* formatValue(valuePieces(element), element.valueLength, format);
}

/** The stored value, that of a bucket too. */
export function valuePieces(element: PageItem['element']): Pieces {
  return () => (element.isBucket ? [element.rawValue()] : element.valueChunks());
}

/** The page as a JSON object. */
export function* pageJson(page: PageDetails, redacted: boolean): Generator<string> {
  const { id, storedId, type, size, overflow } = page;
  const head = jsonOf({ id, storedId, type, size, overflow }).slice(0, -1);
  if (page.meta !== undefined) yield `${head},"meta":${jsonOf(metaFields(page.meta))}}`;
  else if (page.freelist !== undefined) {
    yield `${head},"ids":[`;
    let comma = '';
    for (const free of page.freelist.rawIds()) {
      yield `${comma}"${free}"`;
      comma = ',';
    }
    yield ']}';
  } else if (page.hasItems) {
    yield `${head},"items":[`;
    for (const item of page.items()) {
      yield `${item.index === 0 ? '' : ','}\n      `;
      yield* itemJson(item, redacted);
    }
    yield ']}';
  } else yield `${head}}`;
}

function* itemJson({ index, element, child, bucket }: PageItem, redacted: boolean): Generator<string> {
  const head = jsonOf({ index, ...byteFields('key', element.key) }).slice(0, -1);
  if (child !== undefined) yield `${head},"child":"${child}"}`;
  else if (bucket !== undefined)
    yield `${head},"bucket":${jsonOf({ root: `${bucket.root}`, sequence: bucket.sequence })}}`;
  else {
    yield `${head},"valueSize":${element.valueLength},`;
    yield* byteFieldPieces('value', valuePieces(element), redacted);
    yield '}';
  }
}
