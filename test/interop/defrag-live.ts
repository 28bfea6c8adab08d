/**
 * A directory defragmented offline, beside what the real `etcdutl defrag` makes of a copy: the content is that of the original in both.
 */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { defrag } from '../../src/files/defrag.ts';
import { DB_PATH } from '../support/data-dir-fixtures.ts';
import { EtcdServer } from '../support/etcd-server.ts';
import { contentText, listDatabase } from '../support/list-database.ts';
import type { LoadedEtcd } from './compact-history-live.ts';
import { readDb } from './edited-buckets.ts';
import { putAndRead } from './recluster-live.ts';
import { askAfterRestart } from './replay-answers.ts';
import { copyDirectory } from './replay-directory.ts';

const contentOf = (path: string): string => readDb(path, ({ db }) => contentText(listDatabase(db)));
const sizeOf = (path: string): number => statSync(join(path, DB_PATH)).size;

/** `etcdutls`: the programs to compare with. Tells the sizes. */
export async function sameDefrag(
  { etcd: { program }, place, snapshot }: LoadedEtcd,
  etcdutls: readonly string[],
): Promise<string> {
  const ours = { ...place, dataDir: `${place.dataDir}-defragmented` };
  const made = await defrag(place.dataDir, ours.dataDir);
  expect(made).toMatchObject({
    kind: 'data-dir',
    size: { before: sizeOf(place.dataDir), after: sizeOf(ours.dataDir) },
  });
  expect(contentOf(ours.dataDir)).toBe(contentOf(place.dataDir));
  const sizes: number[] = [];
  for (const [i, etcdutl] of etcdutls.entries()) {
    const theirs = `${place.dataDir}-theirs-${i}`;
    copyDirectory(place.dataDir, theirs);
    execFileSync(etcdutl, ['defrag', '--data-dir', theirs], { stdio: 'pipe' });
    expect(contentOf(ours.dataDir)).toBe(contentOf(theirs));
    sizes.push(sizeOf(theirs));
  }
  // No larger than what they leave.
  for (const size of sizes) expect(made.size.after).toBeLessThanOrEqual(size);

  const said = [];
  for (const each of [place, ours]) {
    const server = await EtcdServer.start(program, each);
    said.push(await askAfterRestart(server.gateway));
    await putAndRead(server.gateway, 'after', 'defrag');
    await server.stop();
  }
  expect(said[1]).toEqual(said[0]);

  const target = `${snapshot}-defragmented.db`;
  expect(await defrag(snapshot, target)).toMatchObject({ kind: 'snapshot' });
  expect(contentOf(target)).toBe(contentOf(snapshot));
  for (const etcdutl of etcdutls) execFileSync(etcdutl, ['snapshot', 'status', target], { stdio: 'pipe' });
  return `${made.size.before} bytes become ${made.size.after}, with etcdutl ${sizes.join(' and ')}`;
}
