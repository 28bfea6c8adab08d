/**
 * A small history of keys as a file, for the commands that read keys.
 */
import { PlainMvcc } from '../support/plain-mvcc.ts';
import { writeWorkFile } from './work-files.ts';

/** Revisions 2 to 9, compacted at 4: see the comments. */
export async function keysDb(folder: string, options: { readonly compacted?: boolean } = {}): Promise<string> {
  const store = new PlainMvcc();
  store.txn([{ put: '/a/1', value: 'one' }]); // 2
  store.txn([{ put: '/a/1', value: 'uno' }]); // 3
  store.txn([{ put: '/b', value: 'bee', lease: 0x1234n }]); // 4
  store.txn([{ put: '/a/2', value: '' }]); // 5
  store.txn([{ put: '/a/1', value: 'eins' }, { put: '/c', value: 'see' }, { delete: '/b' }]); // 6
  store.txn([{ delete: '/a/1' }]); // 7
  store.txn([{ put: '/a/1', value: 'again' }]); // 8
  store.txn([{ put: '\xff\x00', value: '\x01\n' }]); // 9
  if (options.compacted === true) store.compact(4n);
  return writeWorkFile(folder, options.compacted === true ? 'compacted.db' : 'keys.db', await store.db());
}
