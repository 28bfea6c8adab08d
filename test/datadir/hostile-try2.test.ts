import { test } from 'vitest';
import { loneDir, otherDir } from './hostile-dirs.ts';
import { changed, withFaults } from './hostile-changes.ts';
import { wordsOf } from './recipes/judge.ts';
import { DataDir } from '../../src/datadir/data-dir.ts';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { ReplayJob } from '../../src/datadir/replay/replay-job.ts';
import { WriteReplayedJob } from '../../src/datadir/replay/write-db.ts';
import { drain } from '../../src/io/job.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { checkBolt } from '../../src/bolt/check.ts';

test('case', async () => {
  const bases = [await loneDir(), await loneDir('3.5.0'), await otherDir()];
  const { base, changes, faults } = JSON.parse(process.env.CASE!);
  let c = bases[base];
  for (const each of changes) c = changed(c, { ...each, ...(each.bytes ? { bytes: Uint8Array.from(Object.values(each.bytes) as number[]) } : {}) }, bases[2]);
  const dir = new DataDir(withFaults(c, faults));
  console.log(wordsOf(drain(new DataDirCheckJob(dir, { level: 'deep' }))));
  const state = drain(new ReplayJob(dir));
  const file = memoryFile();
  drain(new WriteReplayedJob(state, file));
  console.log(wordsOf(checkBolt(file)));
  for (const { key } of state.parts.keyspace.newRecords) console.log(Buffer.from(key).toString('hex'));
});
