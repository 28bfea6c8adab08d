/**
 * The layout of a bbolt file: magic numbers, field offsets, sizes, flags, limits. Nothing else, and nowhere else.
 * Explained in docs/formats/bolt.md. All integers are little-endian.
 */

// Page header, at the start of every page but overflow continuations.
export const PAGE_HEADER_SIZE = 16;
export const PAGE_ID = 0; // u64
export const PAGE_FLAGS = 8; // u16
export const PAGE_COUNT = 10; // u16
export const PAGE_OVERFLOW = 12; // u32

// Values of the flags field; any other is damage.
export const FLAG_BRANCH = 0x01;
export const FLAG_LEAF = 0x02;
export const FLAG_META = 0x04;
export const FLAG_FREELIST = 0x10;

// Meta page: offsets within the page.
export const META_MAGIC_AT = 16; // u32
export const META_VERSION_AT = 20; // u32
export const META_PAGE_SIZE_AT = 24; // u32
export const META_FLAGS_AT = 28; // u32
export const META_ROOT_AT = 32; // u64
export const META_SEQUENCE_AT = 40; // u64
export const META_FREELIST_AT = 48; // u64
export const META_HIGH_WATER_MARK_AT = 56; // u64
export const META_TXID_AT = 64; // u64
export const META_CHECKSUM_AT = 72; // u64, FNV-1a of bytes 16…71 of the page
/** Bytes of a meta page that mean something: header and meta structure. */
export const META_END = 80;

export const META_MAGIC = 0xed0cdaed;
/** The magic of a file from a big-endian machine, read as little-endian. */
export const META_MAGIC_SWAPPED = 0xedda0ced;
export const META_VERSION = 2;
/** In place of the freelist's page number: the freelist is not stored. */
export const NO_FREELIST = 0xffff_ffff_ffff_ffffn;

// Branch element.
export const ELEMENT_SIZE = 16; // of both kinds
export const BRANCH_POSITION = 0; // u32, from the start of the element to the key
export const BRANCH_KEY_SIZE = 4; // u32
export const BRANCH_CHILD = 8; // u64

// Leaf element.
export const LEAF_FLAGS = 0; // u32
export const LEAF_POSITION = 4; // u32, from the start of the element to the key; the value follows the key
export const LEAF_KEY_SIZE = 8; // u32
export const LEAF_VALUE_SIZE = 12; // u32
/** Set in a leaf element's flags when its value is a bucket. */
export const LEAF_IS_BUCKET = 0x01;

// Bucket header, the start of a bucket element's value.
export const BUCKET_HEADER_SIZE = 16;
export const BUCKET_ROOT = 0; // u64, 0 = an inline page follows the header
export const BUCKET_SEQUENCE = 8; // u64

// Freelist page: u64 ids from offset 16, or, when the count field is this value, the count at 16 and the ids from 24.
export const FREELIST_COUNT_ESCAPE = 0xffff;
export const FREELIST_ID_SIZE = 8;

// Limits.
export const MAX_KEY_SIZE = 32768;
export const MAX_VALUE_SIZE = 0x7fff_fffe;
/** Names of buckets have no upper limit in bbolt; a longer one than this is not read, since it cannot be a name. */
export const LONGEST_NAME = 0x100_0000;
/** How far behind its page's start bbolt can reach a key. */
export const MAX_SPAN = 0x7fff_ffff;
/** More levels than any tree can need: with two children to a branch, 64 levels hold 2^64 leaves. */
export const MAX_DEPTH = 64;
/** Elements of a page: bbolt panics when it has to write one more. */
export const MAX_ELEMENTS = 0xfffe;
/** The first page that is not a meta page. */
export const FIRST_DATA_PAGE = 2;
export const MIN_PAGE_SIZE = 256;
export const MAX_PAGE_SIZE = 0x400_0000;

// The page size probe: how far meta 1 is looked for when meta 0 is damaged, and in which steps.
export const META_PROBE_STEP = 512;
export const META_PROBE_END = 0x200_0000;

/** Length of the sha256 that `etcdctl snapshot save` puts behind the last page. */
export const SNAPSHOT_TRAILER_SIZE = 32;
