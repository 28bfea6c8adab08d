/**
 * The order of texts in Go: that of their UTF-8 bytes, which is the order of code points. JavaScript compares UTF-16 units,
 * in which the characters beyond U+FFFF (they begin with a surrogate, U+D800 to U+DFFF) come before U+E000.
 */

/** Compares two texts by their UTF-8: negative when `a` comes first. */
export function compareBytewise(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates after all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
