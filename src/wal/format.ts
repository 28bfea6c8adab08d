/**
 * The numbers of the write-ahead log's layout, and nothing else. docs/formats/wal.md explains them.
 *
 * A segment is a sequence of frames: a length field of 8 bytes, a protobuf record, padding up to a multiple of 8. The
 * log ends at the first length field that is zero.
 */

/** Bytes of a length field. Frames are padded to a multiple of it. */
export const LENGTH_FIELD = 8;
/** In the high word of the length field: the upper 24 of the 56 bits of the record's length. */
export const LENGTH_HIGH_MASK = 0x00ff_ffff;
/** In the top byte of the length field: set when there is padding, and then how much. */
export const PADDED_BIT = 0x80;
export const PADDING_MASK = 0x07;

/** The types of records. */
export const RECORD_TYPE = { metadata: 1, entry: 2, state: 3, crc: 4, snapshot: 5 } as const;

/** Torn writes are recognised by pieces of this size, aligned in the file, that are all zero. */
export const SECTOR = 512;
/** The writer hands whole pages of this size to the system, unless it flushes. */
export const PAGE = 4096;
/** So much is collected before pages are written. */
export const WRITE_BUFFER: number = 128 * 1024;
/** A segment is cut when it has reached this size, and preallocated to it. */
export const SEGMENT_SIZE: number = 64 * 1000 * 1000;

/** etcd 3.4.10 and later 3.4 releases do not read records of this size or more. */
export const MAX_RECORD_3_4: number = 10 * 1024 * 1024;
/** Larger records are not read here: several times what a server can be configured to accept. */
export const MAX_RECORD: number = 256 * 1024 * 1024;
