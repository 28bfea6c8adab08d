import { expect, test } from 'vitest';
import { goJsonString } from '../../../src/cli/render/go-json.ts';

const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

// The right column was printed by Go 1.26: json.Marshal(…).
test.each([
  ['plain', utf8('plain'), '"plain"'],
  ['quotes and backslashes', utf8('q"\\'), '"q\\"\\\\"'],
  ['control characters', utf8('\b\f\n\r\t\0\x1f\x7f'), '"\\b\\f\\n\\r\\t\\u0000\\u001f\x7f"'],
  ['what has a meaning in HTML', utf8('<a&b>'), '"\\u003ca\\u0026b\\u003e"'],
  ['beyond ASCII', utf8('\u2028\u2029\u00a0é世🙂'), '"\\u2028\\u2029\u00a0é世🙂"'],
  ['bytes that are not UTF-8', latin1('\xff\xe4\xb8x\xed\xa0\x80'), '"\\ufffd\\ufffd\\ufffdx\\ufffd\\ufffd\\ufffd"'],
  ['the replacement character itself', utf8('\ufffd'), '"\ufffd"'],
  ['nothing', utf8(''), '""'],
])('%s', (_, bytes, expected) => {
  expect(goJsonString(bytes)).toBe(expected);
});
