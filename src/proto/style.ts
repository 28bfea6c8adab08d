/**
 * The two ways in which etcd's releases write proto2 messages; docs/formats/protobuf.md has the differences.
 */
import { compareMinors, type EtcdMinor } from '../etcd-version.ts';

/**
 * `gogo` (etcd up to 3.6): fields that the generated code keeps as plain values are written even when they are zero.
 * `google` (etcd 3.7 and later): a field is written if, and only if, it was set, be it to zero.
 */
export type ProtoStyle = 'gogo' | 'google';

/** How a release writes. */
export function protoStyleOf(minor: EtcdMinor): ProtoStyle {
  return compareMinors(minor, '3.7') < 0 ? 'gogo' : 'google';
}
