/**
 * IP addresses as Go's net/netip reads and writes them. Leading zeros in IPv4 are refused, an IPv6 address can have a zone
 * (`fe80::1%eth0`) and end in an IPv4 one.
 */
import { DatadirError } from '../errors.ts';
import { type ByteText, quoted } from './byte-text.ts';

/** An address of 4 or 16 bytes. */
export interface IpAddress {
  readonly bytes: readonly number[];
  /** Only of IPv6; empty if there is none. */
  readonly zone: ByteText;
}

/** Parses an address. Throws `USAGE` in Go's words. */
export function parseIpAddress(text: ByteText): IpAddress {
  switch (/[.:%]/.exec(text)?.[0]) {
    case '.':
      return { bytes: parseIpv4(text, text), zone: '' };
    case ':':
      return parseIpv6(text);
    case '%':
      throw addressError(text, 'missing IPv6 address');
    default:
      throw addressError(text, 'unable to parse IP');
  }
}

/** The address in its shortest form; IPv4 in IPv6 (`::ffff:10.0.0.1`) as IPv4, as Go's older net package has it. */
export function ipAddressText({ bytes, zone }: IpAddress): ByteText {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff && zone === '') {
    return bytes.slice(12).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, i) => (bytes[2 * i]! << 8) | bytes[2 * i + 1]!);
  const run = longestZeroRun(groups);
  const hex = (from: number, to: number): string =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  const text = run.length < 2 ? hex(0, 8) : `${hex(0, run.start)}::${hex(run.start + run.length, 8)}`;
  return zone === '' ? text : `${text}%${zone}`;
}

/** The first of the longest runs of zeros. */
function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (end < groups.length && groups[end] === 0) end++;
    if (end - start > best.length) best = { start, length: end - start };
  }
  return best;
}

/** `text` is the part of `whole`, which the message names, that should be four numbers. */
function parseIpv4(whole: ByteText, text: ByteText): number[] {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character >= '0' && character <= '9') {
      if (digits === 1 && value === 0) throw addressError(whole, 'IPv4 field has octet with leading zero');
      value = value * 10 + Number(character);
      digits++;
      if (value > 255) throw addressError(whole, 'IPv4 field has value >255');
    } else if (character === '.') {
      if (i === 0 || i === text.length - 1 || text[i - 1] === '.') {
        throw addressError(whole, 'IPv4 field must have at least one digit', text.slice(i));
      }
      if (fields.length === 3) throw addressError(whole, 'IPv4 address too long');
      fields.push(value);
      value = 0;
      digits = 0;
    } else throw addressError(whole, 'unexpected character', text.slice(i));
  }
  if (fields.length < 3) throw addressError(whole, 'IPv4 address too short');
  return [...fields, value];
}

function parseIpv6(text: ByteText): IpAddress {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw addressError(text, 'zone must be a non-empty string');
  let rest = percent < 0 ? text : text.slice(0, percent);
  const bytes: number[] = [];
  // How many bytes come before the `::`.
  let gap: number | undefined;
  if (rest.startsWith('::')) {
    gap = 0;
    rest = rest.slice(2);
  }
  // After a `::` that the address ends with nothing is left to read; a text that ends elsewhere is an error of the loop.
  let more = rest !== '' || gap === undefined;
  while (more && bytes.length < 16) {
    const digits = /^[0-9A-Fa-f]*/.exec(rest)![0];
    if (digits.length > 4) throw addressError(text, 'each group must have 4 or less digits', rest);
    if (digits.length === 0) {
      throw addressError(text, 'each colon-separated field must have at least one digit', rest);
    }
    if (rest[digits.length] === '.') {
      if (gap === undefined && bytes.length !== 12) {
        throw addressError(text, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
      }
      if (bytes.length > 12) {
        throw addressError(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
      }
      bytes.push(...parseIpv4(text, rest));
      rest = '';
      break;
    }
    const group = Number.parseInt(digits, 16);
    bytes.push(group >> 8, group & 0xff);
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (rest[0] !== ':') throw addressError(text, 'unexpected character, want colon', rest);
    if (rest.length === 1) throw addressError(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest[0] === ':') {
      if (gap !== undefined) throw addressError(text, 'multiple :: in address', rest);
      gap = bytes.length;
      rest = rest.slice(1);
      more = rest !== '';
    }
  }
  if (rest !== '') throw addressError(text, 'trailing garbage after address', rest);
  if (bytes.length < 16) {
    if (gap === undefined) throw addressError(text, 'address string too short');
    bytes.splice(gap, 0, ...new Array<number>(16 - bytes.length).fill(0));
  } else if (gap !== undefined) {
    throw addressError(text, 'the :: must expand to at least one field of zeros');
  }
  return { bytes, zone };
}

function addressError(address: ByteText, words: string, at: ByteText = ''): DatadirError {
  return new DatadirError('USAGE', `ParseAddr(${quoted(address)}): ${words}${at === '' ? '' : ` (at ${quoted(at)})`}`);
}
