/**
 * JSON as Go's encoding/json writes it: no spaces, members in the order given, what has a meaning in HTML escaped, and
 * integers of any size in digits. For documents that etcd itself writes, byte for byte.
 */

/**
 * Any value that can be written. A plain object is a Go struct: members in the order in which they were set, those that are
 * undefined left out. A Map is a Go map, which is sorted by name.
 */
export type GoJsonValue =
  | null
  | boolean
  | bigint
  | string
  | readonly GoJsonValue[]
  | ReadonlyMap<string, GoJsonValue>
  | { readonly [name: string]: GoJsonValue | undefined };

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be escaped
const NEEDS_ESCAPE = /["\\<>&\u2028\u2029\u0000-\u001f]/g;

/** The inside of a JSON string, without quotes. */
export function goJsonEscaped(text: string): string {
  return text.replace(
    NEEDS_ESCAPE,
    (character) => ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A value as Go writes it. Recursive: for values made by this program, not for what was read. */
export function goJson(value: GoJsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `"${goJsonEscaped(value)}"`;
  if (typeof value !== 'object') return value.toString();
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  const members =
    value instanceof Map
      ? [...value].sort(([a], [b]) => (a < b ? -1 : 1))
      : Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${goJson(name)}:${goJson(member as GoJsonValue)}`).join(',')}}`;
}
