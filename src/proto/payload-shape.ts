/**
 * What the payload of an entry looks like from outside, without decoding it: enough to see garbage, and to tell requests of
 * the v2 API from the others, for every entry of a log.
 */

/** `bad`: it is no protobuf message. `without-id`: a request that has neither an id nor a header. */
export type PayloadShape = 'request' | 'v2' | 'without-id' | 'bad';

/** In a v2 request these two are varints, in an InternalRaftRequest messages. The first is in every v2 request. */
const V2_DIR = 5;
const V2_PREV_INDEX = 7;
/** The fields of an InternalRaftRequest that have its id, one of which is always there. */
const ID = 1;
const HEADER = 100;

/** Looks at the top-level fields of the payload in `bytes[start, end)` of an entry of type 0, which is not empty. */
export function payloadShape(bytes: Uint8Array, start: number, end: number): PayloadShape {
  let shape: PayloadShape = 'without-id';
  let at = start;
  while (at < end) {
    let tag = bytes[at++]!;
    if (tag >= 0x80) {
      // Fields above 15 have two bytes of tag, none more than three.
      let shift = 7;
      tag &= 0x7f;
      for (;;) {
        if (at >= end || shift > 28) return 'bad';
        const byte = bytes[at++]!;
        tag += (byte & 0x7f) * 2 ** shift;
        if (byte < 0x80) break;
        shift += 7;
      }
    }
    const field = Math.floor(tag / 8);
    if (field === 0) return 'bad';
    const wireType = tag % 8;
    if (wireType === 0) {
      const limit = Math.min(end, at + 10);
      while (at < limit && bytes[at]! >= 0x80) at++;
      if (at >= limit) return 'bad';
      at++;
      if (field === V2_DIR || field === V2_PREV_INDEX) shape = 'v2';
      else if (field === ID && shape !== 'v2') shape = 'request';
    } else if (wireType === 2) {
      let length = 0;
      let scale = 1;
      for (;;) {
        if (at >= end || scale > 2 ** 28) return 'bad';
        const byte = bytes[at++]!;
        length += (byte & 0x7f) * scale;
        if (byte < 0x80) break;
        scale *= 128;
      }
      if (length > end - at) return 'bad';
      at += length;
      if (field === HEADER && shape !== 'v2') shape = 'request';
    } else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else return 'bad';
  }
  return at === end ? shape : 'bad';
}
