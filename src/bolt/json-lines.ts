/**
 * The content of a bolt database as JSON lines, one for each bucket and each key, in the order of `BoltDb.content`:
 *
 *     {"bucket":["a2V5"],"sequence":"7"}
 *     {"bucket":["a2V5"],"key":"Zm9v","value":"YmFy"}
 *
 * All bytes are base64. Lines are made and parsed as bytes: one may be longer than any text of JavaScript. An export that
 * could not be finished ends with a line `{"error":{…}}`, which no import accepts.
 */
import { DatadirError } from '../errors.ts';
import { base64Length, decodeBase64, encodeBase64 } from '../io/base64.ts';
import type { BuildEntry } from './build.ts';

const encoder = new TextEncoder();

/** The start of every line of a bucket: `{"bucket":["…"]`. */
export function lineHead(bucket: readonly Uint8Array[]): Uint8Array {
  return encoder.encode(`{"bucket":[${bucket.map((name) => `"${base64Of(name)}"`).join(',')}]`);
}

/** The rest of the line of a bucket. */
export function sequenceTail(sequence: bigint): Uint8Array {
  return encoder.encode(`,"sequence":"${sequence}"}\n`);
}

/** What stands before the key, between key and value, and behind the value in the line of a pair. */
export const PAIR_MARKS: Readonly<Record<'key' | 'value' | 'end', Uint8Array>> = {
  key: encoder.encode(',"key":"'),
  value: encoder.encode('","value":"'),
  end: encoder.encode('"}\n'),
};

/** The last line of an export that could not be finished. */
export function errorLine({ code, message }: DatadirError): Uint8Array {
  return encoder.encode(`${JSON.stringify({ error: { code, message } })}\n`);
}

function base64Of(bytes: Uint8Array): string {
  const text = new Uint8Array(base64Length(bytes.length));
  encodeBase64(bytes, text, 0);
  return new TextDecoder().decode(text);
}

/** More than this no export writes: a value of 2 GiB, and room for the names. */
export const MAX_LINE: number = 3 * 2 ** 30;

const OPEN_BRACE = 0x7b;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a line has nothing on it; such lines mean nothing. */
export function isBlank(line: Uint8Array): boolean {
  return line.every(isSpace);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09;
}

/** Whether a line that begins like this can be one of ours; undefined while there are only blanks. */
export function beginsWell(line: Uint8Array): boolean | undefined {
  const first = line.find((byte) => !isSpace(byte));
  return first === undefined ? undefined : first === OPEN_BRACE;
}

/**
 * Parses one line, without its line feed. The order of the fields does not matter, blanks between tokens neither; unknown
 * fields, missing ones and ones given twice are refused. Throws `LINE_INVALID` with the line and column.
 */
export function parseLine(line: Uint8Array, lineNumber: number): BuildEntry {
  return new LineParser(line, lineNumber).parse();
}

/** The error for a line. `column` counts bytes from 1. */
export function lineError(line: number, column: number, words: string): DatadirError {
  return new DatadirError('LINE_INVALID', `line ${line}, column ${column}: ${words}`, { line, column });
}

const MAX_SEQUENCE = (1n << 64n) - 1n;

class LineParser {
  readonly #line: Uint8Array;
  readonly #number: number;
  #at = 0;

  constructor(line: Uint8Array, lineNumber: number) {
    this.#line = line;
    this.#number = lineNumber;
  }

  parse(): BuildEntry {
    const fields: { bucket?: Uint8Array[]; key?: Uint8Array; value?: Uint8Array; sequence?: bigint } = {};
    this.#expect(OPEN_BRACE, 'the line of an entry begins with {');
    if (this.#peek() !== 0x7d) {
      do {
        const start = this.#skipBlanks();
        const name = this.#text('the name of a field');
        if (Object.hasOwn(fields, name)) throw this.#error(start, `${name} is given twice`);
        this.#expect(0x3a, 'a colon');
        if (name === 'bucket') fields.bucket = this.#names();
        else if (name === 'key' || name === 'value') fields[name] = this.#bytes(name);
        else if (name === 'sequence') fields.sequence = this.#sequence();
        else if (name === 'error') throw this.#failedExport();
        else throw this.#error(start, `there is no field ${JSON.stringify(name.slice(0, 40))}`);
      } while (this.#comma());
    }
    this.#expect(0x7d, 'a comma or }');
    const end = this.#skipBlanks();
    if (end < this.#line.length) throw this.#error(end, 'the entry ended before this');

    const { bucket, key, value, sequence } = fields;
    if (bucket === undefined) throw this.#error(end, 'bucket is missing');
    if (key === undefined && value === undefined) return sequence === undefined ? { bucket } : { bucket, sequence };
    if (key === undefined) throw this.#error(end, 'there is a value, but no key');
    if (value === undefined) throw this.#error(end, 'there is a key, but no value');
    if (sequence !== undefined) throw this.#error(end, 'a key has no sequence');
    return { bucket, key, value };
  }

  #error(at: number, words: string): DatadirError {
    return lineError(this.#number, at + 1, words);
  }

  #skipBlanks(): number {
    while (this.#at < this.#line.length && isSpace(this.#line[this.#at] as number)) this.#at++;
    return this.#at;
  }

  #peek(): number | undefined {
    return this.#line[this.#skipBlanks()];
  }

  #expect(byte: number, what: string): void {
    if (this.#peek() !== byte) throw this.#unexpected(what);
    this.#at++;
  }

  #unexpected(what: string): DatadirError {
    const found = this.#line[this.#at];
    if (found === undefined) return this.#error(this.#at, `the line ends here; expected: ${what}`);
    const shown = found > 0x20 && found < 0x7f ? String.fromCharCode(found) : `byte 0x${found.toString(16)}`;
    return this.#error(this.#at, `found ${shown}; expected: ${what}`);
  }

