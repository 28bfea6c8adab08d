import { copyFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { explain } from '../../src/files/explain.ts';
import { dataDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './run.ts';

const NEWEST = '0000000000000002-000000000000012f.snap';

/** A directory on disk, a copy of a stored one. */
function directory(name = '3.6.14/busy/m1'): string {
  return writeDataDir(dataDirFixture(name), join(temporaryDirectory(), 'data'));
}

interface Told {
  readonly schema: number;
  readonly verdict: string;
  readonly etcdVersion: string;
  readonly starts: readonly { readonly version: string; readonly outcome: string; readonly causes: string[] }[];
}

async function told(...args: string[]): Promise<Told & { readonly code: number }> {
  const { code, stdout } = await run(['explain', '--json', ...args]);
  return { ...(JSON.parse(stdout) as Told), code };
}

describe('explain DIR', () => {
  it('tells it for all releases; the exit code is about that of the directory', async () => {
    const { code, starts, verdict, etcdVersion, schema } = await told(directory());
    expect({ code, verdict, etcdVersion, schema }).toEqual({
      code: 0,
      verdict: 'healthy',
      etcdVersion: '3.6',
      schema: 1,
    });
    expect(starts.map(({ version, outcome }) => [version, outcome])).toEqual([
      ['3.4', 'refuses'],
      ['3.5', 'refuses'],
      ['3.6', 'starts'],
      ['3.7', 'starts'],
    ]);
  });

  it('tells it for one release with --etcd-version, which the exit code is about then', async () => {
    const { code, starts } = await told(directory(), '--etcd-version', '3.5');
    expect(code).toBe(1);
    expect(starts).toMatchObject([{ version: '3.5', causes: ['BACKEND_CLUSTER_VERSION_NEWER'] }]);
  });

  it('in plain words', async () => {
    const path = directory();
    writeFileSync(join(path, 'member/snap', NEWEST), '');
    const { code, stdout } = await run(['explain', path]);
    expect(code).toBe(0);
    expect(stdout).toContain(`the check of level full says: REPAIRABLE`);
    expect(stdout).toContain(`  - cannot read ${NEWEST}, and renames it to ${NEWEST}.broken\n`);
    expect(stdout).toContain('etcd 3.6 (the release of this directory): STARTS\n');
    expect(stdout).toContain('[SNAP_EMPTY]\n');
  });

  it('a db cut short: 1, and the words of the server', async () => {
    const path = directory();
    truncateSync(join(path, 'member/snap/db'), 4096);
    const { code, stdout } = await run(['explain', path, '--etcd-version', '3.6']);
    expect(code).toBe(1);
    expect(stdout).toContain(
      '  - says: failed to open database {"path":"member/snap/db","error":"file size too small 4096"}\n',
    );
    expect(stdout).toContain('[BOLT_FILE_TOO_SMALL]\n');
  });

  it('finds the log elsewhere with --wal-dir', async () => {
    const path = directory();
    const walDir = join(temporaryDirectory(), 'log');
    renameSync(join(path, 'member/wal'), walDir);
    expect(await told(path)).toMatchObject({ code: 1, starts: [{}, {}, { outcome: 'hangs' }, {}] });
    expect(await told(path, '--wal-dir', walDir)).toMatchObject({
      code: 0,
      starts: [{}, {}, { outcome: 'starts' }, {}],
    });
  });

  it('looks at records with --level deep', async () => {
    const { code, stdout } = await run(['explain', directory(), '--level', 'deep']);
    expect(code).toBe(0);
    expect(stdout).not.toContain('was not looked at');
  });

  it('an empty directory: a new member is made, and nothing of an old one is there', async () => {
    const path = temporaryDirectory();
    const { code, stdout } = await run(['explain', path]);
    expect(code).toBe(1);
    expect(stdout).toContain('BEGINS ANEW: it makes a new member');
  });

  it('a file where a folder should be', async () => {
    const path = directory();
    rmSync(join(path, 'member/snap'), { recursive: true });
    writeFileSync(join(path, 'member/snap'), '');
    expect(await told(path)).toMatchObject({ code: 1, starts: [{}, {}, { outcome: 'refuses' }, {}] });
  });

  it.each(['nothing there', 'a file'])('%s: 3', async (what) => {
    const path = join(temporaryDirectory(), 'x');
    if (what === 'a file') writeFileSync(path, 'x');
    const { code, stdout } = await run(['explain', '--json', path]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 1, error: { code: expect.any(String) } });
  });

  it('other levels are wrong usage', async () => {
    expect((await run(['explain', 'x', '--level', 'sanity'])).code).toBe(2);
  });
});

describe('explain()', () => {
  it('gives the release of the directory, what it does, and the report', async () => {
    const path = directory();
    const explanation = await explain(path);
    expect(explanation).toMatchObject({ path, etcdVersion: '3.6', start: { version: '3.6', outcome: 'starts' } });
    expect(explanation.starts).toHaveLength(4);
    expect(explanation.report).toMatchObject({ kind: 'data-dir', level: 'full' });
  });

  it('can be stopped', async () => {
    const error = await explain(directory(), { signal: AbortSignal.abort() }).catch((thrown: unknown) => thrown);
    expect(isDatadirError(error, 'ABORTED')).toBe(true);
  });

  it('takes a db that was received from a leader into account', async () => {
    const path = directory();
    const snap = join(path, 'member/snap');
    mkdirSync(join(path, 'aside'));
    copyFileSync(join(snap, 'db'), join(snap, '000000000000012f.snap.db'));
    renameSync(join(snap, 'db'), join(path, 'aside/db'));
    expect(await explain(path)).toMatchObject({
      start: { outcome: 'starts', replacesDb: '000000000000012f.snap.db', applies: { first: '304', last: '380' } },
    });
  });
});
