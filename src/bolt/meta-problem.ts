/**
 * Why a meta page is not valid, and the words for it.
 */

/** Why a meta is not valid, in the order in which it is tested. */
export type MetaProblem = 'missing' | 'unreadable' | 'byte-order' | 'magic' | 'version' | 'checksum';

/** What each problem is, as a clause about the meta. */
export const META_PROBLEMS: Readonly<Record<MetaProblem, string>> = {
  missing: 'the file ends before it',
  unreadable: 'it cannot be read',
  'byte-order': 'it was written on a big-endian machine',
  magic: 'the magic number is wrong',
  version: 'the version is not 2',
  checksum: 'the checksum does not match',
};
