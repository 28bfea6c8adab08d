/**
 * JSON token by token, over bytes: the syntax is checked in full, nothing is built. For documents whose size is not ours to
 * choose; `parse.ts` makes values of small ones.
 *
 * As strict as Go's encoding/json, which etcd reads with, and with the same limit of depth. There is no recursion: what is
 * open is a list of flags.
 */
import { DatadirError } from '../errors.ts';

/** What a token is. `key` is the name of an object's member; its colon and all commas are passed over. */
export type JsonToken = '{' | '}' | '[' | ']' | 'key' | 'string' | 'number' | 'true' | 'false' | 'null' | 'end';

/** Objects and arrays inside one another: Go refuses more. */
export const MAX_JSON_DEPTH = 10_000;
/** Digits of a number that is made a value: turning digits into a bigint takes time by the square of their number. */
const MAX_DIGITS = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** Where a text is, or would be, not JSON. */
export function jsonInvalid(reason: string, offset: number): DatadirError {
  return new DatadirError('JSON_INVALID', `${reason} at byte ${offset}`, { offset });
}

type Expectation = 'value' | 'first value' | 'first key' | 'key' | 'comma' | 'nothing';

/** Reads the tokens of one document, the whole of `bytes`. Throws `JSON_INVALID`. */
export class JsonTokens {
  readonly bytes: Uint8Array;
  /** The bytes of the token: `[start, end)`, quotes included. */
  start = 0;
  end = 0;
  /** One entry for each open object (true) or array (false), outermost first. */
  readonly #open: boolean[] = [];
  #expectation: Expectation = 'value';
  #escaped = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** How many objects and arrays are open. */
  get depth(): number {
    return this.#open.length;
  }

  /** The next token; `end` after the document, as often as it is asked for. */
  next(): JsonToken {
    let at = this.#afterSpace(this.end);
    const bytes = this.bytes;
    if (at === bytes.length) {
      this.start = this.end = at;
      if (this.#expectation === 'nothing') return 'end';
      throw jsonInvalid('the text ends too early', at);
    }
    let byte = bytes[at]!;
    switch (this.#expectation) {
      case 'nothing':
        throw jsonInvalid('more text behind the document', at);
      case 'comma':
        if (isClosing(byte)) return this.#close(byte, at);
        if (byte !== 0x2c) throw jsonInvalid('a comma or the end is missing', at);
        at = this.#afterSpace(at + 1);
        byte = bytes[at] ?? 0;
        if (this.#open.at(-1) === true) return this.#key(byte, at);
        break;
      case 'first key':
        if (byte === 0x7d) return this.#close(byte, at);
        return this.#key(byte, at);
      case 'key':
        return this.#key(byte, at);
      case 'first value':
        if (byte === 0x5d) return this.#close(byte, at);
        break;
      case 'value':
        break;
    }
    return this.#value(byte, at);
  }

  /** Passes over the value whose first token was just read, with all that is in it. */
  skip(token: JsonToken): void {
    if (token !== '{' && token !== '[') return;
    const outside = this.depth - 1;
    while (this.depth > outside) this.next();
  }

  /** The text of the key or string just read. What is not Unicode becomes U+FFFD, as in Go. */
  text(): string {
    const from = this.start + 1;
    const to = this.end - 1;
    return this.#escaped ? unescaped(this.bytes, from, to) : decode(this.bytes, from, to);
  }

  /** The number just read: a bigint if it is written as an integer. */
  number(): bigint | number {
    if (this.end - this.start > MAX_DIGITS) throw jsonInvalid(`a number of more than ${MAX_DIGITS} digits`, this.start);
    const text = decode(this.bytes, this.start, this.end);
    return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
  }

  #value(byte: number, at: number): JsonToken {
    this.start = at;
    switch (byte) {
      case 0x7b:
      case 0x5b: {
        if (this.#open.length === MAX_JSON_DEPTH) throw jsonInvalid(`more than ${MAX_JSON_DEPTH} levels`, at);
        const object = byte === 0x7b;
        this.#open.push(object);
        this.#expectation = object ? 'first key' : 'first value';
        this.end = at + 1;
        return object ? '{' : '[';
      }
      case QUOTE:
        this.#string(at);
        this.#afterValue();
        return 'string';
      case 0x74:
        return this.#word('true', at);
      case 0x66:
        return this.#word('false', at);
      case 0x6e:
        return this.#word('null', at);
      default:
        this.#number(at);
        this.#afterValue();
        return 'number';
    }
  }

  #afterValue(): void {
    this.#expectation = this.#open.length === 0 ? 'nothing' : 'comma';
  }

  #close(byte: number, at: number): '}' | ']' {
    const object = this.#open.pop();
    if (object !== (byte === 0x7d)) throw jsonInvalid('the end of something else', at);
    this.start = at;
    this.end = at + 1;
    this.#afterValue();
    return object ? '}' : ']';
  }

