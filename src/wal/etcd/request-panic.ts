/**
 * Whether a release can apply the request of a normal entry at all: its parser may refuse the bytes, or it may not know the
 * request any more, or not yet. What the request then does is for others.
 */
import { INTERNAL_RAFT_REQUEST, REQUEST } from './message-schema.ts';
import type { MessageParser } from './parse-message.ts';
import { noHeader, notImplemented, unmarshalPanic, v2NotAllowed } from './words.ts';

/** What 3.6 still takes of the v2 API: attributes of members and the cluster's version, set by servers of 3.5. */
const ATTRIBUTES_PATH = /\/0\/members\/[0-9A-Fa-f]{1,16}\/attributes/;
const VERSION_PATH = '/0/version';

const lossyUtf8 = /* @__PURE__ */ new TextDecoder();

/** The fields of a request. */
const ID = 1;
const V2 = 2;
const HEADER = 100;

/**
 * What the parser's release panics with at the entry whose data is `bytes[start, end)`, or undefined. `isNew`: it was not applied
 * to the db yet, so that it is now.
 */
export function requestPanic(
  parser: MessageParser,
  bytes: Uint8Array,
  start: number,
  end: number,
  isNew: boolean,
): string | undefined {
  if (end === start) return undefined;
  const { minor } = parser;
  const failed = parser.parse(bytes, start, end, INTERNAL_RAFT_REQUEST);
  if (failed !== undefined) {
    if (minor === '3.7') return unmarshalPanic(failed.words);
    // Up to 3.6 what is not a request of the v3 API has to be one of the v2 API.
    const failedToo = parser.parse(bytes, start, end, REQUEST);
    return failedToo === undefined ? v2Panic(parser, bytes) : unmarshalPanic(failedToo.words);
  }
  if (minor !== '3.7' && parser.has(V2)) {
    const [from, to] = [parser.start(V2), parser.end(V2)];
    return parser.parse(bytes, from, to, REQUEST) === undefined ? v2Panic(parser, bytes) : undefined;
  }
  if (parser.uint64(ID) === 0n && !parser.has(HEADER)) return noHeader(minor);
  const isKnown = parser.messages.size > (parser.has(HEADER) ? 1 : 0);
  return isKnown || !isNew ? undefined : notImplemented(minor);
}

/** Judges the v2 request that the parser holds. */
function v2Panic(parser: MessageParser, bytes: Uint8Array): string | undefined {
  if (parser.minor !== '3.6') return undefined;
  const text = (field: number): string => lossyUtf8.decode(bytes.subarray(parser.start(field), parser.end(field)));
  const [method, path] = [text(2), text(3)];
  return method === 'PUT' && (ATTRIBUTES_PATH.test(path) || path === VERSION_PATH) ? undefined : v2NotAllowed(method);
}
