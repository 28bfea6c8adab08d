/**
 * Snapshots that cannot be restored: each is refused with a code, words and an exit code of its own, by a dry run too; it is not changed,
 * and nothing is left.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodeRevision } from '../../src/backend/revision.ts';
import { isDatadirError } from '../../src/errors.ts';
import { type RestoreOptions, restoreCluster, restoreSnapshot } from '../../src/files/restore.ts';
import { makeDb, put, uint64 } from '../support/backend-db.ts';
import { boltRecipes } from '../support/bolt-recipes.ts';
import { checkDataDir } from '../support/check-made.ts';
import { readFixture } from '../support/fixtures.ts';
import { dbOf, pairsOf } from '../support/restore-cases.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './run.ts';

const revision = (main: bigint): Uint8Array => encodeRevision({ main, sub: 0n });

/** Of 3.6, at revision 4, compacted at 2. */
const DB = await makeDb({
  key: [put(2, 0, { key: 'a' }), put(3, 0, { key: 'b' }), put(4, 0, { key: 'c', value: 'x'.repeat(5000) })],
  meta: [
    ['consistent_index', uint64(9n)],
    ['term', uint64(2n)],
    ['storageVersion', '3.6.0'],
    ['finishedCompactRev', revision(2n)],
    ['scheduledCompactRev', revision(2n)],
  ],
  cluster: [['clusterVersion', '3.6.0']],
});
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const withTrailer = (db: Uint8Array): Uint8Array => new Uint8Array(Buffer.concat([db, sha256(db)]));
const SNAPSHOT = withTrailer(DB);

const flipped = (at: number): Uint8Array => {
  const bytes = SNAPSHOT.slice();
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] as number) ^ 1;
  return bytes;
};

interface Refusal {
  readonly name: string;
  /** Default: the snapshot. */
  readonly bytes?: Uint8Array;
  /** Default `snapshot.db`. */
  readonly file?: string;
  readonly flags?: readonly string[];
  readonly code: string;
  readonly words: RegExp;
  readonly exit: number;
}

const SKIP = ['--skip-hash-check'];
const bump = (by: bigint | string, ...more: string[]): string[] => [
  ...(by === 'auto' ? ['--bump-revision', 'auto'] : ['--bump-revision', `${by}`, '--mark-compacted']),
  ...more,
];

const wrong = (name: string, bytes: Uint8Array): Refusal => ({
  name,
  bytes,
  code: 'SNAPSHOT_DAMAGED',
  words: /expected sha256 [0-9a-f]{64}, got [0-9a-f]{64}: .*--skip-hash-check/,
  exit: 1,
});
const cutOff = (name: string, length: number, flags: readonly string[] = []): Refusal => ({
  name,
  bytes: SNAPSHOT.slice(0, length),
  flags,
  code: 'SNAPSHOT_DAMAGED',
  words: new RegExp(
    `the file is cut off: it has ${length < 0 ? SNAPSHOT.length + length : length} bytes, its pages end at ${DB.length}`,
  ),
  exit: 1,
});
const noMeta = (name: string, bytes: Uint8Array, flags: readonly string[] = []): Refusal => ({
  name,
  bytes,
  flags,
  code: 'BOLT_NO_META',
  words: /no valid meta page: meta 0: .*; meta 1: /,
  exit: 3,
});

