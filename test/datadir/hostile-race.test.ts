// What changes while it is examined: files that vanish or get shorter, disks that fail at the second reading, a running etcd at work.
import { describe, expect, test } from 'vitest';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { DataDir } from '../../src/datadir/data-dir.ts';
import type { DataDirFiles, FolderItem } from '../../src/datadir/data-dir-files.ts';
import { explainReport } from '../../src/datadir/start/explanation.ts';
import { DatadirError } from '../../src/errors.ts';
import { drain } from '../../src/io/job.ts';
import type { CheckReport, Level } from '../../src/report.ts';
import { type DirContent, memoryDir } from '../support/data-dir-fixtures.ts';
import { faultySource } from '../support/faulty.ts';
import { loneDir } from './hostile-dirs.ts';
import { judgeReplay, judgeValidation, LEVELS } from './hostile-judge.ts';

const CONTENT = await loneDir();
const WAL = [...CONTENT.files.keys()].filter((path) => path.endsWith('.wal'));
const LAST = WAL.at(-1) as string;

/** The directory, with one of its items as `change` makes it. */
function withItem(content: DirContent, path: string, change: (item: FolderItem) => FolderItem): DataDirFiles {
  const files = memoryDir(content);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const replaced = (folder: DataDirFiles['wal']): DataDirFiles['wal'] => ({
    ...folder,
    items: folder.items.map((item) => (`${folder.path}/${name}` === path && item.name === name ? change(item) : item)),
  });
  return { ...files, snap: replaced(files.snap), wal: replaced(files.wal) };
}

function check(files: DataDirFiles, level: Level): CheckReport {
  using dir = new DataDir(files);
  return drain(new DataDirCheckJob(dir, { level }));
}

const codesOf = ({ findings }: CheckReport): string[] => findings.map(({ code }) => code);

/** A listed file that is gone when it is opened. */
const gone = (item: FolderItem): FolderItem => ({
  ...item,
  open: () => {
    throw new DatadirError('NOT_FOUND', `${item.name}: there is no such file`, { path: item.name });
  },
});

/** A file that is read without an error so often, and then only up to `size`. */
const shrinking =
  (reads: number, size: (full: number) => number) =>
  (item: FolderItem): FolderItem => ({
    ...item,
    open: () => {
      const source = item.open();
      return faultySource(source, { shrinkTo: size(source.size), shrinkAfterReads: reads });
    },
  });

describe('a file that was listed and is gone when it is opened', () => {
  test.each([...CONTENT.files.keys()])('%s', (path) => {
    const files = (): DataDirFiles => withItem(CONTENT, path, gone);
    for (const level of LEVELS) expect(codesOf(check(files(), level))).not.toContain('INTERNAL');
    judgeReplay(files);
    judgeValidation(files, 'full');
  });

  test('the first segment, purged by a running etcd, is not missed', () => {
    const files = { ...withItem(CONTENT, WAL[0] as string, gone), lookForUse: () => true };
    for (const level of LEVELS) expect(check(files, level).verdict).toBe('healthy');
  });
});

describe('a log that gets shorter at its n-th reading', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 8, 10])(
    'n = %d: never called healthy beside a start that ends with an error',
    (reads) => {
      for (const path of WAL) {
        const files = (): DataDirFiles =>
          withItem(
            CONTENT,
            path,
            shrinking(reads, (size) => Math.floor(size / 2)),
          );
        for (const level of ['full', 'deep'] as const) {
          const report = check(files(), level);
          const { outcome } = explainReport(report).start;
          if (report.verdict === 'healthy') expect(outcome).toBe('starts');
          // Nothing is wrong with what is in the files.
          expect(report.counts.corrupt ?? 0, codesOf(report).join()).toBe(0);
        }
      }
    },
  );

  test('which cuts off zeros only, as etcd does when it begins the next segment: no false alarm', () => {
    const { bytes, size } = CONTENT.files.get(LAST)!;
    const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
    const content = { ...CONTENT, files: new Map(CONTENT.files).set(LAST, { bytes, size: size + (4 << 20) }) };
    for (const reads of [0, 1, 2, 4, 6, 10]) {
      const files = withItem(
        content,
        LAST,
        shrinking(reads, () => Math.ceil(end / 8) * 8),
      );
      for (const level of LEVELS) {
        const report = check({ ...files, lookForUse: () => true }, level);
        expect(report.verdict, `${reads} ${level} ${codesOf(report)}`).toBe('healthy');
      }
    }
  });
});
