/**
 * `snapshot DIR OUT`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBackend } from '../../src/backend/check.ts';
import { isDatadirError } from '../../src/errors.ts';
import { replayWal, snapshotFromDataDir } from '../../src/files/replay-to-file.ts';
import { change, OTHERS, put, SELF, smallContent, v2Request } from '../datadir/replay/small-dir.ts';
import {
  copyContent,
  dataDirContent,
  dataDirFixture,
  memoryDir,
  plainFile,
  writeDataDir,
} from '../support/data-dir-fixtures.ts';
import { emptyEntry, state } from '../support/small-log.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './run.ts';

const CRASH = '3.6.14/crash/m1';

/** A directory on disk, and a path for the new file. */
function stored(name = CRASH): { dir: string; out: string } {
  const folder = temporaryDirectory();
  return { dir: writeDataDir(dataDirFixture(name), join(folder, 'data')), out: join(folder, 'out.db') };
}

async function small(plan: Parameters<typeof smallContent>[0]): Promise<{ dir: string; out: string }> {
  const folder = temporaryDirectory();
  return { dir: writeDataDir(memoryDir(await smallContent(plan)), join(folder, 'data')), out: join(folder, 'out.db') };
}

const START = [change(1n, 1n, 'add', SELF), emptyEntry(2n, 2n)];