const REFUSALS: readonly Refusal[] = [
  wrong('a bit of the first byte of the sha256 is wrong', flipped(-32)),
  wrong('a bit in the middle of the sha256 is wrong', flipped(-16)),
  wrong('a bit of the last byte is wrong', flipped(-1)),
  wrong('a bit of a value is wrong', flipped(DB.length - 100)),
  wrong('the sha256 is that of another file', Buffer.concat([DB, sha256(new Uint8Array())])),
  {
    name: 'no sha256',
    bytes: DB,
    code: 'SNAPSHOT_DAMAGED',
    words: /snapshot missing hash but --skip-hash-check=false: .*copy of one/,
    exit: 1,
  },
  ...[1, 31].map(
    (by): Refusal => ({
      name: `the sha256 is cut by ${by}`,
      bytes: SNAPSHOT.slice(0, -by),
      code: 'SNAPSHOT_DAMAGED',
      words: new RegExp(
        `the sha256 at its end is cut off: it has ${SNAPSHOT.length - by} bytes, its pages end at ${DB.length}`,
      ),
      exit: 1,
    }),
  ),
  cutOff('cut by a page', DB.length - 4096),
  cutOff('cut by a page, hash check skipped', DB.length - 4096, SKIP),
  cutOff('cut in the middle of a page', DB.length - 1000, SKIP),
  cutOff('nothing but the metas', 8192, SKIP),
  noMeta('an empty file', new Uint8Array()),
  noMeta('an empty file, hash check skipped', new Uint8Array(), SKIP),
  noMeta('ten bytes', SNAPSHOT.slice(0, 10)),
  noMeta('a text', new TextEncoder().encode('this is not a snapshot\n'.repeat(1000))),
  noMeta('zeros', new Uint8Array(40_960), SKIP),
  noMeta('both metas are gone', (() => DB.slice().fill(0, 0, 8192))(), SKIP),
  {
    name: 'compressed',
    file: 'snapshot.db.gz',
    bytes: gzipSync(SNAPSHOT),
    code: 'UNKNOWN_KIND',
    words: /compressed with gzip; unpack it first \(gunzip\)/,
    exit: 3,
  },
  {
    name: 'a download that had not ended',
    file: 'snapshot.db.part',
    code: 'SNAPSHOT_DAMAGED',
    words: /what etcdctl snapshot save had not finished when it ended; .* rename it/,
    exit: 1,
  },
  {
    name: 'a bump to where no room is left',
    flags: bump((1n << 62n) - 4n),
    code: 'EDIT_REFUSED',
    words: /revision 4 raised by 4611686018427387900 is 4611686018427387904; there must be room below 2\^62/,
    exit: 1,
  },
  {
    name: 'a bump beyond 64 bits',
    flags: bump(1n << 64n),
    code: 'EDIT_REFUSED',
    words: /there must be room below 2\^62/,
    exit: 1,
  },
  {
    name: 'a bump that ends below the compacted revision',
    bytes: withTrailer(
      await makeDb({ key: [put(2, 0, { key: 'a' })], meta: [['finishedCompactRev', revision(500n)]] }),
    ),
    flags: bump(100n),
    code: 'EDIT_REFUSED',
    words: /revision 2, which is that of the last record, raised by 100 is 102; it must be above 500/,
    exit: 1,
  },
  {
    name: 'a bump that ends below what clients have seen',
    flags: bump(100n, '--not-below', '1000'),
    code: 'EDIT_REFUSED',
    words: /revision 4 raised by 100 is 104, which is below 1000/,
    exit: 1,
  },
  {
    name: 'a storage version from which no way is known',
    bytes: withTrailer(await makeDb({ meta: [['storageVersion', '3.9.0']] })),
    flags: ['--etcd-version', '3.6'],
    code: 'EDIT_REFUSED',
    words: /the storage version of the db is 3\.9\.0: no steps from there to another one are known here/,
    exit: 1,
  },
];

const listing = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

test.each(REFUSALS)('$name', async ({ bytes = SNAPSHOT, file = 'snapshot.db', flags = [], code, words, exit }) => {
  const folder = temporaryDirectory();
  const path = join(folder, file);
  writeFileSync(path, bytes);
  const before = statSync(path);
  for (const more of [[], ['--dry-run'], ['--all-members', join(folder, 'all')]]) {
    const where = more[0] === '--all-members' ? [] : ['--data-dir', join(folder, 'a', 'data')];
    const args = ['restore', path, ...where, ...flags, ...more, '--json'];
    const ran = await run(args);
    expect({ args: more, exit: ran.code, stderr: ran.stderr }).toEqual({ args: more, exit, stderr: ran.stderr });
    expect(JSON.parse(ran.stdout).error).toMatchObject({ code });
    expect(ran.stderr).toMatch(words);
    expect(listing(folder)).toEqual([file]);
  }
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(statSync(path)).toMatchObject({ mtimeMs: before.mtimeMs, mode: before.mode, ino: before.ino });
});

test('what is no file, and a directory that is no data directory', async () => {
  const folder = temporaryDirectory();
  const fifo = join(folder, 'fifo');
  execFileSync('sh', ['-c', 'mkfifo "$0"', fifo]);
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  for (const [path, code] of [
    [fifo, 'NOT_A_REGULAR_FILE'],
    ['/dev/null', 'NOT_A_REGULAR_FILE'],
    [empty, 'UNKNOWN_KIND'],
    [join(folder, 'none'), 'NOT_FOUND'],
  ] as const) {
    const ran = await run(['restore', path, '--data-dir', join(folder, 'data'), '--json']);
    expect({ path, exit: ran.code }).toEqual({ path, exit: 3 });
    expect(JSON.parse(ran.stdout).error).toMatchObject({ code, path });
  }
  expect(listing(folder)).toEqual(['empty', 'fifo']);
});

