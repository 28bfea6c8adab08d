/**
 * What a checker can know of damage to each part of a bolt file, and why not more. Tests hold the checker to it, and
 * docs/detection.md shows it.
 */
export interface Expectation {
  /**
   * `all`: damage to any byte is found. `noted`: it is never more than a note, but never passed over either. `some`: it
   * depends on the value. `none`: it is not looked at, or cannot be known.
   */
  readonly found: 'all' | 'noted' | 'some' | 'none';
  /** What may be read differently when nothing was found; by default nothing. */
  readonly mayChange?: readonly ('structure' | 'values' | 'sequences')[];
  /** Why not everything is found. */
  readonly why?: string;
}

const all: Expectation = { found: 'all' };
const OLDER: Expectation = { found: 'noted', why: 'not needed; the next transaction overwrites it' };
const REFERENCE: Expectation = {
  found: 'all',
  why: 'but where no freelist is stored: there, a page that nothing else uses and whose keys fit the place is as good as any',
};
const UNREAD: Expectation = { found: 'none', why: 'no program reads it' };
const TABLE_ONLY: Expectation = { found: 'none', why: 'only the table of pages goes by it, as that of bbolt does' };

/** By class of byte, in the order of the table. */
export const EXPECTATIONS: Readonly<Record<string, Expectation>> = {
  'current meta: magic': all,
  'current meta: version': all,
  'current meta: pageSize': all,
  'current meta: flags': all,
  'current meta: root': all,
  'current meta: sequence': all,
  'current meta: freelist': all,
  'current meta: highWaterMark': all,
  'current meta: txid': all,
  'current meta: checksum': all,
  'current meta, page header: id': all,
  'current meta, page header: flags': all,
  'current meta, page header: count': UNREAD,
  'current meta, page header: overflow': TABLE_ONLY,
  'older meta: magic': OLDER,
  'older meta: version': OLDER,
  'older meta: pageSize': OLDER,
  'older meta: flags': OLDER,
  'older meta: root': OLDER,
  'older meta: sequence': OLDER,
  'older meta: freelist': OLDER,
  'older meta: highWaterMark': OLDER,
  'older meta: txid': OLDER,
  'older meta: checksum': OLDER,
  'older meta, page header: id': all,
  'older meta, page header: flags': all,
  'older meta, page header: count': UNREAD,
  'older meta, page header: overflow': TABLE_ONLY,
  'rest of a meta page': UNREAD,
  'freelist page: id': all,
  'freelist page: flags': all,
  'freelist page: count': all,
  'freelist page: overflow': all,
  'freelist: id': all,
  'rest of the freelist': UNREAD,
  'branch page: id': all,
  'branch page: flags': all,
  'branch page: count': all,
  'branch page: overflow': all,
  'branch element: position': all,
  'branch element: keySize': all,
  'branch element: keySize, last of its page': {
    found: 'some',
    why: 'a shorter key is below the first key of its child, which is allowed, and noted',
  },
  'branch element: child': REFERENCE,
  'branch key': {
    found: 'some',
    why: 'a key that stays above the one before it, and not above the first key of its child, is allowed, and noted',
  },
  'leaf page: id': all,
  'leaf page: flags': all,
  'leaf page: count': all,
  'leaf page: overflow': all,
  'leaf element: flags': {
    found: 'some',
    mayChange: ['structure', 'values', 'sequences'],
    why: 'a nested bucket that is no longer marked as one is a plain value (its pages are missed only if the freelist is stored)',
  },
  'leaf element: position': all,
  'leaf element: keySize': all,
  'leaf element: keySize, last of its page': {
    found: 'some',
    mayChange: ['structure', 'values'],
    why: 'nothing follows that it could overlap; the order of keys may tell, and bytes left over are noted',
  },
  'leaf element: valueSize': all,
  'leaf element: valueSize, last of its page': {
    found: 'some',
    mayChange: ['values'],
    why: 'nothing follows that it could overlap, as long as it ends within the page; bytes left over are noted',
  },
  'leaf key': {
    found: 'some',
    mayChange: ['structure'],
    why: 'a key that stays between its neighbours is a key like any other; the first of a page is noted when it changes',
  },
  value: { found: 'none', mayChange: ['values'], why: 'values have no checksum' },
  'name of a bucket': { found: 'some', mayChange: ['structure', 'values', 'sequences'], why: 'as for keys' },
  'bucket: root': REFERENCE,
  'bucket: sequence': { found: 'none', mayChange: ['sequences'], why: 'any number is allowed' },
  'inline page: id': all,
  'inline page: flags': all,
  'inline page: count': all,
  'inline page: overflow': all,
  'inline element: flags': all,
  'inline element: position': all,
  'inline element: keySize': all,
  'inline element: valueSize': all,
  'inline key': { found: 'some', mayChange: ['structure'], why: 'as for keys' },
  'inline value': { found: 'none', mayChange: ['values'], why: 'values have no checksum' },
  'rest of a page': {
    found: 'none',
    why: 'not part of the data; the four bytes behind the last element are looked at, and noted when not zero',
  },
  'free page': {
    found: 'none',
    why: 'not part of the data; noted where the transaction before still uses the page, and its structure is broken',
  },
};