  #key(byte: number, at: number): 'key' {
    if (byte !== QUOTE) throw jsonInvalid('a key is missing', at);
    this.#string(at);
    const end = this.end;
    const colon = this.#afterSpace(end);
    if (this.bytes[colon] !== 0x3a) throw jsonInvalid('a colon is missing', colon);
    this.#expectation = 'value';
    this.start = at;
    this.end = end;
    this.#resume = colon + 1;
    return 'key';
  }

  /** Where to go on after a key: behind its colon, which is not part of the token. */
  #resume = 0;

  #afterSpace(at: number): number {
    const bytes = this.bytes;
    if (at < this.#resume) at = this.#resume;
    while (at < bytes.length) {
      const byte = bytes[at]!;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
      at++;
    }
    return at;
  }

  #string(start: number): void {
    const bytes = this.bytes;
    let escaped = false;
    let at = start + 1;
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) throw jsonInvalid('a string without an end', start);
      if (byte === QUOTE) break;
      if (byte < 0x20) throw jsonInvalid('a control character in a string', at);
      if (byte === BACKSLASH) {
        escaped = true;
        at = afterEscape(bytes, at);
      } else at++;
    }
    this.start = start;
    this.end = at + 1;
    this.#escaped = escaped;
  }

  #word(word: 'true' | 'false' | 'null', at: number): JsonToken {
    for (let i = 0; i < word.length; i++) {
      if (this.bytes[at + i] !== word.charCodeAt(i)) throw jsonInvalid('a value is missing', at);
    }
    this.end = at + word.length;
    this.#afterValue();
    return word;
  }

  #number(start: number): void {
    const bytes = this.bytes;
    let at = start;
    if (bytes[at] === 0x2d) at++;
    const first = at;
    at = afterDigits(bytes, at);
    if (at === first) throw jsonInvalid('a value is missing', start);
    if (bytes[first] === 0x30 && at > first + 1) throw jsonInvalid('a number with a leading zero', start);
    if (bytes[at] === 0x2e) {
      const fraction = at + 1;
      at = afterDigits(bytes, fraction);
      if (at === fraction) throw jsonInvalid('a number without digits behind its point', start);
    }
    if (bytes[at] === 0x65 || bytes[at] === 0x45) {
      const sign = bytes[at + 1];
      const exponent = at + (sign === 0x2b || sign === 0x2d ? 2 : 1);
      at = afterDigits(bytes, exponent);
      if (at === exponent) throw jsonInvalid('a number without digits in its exponent', start);
    }
    this.end = at;
  }
}

const isClosing = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

function afterDigits(bytes: Uint8Array, at: number): number {
  while (bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++;
  return at;
}

/** What stands for a character behind a backslash; `u` is dealt with apart. */
const ESCAPES: Readonly<Record<number, string>> = {
  [QUOTE]: '"',
  [BACKSLASH]: '\\',
  47: '/',
  98: '\b',
  102: '\f',
  110: '\n',
  114: '\r',
  116: '\t',
};

function afterEscape(bytes: Uint8Array, at: number): number {
  const byte = bytes[at + 1] ?? 0;
  if (byte !== LOWER_U) {
    if (ESCAPES[byte] === undefined) throw jsonInvalid('an escape that does not exist', at);
    return at + 2;
  }
  for (let i = at + 2; i < at + 6; i++) {
    if (hexDigit(bytes[i] ?? 0) < 0) throw jsonInvalid('an escape without its four digits', at);
  }
  return at + 6;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

function decode(bytes: Uint8Array, from: number, to: number): string {
  return decoder.decode(bytes.subarray(from, to));
}

/** The text of a string whose escapes are known to be right. */
function unescaped(bytes: Uint8Array, from: number, to: number): string {
  const pieces: string[] = [];
  let plain = from;
  for (let at = from; at < to; ) {
    if (bytes[at] !== BACKSLASH) {
      at++;
      continue;
    }
    if (at > plain) pieces.push(decode(bytes, plain, at));
    const byte = bytes[at + 1]!;
    if (byte === LOWER_U) {
      let unit = 0;
      for (let i = at + 2; i < at + 6; i++) unit = unit * 16 + hexDigit(bytes[i]!);
      pieces.push(String.fromCharCode(unit));
      at += 6;
    } else {
      pieces.push(ESCAPES[byte]!);
      at += 2;
    }
    plain = at;
  }
  if (to > plain) pieces.push(decode(bytes, plain, to));
  return pieces.join('').replace(LONE_SURROGATE, '\ufffd');
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
