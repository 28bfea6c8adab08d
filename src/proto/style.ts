/**
 * The two ways in which etcd's releases write proto2 messages; docs/formats/protobuf.md has the differences.
 */

/**
 * `gogo` (etcd up to 3.6): fields that the generated code keeps as plain values are written even when they are zero.
 * `google` (etcd 3.7 and later): a field is written if, and only if, it was set, be it to zero.
 */
export type ProtoStyle = 'gogo' | 'google';
