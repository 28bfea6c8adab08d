/**
 * The portable entry `etcd-datadir/backup`: so far the names of the objects in a backup store, and which of them belong together.
 */
export {
  type BackupObject,
  formatObjectName,
  formatObjectPath,
  type ObjectCompression,
  type ObjectKind,
  type ObjectName,
  parseObjectName,
  parseObjectPath,
} from './object-name.ts';
export { type BackupChain, type ChainGap, compareObjects, findChain } from './snapshot-order.ts';
