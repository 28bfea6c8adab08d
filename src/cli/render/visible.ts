/**
 * Text that may come from names of files and buckets, made safe for a terminal.
 */

/** Shows control characters as `\xNN`; lines must be put together afterwards. */
export function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
