/**
 * JSON as values, exact where `JSON.parse` is not: an integer is a bigint, so that member ids keep all their digits.
 *
 *     parseJson('{"id":3319814642761637952}') // Map { 'id' => 3319814642761637952n }
 *
 * Objects are Maps: a name such as `__proto__` is one like any other. Of members with the same name the last one counts.
 */
import { JsonTokens, jsonInvalid } from './tokens.ts';

/** Any value. Numbers written with a point or an exponent are `number`, all others `bigint`. */
export type JsonValue = null | boolean | bigint | number | string | readonly JsonValue[] | JsonObject;
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** Limits of `parseJson`. */
export interface ParseJsonOptions {
  /** Longer texts are refused: a value takes many times the bytes of its text. Default 16 MiB. */
  readonly maxLength?: number | undefined;
}

const MAX_LENGTH: number = 16 * 1024 * 1024;

type Container = JsonValue[] | Map<string, JsonValue>;

/** Parses a whole document. Throws `JSON_INVALID` with the offset in the UTF-8 bytes of the text. */
export function parseJson(text: Uint8Array | string, options: ParseJsonOptions = {}): JsonValue {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const { maxLength = MAX_LENGTH } = options;
  if (bytes.length > maxLength) throw jsonInvalid(`the text is longer than ${maxLength} bytes`, maxLength);
  const tokens = new JsonTokens(bytes);
  // What is open, and for each open object the name that its next value gets.
  const open: Container[] = [];
  const names: string[] = [];
  let result: JsonValue = null;
  for (;;) {
    let value: JsonValue;
    switch (tokens.next()) {
      case 'end':
        return result;
      case 'key':
        names[open.length - 1] = tokens.text();
        continue;
      case '}':
      case ']':
        open.pop();
        continue;
      case '{':
        value = new Map<string, JsonValue>();
        break;
      case '[':
        value = [];
        break;
      case 'string':
        value = tokens.text();
        break;
      case 'number':
        value = tokens.number();
        break;
      case 'true':
        value = true;
        break;
      case 'false':
        value = false;
        break;
      case 'null':
        value = null;
        break;
    }
    const parent = open.at(-1);
    if (parent === undefined) result = value;
    else if (Array.isArray(parent)) parent.push(value);
    else parent.set(names[open.length - 1] as string, value);
    if (typeof value === 'object' && value !== null) open.push(value as Container);
  }
}

/** The value as an object; undefined if it is anything else. */
export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return value instanceof Map ? value : undefined;
}

/** The value as a list of strings, `null` counting as none, as in Go; undefined if it is anything else. */
export function asStrings(value: JsonValue | undefined): readonly string[] | undefined {
  if (value === null) return [];
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) return undefined;
  return value as readonly string[];
}
