// The small buckets by themselves: the same rules as on level deep, also while the file is written to.
import { expect, test } from 'vitest';
import { BackendFile } from '../../../src/backend/backend-file.ts';
import { StateCheck } from '../../../src/backend/check-state.ts';
import { Structure } from '../../../src/backend/check-structure.ts';
import { openBolt } from '../../../src/index.ts';
import type { ByteSource } from '../../../src/io/byte-source.ts';
import { drain } from '../../../src/io/job.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { makeDb, openDb, uint64 } from '../../support/backend-db.ts';

const meta = (term: bigint): (readonly [string, Uint8Array])[] => [
  ['consistent_index', uint64(5n)],
  ['term', uint64(term)],
];
const sound = new Structure({ findings: [], counts: {} });
const codes = ({ findings }: { readonly findings: readonly { readonly code: string }[] }): string[] =>
  findings.map(({ code }) => code);

test('values of meta, cluster and members', async () => {
  const file = await openDb({
    meta: [...meta(0n), ['finishedCompactRev', 'x']],
    cluster: [['clusterVersion', '3.6.0']],
    members: [['1', 'no JSON']],
  });
  const report = drain(new StateCheck(file, sound, '3.5'));
  expect(codes(report).sort()).toEqual([
    'BACKEND_CLUSTER_VERSION_NEWER',
    'BACKEND_MEMBER_UNREADABLE',
    'BACKEND_META_UNREADABLE',
    'BACKEND_TERM_ZERO',
  ]);
  expect(report.counts).toEqual({ corrupt: 2, refuse: 1, repairable: 1 });
});

test('nothing is concluded from buckets that are damaged', async () => {
  const file = await openDb({
    meta: [['term', uint64(1n)]],
    key: [['x', 'y']],
    cluster: [['clusterVersion', '3.6.0']],
  });
  expect(codes(drain(new StateCheck(file, sound, undefined)))).toContain('BACKEND_CONSISTENT_INDEX');
  const finding = { code: 'BOLT_PAGE_TYPE', severity: 'corrupt', bucket: ['"key"'], args: {} } as never;
  const damaged = new Structure({ findings: [finding], counts: { corrupt: 1 } });
  expect(codes(drain(new StateCheck(file, damaged, undefined)))).not.toContain('BACKEND_CONSISTENT_INDEX');
});

/** A db in memory that gets a new transaction, with `term`, at the n-th reading of its meta page. */
async function written(at: readonly number[], term: bigint): Promise<BackendFile> {
  const file = memoryFile();
  file.write(0, await makeDb({ meta: meta(0n) }));
  let readings = 0;
  let writing = false;
  const source: ByteSource = {
    get size() {
      return file.size;
    },
    close: () => {},
    readInto: (target, offset) => {
      if (offset === 0 && !writing && at.includes(++readings)) {
        writing = true;
        using db = openBolt(file, { readOnly: false });
        db.update((tx) => tx.bucket('meta')!.put('term', uint64(term)));
        writing = false;
      }
      return file.readInto(target, offset);
    },
  };
  return new BackendFile(source);
}

test('a file that is written to is looked at again', async () => {
  const all = Array.from({ length: 1000 }, (_, i) => i);
  const calm = await written([], 0n);
  expect(codes(drain(new StateCheck(calm, sound, undefined)))).toEqual(['BACKEND_TERM_ZERO']);
  let seen = 0;
  // Wherever the write happens, what was true before it is not told of the file after it.
  for (let at = 2; at < 12; at++) {
    const report = drain(new StateCheck(await written([at], 7n), sound, undefined));
    if (codes(report).length === 0) seen++;
  }
  expect(seen).toBeGreaterThan(0);
  const restless = drain(new StateCheck(await written(all.slice(2), 0n), sound, undefined));
  expect(restless).toMatchObject({ findings: [], examined: [] });
  expect(restless.notExamined[0]).toContain('written to all the time');
});
