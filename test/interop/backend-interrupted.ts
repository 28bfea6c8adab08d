/**
 * A compaction that ends in a kill: records are left that a server no longer shows. What we read in the db is compared with what
 * the same server says once it has been started again.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { EtcdGateway, toBase64 } from '../support/etcd-gateway.ts';
import { RunningEtcd } from '../support/running-etcd.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type AskedHash, askHash, askRange } from './backend-answers.ts';
import { compareCheck, compareHashes, compareRange } from './backend-compare.ts';
import { everything } from './backend-requests.ts';

const TXNS = 300;
const PUTS = 100;
const KEYS = 400;
/** A compaction deletes 1000 records at a time, and rests 10 ms each time. */
const DELAYS_MS = [40, 25, 60, 15, 90, 5];

/** Throws at a difference; tells what was left. `first`: which delay is tried first. */
export async function interruptedCompaction(program: string, minor: EtcdMinor, first = 0): Promise<string> {
  for (const delay of [...DELAYS_MS.slice(first), ...DELAYS_MS.slice(0, first)]) {
    const directory = join(temporaryDirectory(), 'data');
    const copy = join(temporaryDirectory(), 'db');
    const compacted = await killWhileCompacting(program, directory, delay);
    copyFileSync(join(directory, 'member/snap/db'), copy);
    const file = new BackendFile(openFileSource(copy));
    try {
      const revisions = file.read(readRevisions);
      if (!revisions.compactionPending) continue;
      expect(revisions).toMatchObject({ scheduledCompact: BigInt(compacted), compact: BigInt(compacted) });
      compareCheck(file.source);
      await compareAfterRestart(program, directory, file, compacted, minor);
      const { finishedCompact, scheduledCompact } = revisions;
      return `killed after ${delay} ms: finished ${finishedCompact}, scheduled ${scheduledCompact}`;
    } finally {
      file.close();
    }
  }
  throw new Error('each compaction had ended, or not yet begun, when the server was killed');
}

/** The first of two compactions comes to its end. Gives the revision of the second. */
async function killWhileCompacting(program: string, directory: string, delay: number): Promise<number> {
  const etcd = await RunningEtcd.start(program, directory);
  const gateway = new EtcdGateway(etcd.url);
  try {
    for (let txn = 0; txn < TXNS; txn++) await gateway.ask('kv/txn', { success: putsAndDeletes(txn) });
    await gateway.ask('kv/compaction', { revision: '20', physical: true });
    // Everything up to here is in the db.
    await gateway.ask('maintenance/hash');
    const compacted = Math.floor(TXNS * 0.9);
    await gateway.ask('kv/compaction', { revision: `${compacted}` });
    await setTimeout(delay);
    await etcd.stop('SIGKILL');
    return compacted;
  } finally {
    gateway.close();
  }
}

/** Many keys change, each in many transactions; some are deleted. */
function putsAndDeletes(txn: number): object[] {
  return Array.from({ length: PUTS }, (_, i) => {
    const key = toBase64(`/key/${(txn * 37 + i * 3) % KEYS}`);
    if ((txn + i) % 11 === 0) return { request_delete_range: { key } };
    return { request_put: { key, value: toBase64(`value ${txn}`) } };
  });
}

async function compareAfterRestart(
  program: string,
  directory: string,
  file: BackendFile,
  compacted: number,
  minor: EtcdMinor,
): Promise<void> {
  const etcd = await RunningEtcd.start(program, directory);
  const gateway = new EtcdGateway(etcd.url);
  try {
    const { current } = file.read(readRevisions);
    const above = Array.from({ length: 12 }, (_, i) => compacted + 1 + i * 2);
    const hashes: AskedHash[] = [];
    for (const revision of [...above, Number(current)]) hashes.push(await askHash(gateway, revision));
    compareHashes(file, hashes);
    for (const revision of [compacted - 1, compacted, ...above, Number(current)]) {
      compareRange(file, await askRange(gateway, everything(revision)), minor);
    }
  } finally {
    gateway.close();
    await etcd.stop();
  }
}