describe('damaged pages', () => {
  const bytes = readFixture('etcd/3.6.14/busy/m1');
  const context = { snapshot: readFixture('etcd/3.6.14/busy/snapshot') };
  /** All that is reachable from the root is whole: the list of free pages is not taken over, and zeros in a value look like any other. */
  const restorable = /^bolt-(?:freelist-|leaf-half-zeroed)/;

  test.each(boltRecipes.map((recipe) => ({ ...recipe })))('$name ($severity)', async ({ name, apply, severity }) => {
    const folder = temporaryDirectory();
    const path = join(folder, 'db');
    const damaged = apply(bytes, 0, context);
    writeFileSync(path, damaged);
    const dataDir = join(folder, 'data');
    const restored = restoreSnapshot(path, { dataDir, skipHashCheck: true, sync: false });
    const made = await restored.then(
      () => true,
      (error: unknown) => {
        if (!isDatadirError(error)) throw error;
        expect(error.code).toMatch(/^(?:BOLT_SOURCE_DAMAGED|BOLT_NO_META|BOLT_DAMAGED|SNAPSHOT_DAMAGED)$/);
        return false;
      },
    );
    const dry = await restoreSnapshot(path, { dataDir: join(folder, 'dry'), skipHashCheck: true, dryRun: true }).then(
      () => true,
      () => false,
    );
    if (severity === 'corrupt') expect(made).toBe(restorable.test(name));
    expect(dry).toBe(made);
    if (made) {
      await checkDataDir(dataDir);
      expect(pairsOf(dbOf(readFileSync(join(dataDir, 'member/snap/db'))), 'key')).toEqual(
        pairsOf(dbOf(damaged), 'key'),
      );
    }
    expect(readdirSync(folder).sort()).toEqual(made ? ['data', 'db'] : ['db']);
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });

  test('the sha256 is right: the command lists the findings, for people and as JSON', async () => {
    const folder = temporaryDirectory();
    const path = join(folder, 'snapshot.db');
    const recipe = boltRecipes.find(({ name }) => name === 'bolt-leaf-zeroed');
    writeFileSync(path, withTrailer(recipe!.apply(bytes, 0, context)));
    const args = ['restore', path, '--data-dir', join(folder, 'data')];
    const text = await run(args);
    expect(text.code).toBe(1);
    expect(text.stdout).not.toBe('');
    expect(text.stderr).toContain(`${path}: the file is damaged, and nothing was written; `);
    const { code, stdout } = await run([...args, '--json']);
    expect(code).toBe(1);
    const { error, check } = JSON.parse(stdout);
    expect(error).toMatchObject({ code: 'BOLT_SOURCE_DAMAGED', path });
    expect(check.findings.length).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual(['snapshot.db']);
    const dry = await run([...args, '--json', '--dry-run']);
    expect({ ...dry, stdout: JSON.parse(dry.stdout).error }).toMatchObject({ code: 1, stdout: error });
  });
});

