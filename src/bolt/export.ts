/**
 * Takes the whole content out of a database: as entries that a file can be built of, or as JSON lines.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import { base64Length, encodeBase64 } from '../io/base64.ts';
import type { BuildEntry } from './build.ts';
import type { BoltDb } from './database.ts';
import type { Element } from './element.ts';
import { errorLine, lineHead, PAIR_MARKS, sequenceTail } from './json-lines.ts';

/**
 * All buckets and pairs of a database, in the order in which a file is built of them; keys and values are copies. Throws as
 * reading does. Whether the file was changed underneath by a running program, `db.hasChanged()` tells afterwards.
 */
export function* exportEntries(db: BoltDb): Generator<BuildEntry, void, undefined> {
  for (const item of db.content()) {
    if (item.element === undefined) yield { bucket: item.bucket, sequence: item.sequence };
    else {
      const { key, value } = item.element.copy();
      yield { bucket: item.bucket, key, value: value as Uint8Array };
    }
  }
}

/** What is yielded at a time, about. */
const CHUNK = 1 << 16;
/** Values are read in pieces of so much: a multiple of 3, so that their base64 can be put together. */
const PIECE = 3 << 13;

/**
 * The content of a database as JSON lines (`json-lines.ts`), in chunks of up to 64 KiB that are valid until the next one is
 * asked for. Memory does not grow with values.
 *
 * What cannot be read ends it: the lines before that, then a line that says so, then the error is thrown:
 * `BOLT_SOURCE_DAMAGED`, or `SOURCE_CHANGED` if a running program has changed the file underneath, also if nothing else has
 * happened.
 */
export function* exportLines(db: BoltDb): Generator<Uint8Array, void, undefined> {
  const chunk = new Chunk();
  try {
    let path: readonly Uint8Array[] | undefined;
    let head: Uint8Array = new Uint8Array(0);
    for (const item of db.content()) {
      if (item.bucket !== path) {
        path = item.bucket;
        head = lineHead(path);
      }
      if (item.element === undefined) {
        yield* chunk.addLong(head);
        yield* chunk.addLong(sequenceTail(item.sequence));
      } else if (lineLength(head, item.element) > CHUNK) {
        yield* longLine(chunk, head, item.element);
      } else {
        if (!chunk.fits(lineLength(head, item.element))) yield chunk.take();
        shortLine(chunk, head, item.element);
      }
      chunk.endLine();
    }
    if (db.hasChanged()) throw changed(db);
  } catch (error) {
    const reason = isDatadirError(error) ? explain(db, error) : undefined;
    if (reason === undefined) throw error;
    yield* chunk.breakOff(errorLine(reason));
    throw reason;
  }
  if (!chunk.empty) yield chunk.take();
}

const MARKS_LENGTH = PAIR_MARKS.key.length + PAIR_MARKS.value.length + PAIR_MARKS.end.length;

function lineLength(head: Uint8Array, { keyLength, valueLength }: Element): number {
  return head.length + MARKS_LENGTH + base64Length(keyLength) + base64Length(valueLength);
}

/** The usual case, for which there is room. */
function shortLine(chunk: Chunk, head: Uint8Array, element: Element): void {
  chunk.add(head);
  chunk.add(PAIR_MARKS.key);
  chunk.addBase64(element.key);
  chunk.add(PAIR_MARKS.value);
  chunk.addBase64(element.value() as Uint8Array);
  chunk.add(PAIR_MARKS.end);
}

function* longLine(chunk: Chunk, head: Uint8Array, element: Element): Generator<Uint8Array, void, undefined> {
  yield* chunk.addLong(head);
  yield* chunk.addLong(PAIR_MARKS.key);
  yield* chunk.addLongBase64(element.key);
  yield* chunk.addLong(PAIR_MARKS.value);
  for (const piece of element.valueChunks(PIECE)) yield* chunk.addLongBase64(piece);
  yield* chunk.addLong(PAIR_MARKS.end);
}

/** The error to end with: what looks like damage may be the work of a running program. */
function explain(db: BoltDb, error: DatadirError): DatadirError | undefined {
  if (error.code === 'SOURCE_CHANGED') return error;
  if (error.code === 'BOLT_CLOSED' || error.code === 'INTERNAL') return undefined;
  if (hasChanged(db)) return changed(db, error);
  if (error.code !== 'BOLT_DAMAGED') return error;
  const { path, pageId, offset } = error;
  return new DatadirError('BOLT_SOURCE_DAMAGED', `${error.message}: what was exported ends before this`, {
    ...(path === undefined ? {} : { path }),
    ...(pageId === undefined ? {} : { pageId }),
    ...(offset === undefined ? {} : { offset }),
    cause: error,
  });
}

function hasChanged(db: BoltDb): boolean {
  try {
    return db.hasChanged();
  } catch {
    return false;
  }
}

function changed(db: BoltDb, cause?: DatadirError): DatadirError {
  const { path } = db.info();
  const words = `another program has written to ${path ?? 'the file'} since transaction ${db.txid}, which was being exported: what was exported need not belong together`;
  return new DatadirError('SOURCE_CHANGED', words, { ...(path === undefined ? {} : { path }), cause });
}

/** A buffer that is yielded when it is full. */
class Chunk {
  readonly #bytes = new Uint8Array(CHUNK);
  #length = 0;
  /** Where the current line begins; negative when a part of it has been yielded. */
  #lineStart = 0;

  endLine(): void {
    this.#lineStart = this.#length;
  }

  get empty(): boolean {
    return this.#length === 0;
  }

  fits(length: number): boolean {
    return this.#length + length <= CHUNK;
  }

  /** Everything so far. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#lineStart -= this.#length;
    this.#length = 0;
    return bytes;
  }

  add(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  addBase64(bytes: Uint8Array): void {
    this.#length = encodeBase64(bytes, this.#bytes, this.#length);
  }

  *addLong(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
    for (let at = 0; at < bytes.length; ) {
      if (this.#length === CHUNK) yield this.take();
      const part = bytes.subarray(at, at + CHUNK - this.#length);
      this.add(part);
      at += part.length;
    }
  }

  *addLongBase64(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
    for (let at = 0; at < bytes.length; at += PIECE) {
      const piece = bytes.subarray(at, at + PIECE);
      if (!this.fits(base64Length(piece.length))) yield this.take();
      this.addBase64(piece);
    }
  }

  /** Takes back the line in the making, or ends it where it is, and adds another. */
  *breakOff(line: Uint8Array): Generator<Uint8Array, void, undefined> {
    if (this.#lineStart >= 0) this.#length = this.#lineStart;
    else yield* this.addLong(new Uint8Array([0x0a]));
    yield* this.addLong(line);
    yield this.take();
  }
}
