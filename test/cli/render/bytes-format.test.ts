import { createHash } from 'node:crypto';
import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BytesFormat,
  formatBytes,
  formatPieces,
  formatValue,
  pageKeyText,
  wholePiece,
} from '../../../src/cli/render/bytes-format.ts';

function formatted(bytes: Uint8Array, format: BytesFormat, pieceSize = bytes.length || 1): Buffer {
  const pieces = function* () {
    // One buffer for all pieces, as the reader does it.
    const buffer = new Uint8Array(pieceSize);
    for (let at = 0; at < bytes.length; at += pieceSize) {
      const piece = bytes.subarray(at, at + pieceSize);
      buffer.set(piece);
      yield buffer.subarray(0, piece.length);
    }
  };
  const parts: Buffer[] = [];
  for (const part of formatPieces(pieces, format)) parts.push(Buffer.from(part as string));
  return Buffer.concat(parts);
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('ascii-encoded is Go’s %q', () => {
  // The right column was printed by Go 1.26: fmt.Printf("%q", …).
  test.each([
    ['plain', bytesOf('plain'), '"plain"'],
    ['quotes and backslashes', bytesOf('a"b\\c\'d'), '"a\\"b\\\\c\'d"'],
    ['named control characters', bytesOf('\x07\b\t\n\v\f\r'), '"\\a\\b\\t\\n\\v\\f\\r"'],
    ['other control characters', bytesOf('\0\x01\x1f\x7f'), '"\\x00\\x01\\x1f\\x7f"'],
    ['printable characters beyond ASCII', utf8('héllo 世界 🙂'), '"héllo 世界 🙂"'],
    [
      'spaces and controls beyond ASCII',
      utf8('\u00a0\u0085\u2028\u00ad\ufeff\u{e0001}'),
      '"\\u00a0\\u0085\\u2028\\u00ad\\ufeff\\U000e0001"',
    ],
    ['bytes that are not UTF-8', bytesOf('a\xff\x80b'), '"a\\xff\\x80b"'],
    ['a character that is cut off', bytesOf('\xe4\xb8'), '"\\xe4\\xb8"'],
    [
      'overlong forms and surrogates',
      bytesOf('\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80'),
      '"\\xc0\\x80\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80"',
    ],
    ['the replacement character itself', utf8('\ufffd'), '"\ufffd"'],
    ['nothing', bytesOf(''), '""'],
  ])('%s', (_, bytes, expected) => {
    expect(formatted(bytes, 'ascii-encoded').toString()).toBe(expected);
    for (const size of [1, 2, 3]) expect(formatted(bytes, 'ascii-encoded', size).toString()).toBe(expected);
  });
});

describe('auto', () => {
  test.each([
    ['text', utf8('héllo 世界'), 'héllo 世界'],
    ['a tab', bytesOf('a\tb'), '610962'],
    ['a space that is not ASCII', utf8('\u00a0'), 'c2a0'],
    ['not UTF-8', bytesOf('a\xff'), '61ff'],
    ['cut off at the end', bytesOf('a\xe4\xb8'), '61e4b8'],
    ['a byte order mark', utf8('\ufeffa'), 'efbbbf61'],
    ['nothing', bytesOf(''), ''],
  ])('%s', (_, bytes, expected) => {
    for (const size of [1, 2, 1000]) expect(formatted(bytes, 'auto', size).toString()).toBe(expected);
  });
});

test('redacted gives length and hash', () => {
  const sha256 = createHash('sha256').update('secret').digest('hex');
  expect(formatted(bytesOf('secret'), 'redacted', 4).toString()).toBe(`<redacted len:6 sha256:${sha256}>`);
});

property.prop([fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 8 })])(
  'where the pieces are cut makes no difference',
  (bytes, size) => {
    for (const format of ['auto', 'ascii-encoded', 'hex', 'bytes', 'redacted'] as const) {
      expect(formatted(bytes, format, size)).toEqual(formatted(bytes, format));
      expect(Buffer.from(formatBytes(bytes, format) as string)).toEqual(formatted(bytes, format));
    }
    expect(formatted(bytes, 'bytes')).toEqual(Buffer.from(bytes));
    expect(formatted(bytes, 'hex').toString()).toBe(Buffer.from(bytes).toString('hex'));
  },
);

test('keys of pages are quoted when printable, else in hex', () => {
  expect(pageKeyText(bytesOf('a"b'))).toBe('"a\\"b"');
  expect(pageKeyText(bytesOf('a\0'))).toBe('6100');
  expect(formatted(bytesOf('x'), 'hex').toString()).toBe('78');
  expect([...wholePiece(bytesOf('x'))()]).toHaveLength(1);
});

test('an empty value, of which there are no pieces, is formatted like any other', () => {
  const none = (): Uint8Array[] => [];
  expect([...formatValue(none, 0, 'ascii-encoded')].join('')).toBe('""');
  expect([...formatValue(none, 0, 'redacted')].join('')).toMatch(/^<redacted len:0 sha256:e3b0c44/);
  expect([...formatValue(none, 0, 'auto')].join('')).toBe('');
});