describe('the result', () => {
  test('for people: where it is, its revision, and what was applied', async () => {
    const { dir, out } = stored();
    const { code, stdout, stderr } = await run(['snapshot', dir, out]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const sha256 = Buffer.from(readFileSync(out).subarray(-32)).toString('hex');
    const size = statSync(out).size.toLocaleString('en');
    expect(stdout.split('\n')).toEqual([
      'DONE: the snapshot was written',
      `${dir} -> ${out}`,
      'revision:  442 (the db has 438)',
      'begins as: the db of the directory',
      'entries:   4 applied (463 to 466), as etcd 3.6 does',
      expect.stringContaining(`size:      ${size} bytes`),
      `sha256:    ${sha256}`,
      '',
    ]);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(statSync(out).size % 512).toBe(32);
    expect(checkBackend(readFileSync(out), { snapshot: true }).verdict).toBe('healthy');
  });

  test('as JSON', async () => {
    const { dir, out } = stored();
    const { code, stdout } = await run(['snapshot', dir, '-o', out, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      path: out,
      size: statSync(out).size,
      sha256: readFileSync(out).subarray(-32).toString('hex'),
      etcdVersion: '3.6',
      base: 'db',
      revision: { db: '438', afterReplay: '442' },
      entries: { from: '463', to: '466', replayed: '4', notCommitted: '0' },
      loneVoter: true,
      stoppedAt: null,
      findings: [],
    });
  });

  test('--tail committed takes no more than the stored commit, and tells', async () => {
    const { dir, out } = stored();
    const { code, stdout } = await run(['snapshot', dir, out, '--tail', 'committed', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      revision: { afterReplay: '440' },
      entries: { to: '464', replayed: '2', notCommitted: '2' },
      findings: [{ code: 'REPLAY_NOT_COMMITTED', severity: 'info' }],
    });
  });

  test('the log may lie elsewhere', async () => {
    const { dir, out } = stored();
    const elsewhere = stored().dir;
    rmSync(join(dir, 'member', 'wal'), { recursive: true });
    const { code, stdout } = await run(['snapshot', dir, out, '--wal-dir', join(elsewhere, 'member', 'wal'), '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ revision: { afterReplay: '442' } });
  });

  test('from the log alone, with or without a db', async () => {
    const { dir, out } = stored();
    const { code, stdout } = await run(['snapshot', dir, out, '--without-db', '--json']);
    expect(code).toBe(0);
    const rebuilt = JSON.parse(stdout);
    expect(rebuilt).toMatchObject({
      base: 'none',
      revision: { db: '1', afterReplay: '442' },
      entries: { from: '1', to: '466' },
    });
    rmSync(join(dir, 'member', 'snap', 'db'));
    rmSync(out);
    const again = JSON.parse((await run(['snapshot', dir, out, '--json'])).stdout);
    expect(again).toMatchObject({ ...rebuilt, findings: [{ code: 'REPLAY_REBUILT', severity: 'repairable' }] });
  });
});

describe('what ends with 1', () => {
  test('a panic of the release; the file has what came before', async () => {
    const records = [...START, put(2n, 3n, 'a'), v2Request(2n, 4n, 'QGET', ''), put(2n, 5n, 'b'), state(2n, SELF, 5n)];
    const { dir, out } = await small({ consistentIndex: 2n, records });
    const { code, stdout } = await run(['snapshot', dir, out]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^DONE UP TO A PANIC: etcd 3\.6 ends there\n/);
    expect(stdout).toMatch(/entries: {3}1 applied \(3 to 3\)(?:.*\n)*refuse: .*etcd 3\.6 panics at entry 4/);
    expect(checkBackend(readFileSync(out), { snapshot: true }).verdict).toBe('healthy');
    rmSync(out);
    expect((await run(['snapshot', dir, out, '--etcd-version', '3.5'])).code).toBe(0);
  });

  test('a log that has lost committed entries', async () => {
    const { dir, out } = await small({ consistentIndex: 9n, records: [...START, state(2n, SELF, 2n)] });
    const { code, stdout } = await run(['snapshot', dir, out, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings.map((each: { code: string }) => each.code)).toContain('REPLAY_LOG_BEHIND');
    expect(existsSync(out)).toBe(true);
  });

  test('nothing to begin with: nothing is written', async () => {
    const content = copyContent(dataDirContent('3.6.14/segments/m1'));
    content.files.delete('member/snap/db');
    for (const name of [...content.files.keys()]) if (/-0000000000000000\.wal$/.test(name)) content.files.delete(name);
    const folder = temporaryDirectory();
    const dir = writeDataDir(memoryDir(content), join(folder, 'data'));
    const out = join(folder, 'out.db');
    const { code, stdout, stderr } = await run(['snapshot', dir, out, '--json']);
    expect({ code, stdout: JSON.parse(stdout) }).toMatchObject({
      code: 1,
      stdout: { error: { code: 'REPLAY_REFUSED' } },
    });
    expect(stderr).toMatch(/cannot be replayed: .*restore the member from a backup/);
    expect(readdirSync(folder)).toEqual(['data']);
  });

  test('a damaged db, with its findings', async () => {
    const content = copyContent(dataDirContent(CRASH));
    const db = content.files.get('member/snap/db')!.bytes.slice();
    // One page of the middle: the way to the small buckets is whole.
    db.fill(0xff, 60 * 4096, 61 * 4096);
    content.files.set('member/snap/db', plainFile(db));
    const folder = temporaryDirectory();
    const dir = writeDataDir(memoryDir(content), join(folder, 'data'));
    const { code, stdout } = await run(['snapshot', dir, join(folder, 'out.db'), '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'BOLT_SOURCE_DAMAGED' }, check: { verdict: 'damaged' } });
    expect(readdirSync(folder)).toEqual(['data']);
  });
});

describe('what cannot be done', () => {
  test('nothing is written into the directory itself', async () => {
    const { dir } = stored();
    const before = readdirSync(dir, { recursive: true }).sort();
    for (const out of ['out.db', 'member/out.db', 'member/wal/../snap/out.db']) {
      const { code, stderr } = await run(['snapshot', dir, join(dir, out)]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('lies in the data directory') });
    }
    expect(readdirSync(dir, { recursive: true }).sort()).toEqual(before);
  });

  test('a file that is there already is not touched', async () => {
    const { dir, out } = stored();
    writeFileSync(out, 'mine');
    expect((await run(['snapshot', dir, out])).code).toBe(3);
    expect(readFileSync(out, 'utf8')).toBe('mine');
  });

  test.each([
    ['no such directory', (folder: string) => join(folder, 'none'), 3],
    [
      'no data directory',
      (folder: string) => {
        mkdirSync(join(folder, 'empty'));
        return join(folder, 'empty');
      },
      3,
    ],
    [
      'no directory',
      (folder: string) => {
        writeFileSync(join(folder, 'file'), 'x');
        return join(folder, 'file');
      },
      3,
    ],
  ])('%s', async (_, make, expected) => {
    const folder = temporaryDirectory();
    const { code } = await run(['snapshot', make(folder), join(folder, 'out.db')]);
    expect(code).toBe(expected);
    expect(existsSync(join(folder, 'out.db'))).toBe(false);
  });

  test('without OUT, or with two of it, the command line is wrong', async () => {
    expect((await run(['snapshot', 'data'])).code).toBe(2);
    expect((await run(['snapshot', 'data', 'a', '--output', 'b'])).code).toBe(2);
    expect((await run(['snapshot', 'data', 'a', '--tail', 'most'])).code).toBe(2);
  });

  test('an interrupt leaves nothing behind', async () => {
    const { dir, out } = stored();
    const { code } = await run(['snapshot', dir, out], { signal: AbortSignal.abort() });
    expect(code).not.toBe(0);
    expect(readdirSync(join(out, '..'))).toEqual(['data']);
  });
});

describe('in the library', () => {
  test('replayWal writes a plain db, snapshotFromDataDir one with a sha256; both from a path', async () => {
    const { dir, out } = stored('3.7.1/nested/m1');
    const plain = await replayWal(dir, `${out}.plain`);
    const snapshot = await snapshotFromDataDir(dir, out);
    const { sha256, ...rest } = snapshot;
    expect({ ...plain, path: '', size: 0 }).toEqual({ ...rest, path: '', size: 0 });
    expect(snapshot.size).toBe(plain.size + 32);
    expect(
      readFileSync(out)
        .subarray(0, -32)
        .equals(readFileSync(`${out}.plain`)),
    ).toBe(true);
    expect(sha256).toBe(readFileSync(out).subarray(-32).toString('hex'));
  });

  test('one of several members keeps what is committed; all is taken if asked for', async () => {
    const [second] = OTHERS;
    const records = [START[0]!, change(1n, 2n, 'add', second), put(2n, 3n, 'a'), state(2n, SELF, 3n), put(2n, 4n, 'b')];
    const { dir, out } = await small({ consistentIndex: 2n, records, members: [[SELF], [second]] });
    const some = await replayWal(dir, out);
    expect(some).toMatchObject({ revision: { afterReplay: 2n }, entries: { notCommitted: 1n }, loneVoter: false });
    const all = await replayWal(dir, `${out}.all`, { tail: 'all' });
    expect(all).toMatchObject({ revision: { afterReplay: 3n }, entries: { to: 4n, notCommitted: 1n } });
  });

  test('it can be stopped, and then there is nothing', async () => {
    const { dir, out } = stored();
    const stopped = await replayWal(dir, out, { signal: AbortSignal.abort() }).catch((error: unknown) => error);
    expect(isDatadirError(stopped, 'ABORTED')).toBe(true);
    expect(readdirSync(join(out, '..'))).toEqual(['data']);
  });
});