  #comma(): boolean {
    if (this.#peek() !== 0x2c) return false;
    this.#at++;
    return true;
  }

  #names(): Uint8Array[] {
    this.#expect(0x5b, 'a list of names, [');
    const names: Uint8Array[] = [];
    if (this.#peek() === 0x5d) {
      this.#at++;
      return names;
    }
    do {
      names.push(this.#bytes('the name of a bucket'));
    } while (this.#comma());
    this.#expect(0x5d, 'a comma or ]');
    return names;
  }

  #sequence(): bigint {
    const start = this.#skipBlanks();
    const text = this.#text('sequence: a decimal number as text');
    if (!/^\d{1,20}$/.test(text) || BigInt(text) > MAX_SEQUENCE) {
      throw this.#error(start, `sequence is ${JSON.stringify(text.slice(0, 40))}, not a decimal number below 2^64`);
    }
    return BigInt(text);
  }

  #bytes(what: string): Uint8Array {
    const { text, start, end, at } = this.#string(`${what} in base64, as text`);
    const bytes = this.#allocating(() => decodeBase64(text, start, end));
    if (bytes instanceof Uint8Array) return bytes;
    // In a text with escapes the place within it is not the place in the line.
    throw this.#error(text === this.#line ? bytes.at : at, `${what}: ${bytes.problem}`);
  }

  /** A short text. */
  #text(what: string): string {
    const { text, start, end } = this.#string(what);
    return new TextDecoder().decode(text.subarray(start, Math.min(end, start + 1000)));
  }

  /** What lies between the quotes of the next token: in the line itself, or, if there are escapes, in memory of its own. */
  #string(what: string): { text: Uint8Array; start: number; end: number; at: number } {
    this.#expect(QUOTE, what);
    const line = this.#line;
    const start = this.#at;
    let end = line.indexOf(QUOTE, start);
    if (end < 0) throw this.#error(line.length, 'the line ends in the middle of a text');
    const firstEscape = line.subarray(start, end).indexOf(BACKSLASH);
    if (firstEscape < 0) {
      this.#at = end + 1;
      return { text: line, start, end, at: start };
    }
    end = start + firstEscape;
    while (line[end] !== QUOTE) {
      if (end >= line.length) throw this.#error(line.length, 'the line ends in the middle of a text');
      end += line[end] === BACKSLASH ? 2 : 1;
    }
    this.#at = end + 1;
    const text = this.#unescaped(start, end);
    return { text, start: 0, end: text.length, at: start };
  }

  #unescaped(start: number, end: number): Uint8Array {
    const source = this.#line;
    const text = this.#allocating(() => new Uint8Array(end - start));
    let length = 0;
    for (let i = start; i < end; i++) {
      let byte = source[i] as number;
      if (byte === BACKSLASH) {
        const letter = String.fromCharCode(source[i + 1] as number);
        const hex = letter === 'u' ? String.fromCharCode(...source.subarray(i + 2, i + 6)) : '';
        // No other character has a place in any text of a line.
        if (letter === 'u' ? !/^00[\da-f]{2}$/i.test(hex) : !'/"\\'.includes(letter)) {
          throw this.#error(i, 'an escape that stands for no digit of base64');
        }
        byte = letter === 'u' ? Number.parseInt(hex, 16) : letter.charCodeAt(0);
        i += letter === 'u' ? 5 : 1;
      }
      text[length++] = byte;
    }
    return text.subarray(0, length);
  }

  #allocating<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new DatadirError('UNSUPPORTED', `line ${this.#number}: does not fit into memory`, {
        line: this.#number,
        cause,
      });
    }
  }

  #failedExport(): DatadirError {
    const rest = new TextDecoder().decode(this.#line.subarray(this.#at, this.#at + 1000));
    return this.#error(0, `the export that made this was not finished: ${rest.replace(/}\s*$/, '')}`);
  }
}
