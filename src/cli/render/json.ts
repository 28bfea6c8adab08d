/**
 * JSON for `--json`: 64-bit values as decimal strings, and documents of any length written piece by piece.
 */
import type { Output } from '../output.ts';

/** A value as JSON; `bigint` becomes a decimal string. */
export function jsonOf(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each), indent);
}

/** A whole document, indented, with a newline at the end. */
export function jsonText(value: unknown): string {
  return `${jsonOf(value, 2)}\n`;
}

/**
 * A document with one long list: the fields first, then the list with an item a line.
 *
 *     const list = new JsonList(out, { schema: 1, path }, 'keys');
 *     for (…) list.item({ … });
 *     list.end();
 */
export class JsonList {
  readonly #out: Output;
  #items = 0;

  constructor(out: Output, fields: Readonly<Record<string, unknown>>, name: string) {
    this.#out = out;
    const head = Object.entries(fields).filter(([, value]) => value !== undefined);
    const lines = head.map(([key, value]) => `  ${JSON.stringify(key)}: ${jsonOf(value)},\n`);
    out.write(`{\n${lines.join('')}  ${JSON.stringify(name)}: [`);
  }

  item(value: unknown): void {
    this.begin();
    this.#out.write(jsonOf(value));
  }

  /** Starts an item that the caller then writes itself. */
  begin(): void {
    this.#out.write(this.#items++ === 0 ? '\n    ' : ',\n    ');
  }

  /** Closes the list; fields that are known only now may follow. */
  end(fields: Readonly<Record<string, unknown>> = {}): void {
    const tail = Object.entries(fields).map(([key, value]) => `,\n  ${JSON.stringify(key)}: ${jsonOf(value)}`);
    this.#out.write(`${this.#items === 0 ? '' : '\n  '}]${tail.join('')}\n}\n`);
  }
}