describe('what is in the way', () => {
  const CLUSTER = { n1: 'http://10.0.0.1:2380', n2: 'http://10.0.0.2:2380' };

  async function refused(
    folder: string,
    options: RestoreOptions & { dataDir?: string; walDir?: string; outDir?: string },
  ): Promise<unknown> {
    const path = join(folder, 'snapshot.db');
    if (!existsSync(path)) writeFileSync(path, SNAPSHOT);
    const before = listing(folder);
    const { outDir, ...rest } = options;
    const running =
      outDir === undefined
        ? restoreSnapshot(path, { ...rest, name: 'n1', initialCluster: CLUSTER })
        : restoreCluster(path, outDir, { ...rest, initialCluster: CLUSTER });
    const error = await running.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(listing(folder)).toEqual(before);
    return error;
  }

  test('directories that are not empty, and files', async () => {
    const folder = temporaryDirectory();
    const at = (name: string): string => join(folder, name);
    mkdirSync(at('full'));
    writeFileSync(at('full/x'), '');
    writeFileSync(at('file'), '');
    mkdirSync(at('empty'));
    for (const dataDir of [at('full'), at('file')]) {
      for (const dryRun of [false, true]) {
        expect(await refused(folder, { dataDir, dryRun })).toMatchObject({
          code: 'TARGET_EXISTS',
          path: dataDir,
          message: `data-dir "${dataDir}" not empty or could not be read`,
        });
      }
      expect(await refused(folder, { outDir: dataDir })).toMatchObject({ code: 'TARGET_EXISTS', path: dataDir });
    }
    for (const walDir of [at('full'), at('file'), at('empty')]) {
      expect(await refused(folder, { dataDir: at('new/data'), walDir })).toMatchObject({
        code: 'TARGET_EXISTS',
        path: walDir,
        message: `wal-dir "${walDir}" exists`,
      });
    }
    expect(await refused(folder, { dataDir: at('file/data') })).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a log where other files of the data directory are, or around it', async () => {
    const folder = temporaryDirectory();
    const dataDir = join(folder, 'data');
    for (const walDir of [
      dataDir,
      join(dataDir, 'member'),
      join(dataDir, 'member/snap'),
      join(dataDir, 'member/snap/log'),
      folder,
    ]) {
      expect(await refused(folder, { dataDir, walDir })).toMatchObject({ code: 'USAGE' });
    }
  });

  test('nothing is made in the data directory that is the source', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'snapshot.db'), SNAPSHOT);
    const source = join(folder, 'source');
    await restoreSnapshot(join(folder, 'snapshot.db'), { dataDir: source, sync: false });
    const before = listing(folder);
    for (const target of [join(source, 'new'), join(source, 'member', 'new'), join(source, 'a', 'b')]) {
      await expect(restoreSnapshot(source, { dataDir: target })).rejects.toMatchObject({ code: 'USAGE', path: target });
      await expect(restoreSnapshot(source, { dataDir: join(folder, 'new'), walDir: target })).rejects.toMatchObject({
        code: 'USAGE',
        path: target,
      });
      await expect(restoreCluster(source, target)).rejects.toMatchObject({ code: 'USAGE' });
    }
    await expect(restoreSnapshot(source, { dataDir: source })).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(listing(folder)).toEqual(before);

    // Where directories above were missing the link was not followed, and the directory was taken to be elsewhere.
    symlinkSync('source', join(folder, 'link'));
    const within = listing(source);
    for (const target of ['new', 'a/new', 'a/b/c/new']) {
      const path = join(folder, 'link', target);
      await expect(restoreSnapshot(source, { dataDir: path })).rejects.toMatchObject({ code: 'USAGE', path });
    }
    expect(listing(source)).toEqual(within);
  });
});

describe('where it goes', () => {
  test('an empty directory is filled, and stays the directory that it was', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'snapshot.db'), SNAPSHOT);
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir, { mode: 0o750 });
    const { ino, mode } = statSync(dataDir);
    await restoreSnapshot(join(folder, 'snapshot.db'), { dataDir });
    expect(statSync(dataDir)).toMatchObject({ ino, mode });
    expect(readdirSync(dataDir)).toEqual(['member']);
    await checkDataDir(dataDir, '3.6');
  });

  test('a log elsewhere, below directories that are missing', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'snapshot.db'), SNAPSHOT);
    const [dataDir, walDir] = [join(folder, 'a', 'data'), join(folder, 'a', 'b', 'log')];
    const made = await restoreSnapshot(join(folder, 'snapshot.db'), { dataDir, walDir });
    expect(readdirSync(join(dataDir, 'member'))).toEqual(['snap']);
    expect(readdirSync(walDir)).toEqual(['0000000000000000-0000000000000000.wal']);
    expect(made.startCommand).toContain(` --wal-dir ${walDir} `);
    expect(made.files).toEqual([
      join(dataDir, 'member/snap/db'),
      join(dataDir, 'member/snap/0000000000000001-0000000000000001.snap'),
      join(walDir, '0000000000000000-0000000000000000.wal'),
    ]);
    for (const file of made.files) expect(existsSync(file), file).toBe(true);
    await checkDataDir(dataDir, '3.6', walDir);
    for (const inside of ['log', 'member/wal']) {
      const [data, log] = [join(folder, inside.replace('/', '-')), join(folder, inside.replace('/', '-'), inside)];
      const { files } = await restoreSnapshot(join(folder, 'snapshot.db'), { dataDir: data, walDir: log });
      expect(files.map((path) => readFileSync(path).length).every((length) => length > 0)).toBe(true);
      expect(files).toContain(join(log, '0000000000000000-0000000000000000.wal'));
      await checkDataDir(data, '3.6', log);
    }
  });

  test('a dry run tells the same, and makes nothing', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'snapshot.db'), SNAPSHOT);
    const options = { dataDir: join(folder, 'a', 'data'), bumpRevision: 'auto', etcdVersion: '3.5' } as const;
    const told = await restoreSnapshot(join(folder, 'snapshot.db'), { ...options, dryRun: true });
    expect(readdirSync(folder)).toEqual(['snapshot.db']);
    const made = await restoreSnapshot(join(folder, 'snapshot.db'), options);
    expect(told).toEqual({ ...made, dryRun: true });
    expect(made.bump).toEqual({ by: 1_000_000_000n, revision: 1_000_000_004n });
    expect(made.notes).toHaveLength(2);
  });
});
