/**
 * The hot loop of the checker: tells whether a leaf page is exactly as bbolt writes a plain one.
 *
 * It answers yes only for the canonical layout (keys and values without gaps, ascending, no buckets, first key equal to
 * the parent's key, overflow as needed, zeros behind). Anything else, damaged or just unusual, gets the thorough
 * examination of `check-page.ts`, which is what makes the findings. So this may stay plain and fast.
 */
import { compareRanges } from './compare-keys.ts';
import { ELEMENT_SIZE, FLAG_LEAF, MAX_KEY_SIZE, PAGE_HEADER_SIZE } from './format.ts';

/** Not a canonical leaf: examine it thoroughly. */
const NOT_PLAIN = -1;
/** Cannot be told from the bytes in hand: the last key lies behind them. */
export const NEEDS_MORE = -2;

/**
 * Verifies the leaf page that begins at byte `at` of `view`, of which `available` bytes are in hand. The bounds are keys
 * somewhere in memory; a length of -1 means that there is none. Returns the page's overflow count, or one of the above.
 */
export function verifyLeaf(
  view: DataView,
  at: number,
  available: number,
  pageSize: number,
  pageId: number,
  low: DataView,
  lowAt: number,
  lowLength: number,
  high: DataView,
  highAt: number,
  highLength: number,
): number {
  // Flags and count in one read; page numbers above 2^32 are left to the thorough way.
  const flagsAndCount = view.getUint32(at + 8, true);
  const count = flagsAndCount >>> 16;
  if ((flagsAndCount & 0xffff) !== FLAG_LEAF || count === 0) return NOT_PLAIN;
  if (view.getUint32(at, true) !== pageId || view.getUint32(at + 4, true) !== 0) return NOT_PLAIN;
  const overflow = view.getUint32(at + 12, true);
  const room = (overflow + 1) * pageSize;
  let expected = PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
  if (expected > room) return NOT_PLAIN;
  if (expected > available) return NEEDS_MORE;

  let keyAt = 0;
  let keyLength = 0;
  for (let i = 0, element = PAGE_HEADER_SIZE; i < count; i++, element += ELEMENT_SIZE) {
    const word = at + element;
    if (view.getUint32(word, true) !== 0) return NOT_PLAIN;
    if (element + view.getUint32(word + 4, true) !== expected) return NOT_PLAIN;
    const length = view.getUint32(word + 8, true);
    const keyEnd = expected + length;
    if (length === 0 || length > MAX_KEY_SIZE || keyEnd > room) return NOT_PLAIN;
    if (keyEnd > available) return NEEDS_MORE;
    if (i === 0) {
      if (lowLength >= 0 && compareRanges(view, at + expected, length, low, lowAt, lowLength) !== 0) return NOT_PLAIN;
    } else if (compareRanges(view, keyAt, keyLength, view, at + expected, length) >= 0) return NOT_PLAIN;
    keyAt = at + expected;
    keyLength = length;
    expected = keyEnd + view.getUint32(word + 12, true);
  }
  if (highLength >= 0 && compareRanges(view, keyAt, keyLength, high, highAt, highLength) >= 0) return NOT_PLAIN;
  if (expected > room || expected <= overflow * pageSize) return NOT_PLAIN;
  // Of a page with overflow pages the end need not be in hand.
  const rest = (available < room ? available : room) - expected;
  if (overflow === 0 && rest >= 4 && view.getUint32(at + expected, true) !== 0) return NOT_PLAIN;
  return overflow;
}
