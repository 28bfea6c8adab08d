// Every stored db of a real server, restored for every release.
import { test } from 'vitest';
import { ETCD_MINORS } from '../../src/etcd-version.ts';
import { etcdRecordings } from '../support/etcd-recordings.ts';
import { judgeRestore } from './restore-fixtures.ts';

const dbs = etcdRecordings()
  // A db that was restored by 3.4 has members of two clusters: what is read of it differs from what is kept.
  .filter(({ name }) => name !== '3.4.23/restored')
  .flatMap(({ name, minor, dbFiles }) => dbFiles.map((file) => ({ name: `etcd/${name}/${file}`, minor })));

test.each(dbs)('$name', async ({ name, minor }) => {
  for (const target of ETCD_MINORS) await judgeRestore(name, minor, target);
});
