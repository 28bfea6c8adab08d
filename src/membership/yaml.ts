/**
 * YAML as the values that `json/parse.ts` gives for JSON: integers are bigints, objects are Maps. The only module that knows the
 * package `yaml`.
 *
 * Only data is taken: no tags but those of JSON's types, keys are texts and come once. What a short text can blow up to is
 * bounded: the number of tokens before it is parsed, the depth and the values that aliases stand for after.
 */
import { type Document, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument } from 'yaml';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { JsonValue } from '../json/parse.ts';
import { quotedText } from './byte-text.ts';

/** A list of 1000 members takes some 20,000 of them. The parser needs a second for this many in the worst order. */
const MAX_TOKENS = 100_000;
const MAX_DEPTH = 32;
/** Characters of all texts, and these many for each value; what an alias stands for is counted each time. */
const MAX_EXPANDED: number = 4 * 1024 * 1024;
const VALUE_COST = 32;
/** The package puts the text at fault into its words, however long it is. */
const MAX_WORDS = 200;

const JSON_TAG = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|seq|map)$/;

/** Parses a text of one document; one without any is null. Throws `USAGE` with line and column. */
export function parseYaml(text: string): JsonValue {
  let tokens = 0;
  const lines = new LineCounter();
  try {
    for (const _ of new Lexer().lex(text)) {
      if (++tokens > MAX_TOKENS) throw new DatadirError('USAGE', `more than ${MAX_TOKENS} tokens of YAML`);
    }
    // The package's own search for equal keys compares each with each.
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      intAsBigInt: true,
      uniqueKeys: false,
      prettyErrors: false,
      // At `silent` a second document is no error. Nothing is printed at any level.
      logLevel: 'error',
      resolveKnownTags: false,
      lineCounter: lines,
    });
    const [error] = document.errors;
    if (error !== undefined) throw yamlError(inOurCase(error.message), error.pos[0], lines);
    return new Values(document, lines).root();
  } catch (error) {
    if (isDatadirError(error)) throw error;
    // Nothing of ours has failed here: the package gave up on the text in a way of its own.
    const words = error instanceof Error ? error.message : String(error);
    throw new DatadirError('USAGE', `the text cannot be read as YAML: ${words.slice(0, MAX_WORDS)}`, { cause: error });
  }
}

/** Turns the nodes of a document into values, in order, so that an alias means the last anchor of its name before it. */
class Values {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, unknown>();
  #expanded = 0;

  constructor(document: Document.Parsed, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  root(): JsonValue {
    return this.#valueOf(this.#document.contents, 0);
  }

  #valueOf(node: unknown, depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw this.#error(`more than ${MAX_DEPTH} levels`, node);
    this.#count(VALUE_COST, node);
    if (node === null) return null;
    if (isAlias(node)) {
      const anchored = this.#anchors.get(node.source);
      if (anchored === undefined) throw this.#error(`no anchor ${quotedText(node.source)}`, node);
      return this.#valueOf(anchored, depth + 1);
    }
    if (!isScalar(node) && !isSeq(node) && !isMap(node)) throw this.#error('not a value of JSON', node);
    if (node.tag !== undefined && !JSON_TAG.test(node.tag)) {
      throw this.#error(`the tag ${quotedText(node.tag.slice(0, MAX_WORDS))} is not taken`, node);
    }
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isScalar(node)) return this.#scalar(node.value, node);
    if (isSeq(node)) return node.items.map((item) => this.#valueOf(item, depth + 1));
    const members = new Map<string, JsonValue>();
    for (const { key, value } of node.items) {
      const name = this.#valueOf(key, depth + 1);
      if (typeof name !== 'string') throw this.#error('a key is not a text: put it into quotes', key);
      if (members.has(name)) throw this.#error(`the key ${quotedText(name)} comes twice`, key);
      members.set(name, this.#valueOf(value, depth + 1));
    }
    return members;
  }

  #scalar(value: unknown, node: unknown): JsonValue {
    switch (typeof value) {
      case 'string':
        this.#count(value.length, node);
        return value;
      case 'boolean':
      case 'bigint':
      case 'number':
        return value;
      default:
        if (value === null) return null;
        throw this.#error('not a value of JSON', node);
    }
  }

  #count(amount: number, node: unknown): void {
    this.#expanded += amount;
    if (this.#expanded > MAX_EXPANDED) throw this.#error('the aliases make the document too large', node);
  }

  #error(words: string, node: unknown): DatadirError {
    const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
    return yamlError(words, Array.isArray(range) ? Number(range[0]) : 0, this.#lines);
  }
}

function yamlError(words: string, offset: number, lines: LineCounter): DatadirError {
  const { line, col: column } = lines.linePos(offset);
  return new DatadirError('USAGE', `${words} (line ${line}, column ${column})`, { line, column });
}

function inOurCase(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1, MAX_WORDS);
}
