/**
 * The context of a change of membership, JSON of a member, as Go's decoder reads it into its types.
 */
import { isDatadirError } from '../../errors.ts';
import { type JsonValue, parseJson } from '../../json/parse.ts';

/** What of the context decides what a server does. */
export interface ConfContext {
  readonly id: bigint;
  readonly isPromote: boolean;
}

const isText = (value: JsonValue): boolean => typeof value === 'string';
const isTexts = (value: JsonValue): boolean =>
  Array.isArray(value) && value.every((element) => element === null || isText(element));
const isFlag = (value: JsonValue): boolean => typeof value === 'boolean';
const isId = (value: JsonValue): boolean => typeof value === 'bigint' && value >= 0n && value <= 0xffff_ffff_ffff_ffffn;

const TYPES: ReadonlyMap<string, (value: JsonValue) => boolean> = /* @__PURE__ */ new Map([
  ['id', isId],
  ['peerurls', isTexts],
  ['islearner', isFlag],
  ['name', isText],
  ['clienturls', isTexts],
  ['ispromote', isFlag],
]);

/** Parses a context; undefined where Go's decoder reports an error. */
export function parseConfContext(bytes: Uint8Array): ConfContext | undefined {
  let value: JsonValue;
  try {
    value = parseJson(bytes);
  } catch (error) {
    if (isDatadirError(error)) return undefined;
    throw error;
  }
  let id = 0n;
  let isPromote = false;
  // null is accepted everywhere and changes nothing.
  if (value === null) return { id, isPromote };
  if (!(value instanceof Map)) return undefined;
  for (const [name, member] of value as ReadonlyMap<string, JsonValue>) {
    // Go does not mind the case of names.
    const key = name.toLowerCase();
    const fits = TYPES.get(key);
    if (fits === undefined || member === null) continue;
    if (!fits(member)) return undefined;
    if (key === 'id') id = member as bigint;
    else if (key === 'ispromote') isPromote = member as boolean;
  }
  return { id, isPromote };
}
