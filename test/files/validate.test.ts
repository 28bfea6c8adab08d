// validate by path: marker, guard, lock and store as files, and what is written when.
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findMarker, writeExitCode, writeMarker } from '../../src/files/marker-file.ts';
import { type ValidateOptions, validate } from '../../src/files/validate.ts';
import { dataDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { damagedDataDir } from '../support/data-dir-recipes.ts';
import { buildLockHolder, startHolder } from '../support/lock-holder.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const OWN = 'etcd-datadir-run.json';
let volume: string;
let data: string;

beforeEach(() => {
  volume = temporaryDirectory();
  data = join(volume, 'new.etcd');
});

const makeHealthy = (): string => writeDataDir(dataDirFixture('3.5.33/fresh/m1'), data);
const read = (name: string): string => readFileSync(join(volume, name), 'utf8');
const write = (name: string, text: string): void => writeFileSync(join(volume, name), text);
const marker = (): Record<string, unknown> => JSON.parse(read(OWN)) as Record<string, unknown>;

/** Names, sizes, times and the beginning of everything on the volume: behind it segments are empty. */
function stateOf(folder = volume): Record<string, string> {
  const state: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name);
    const stat = statSync(path, { bigint: true });
    const sum = stat.isFile() ? createHash('sha1').update(beginningOf(path)).digest('hex') : '';
    state[name] = `${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ino} ${sum}`;
  }
  return state;
}

function beginningOf(path: string): Uint8Array {
  const descriptor = openSync(path, 'r');
  const bytes = Buffer.alloc(1 << 20);
  const length = readSync(descriptor, bytes);
  closeSync(descriptor);
  return bytes.subarray(0, length);
}

describe('nothing is written', () => {
  test('without the flags that allow it, in any mode and with any marker', async () => {
    makeHealthy();
    write('exit_code', 'terminated');
    const before = stateOf();
    for (const mode of ['auto', 'sanity', 'full', 'deep'] as const) {
      const report = await validate(data, { mode, guardValue: 'shoot--a', store: volume, replay: true });
      expect(report.marker.written).toEqual([]);
      expect(report.guard.state).toBe('missing');
    }
    expect(stateOf()).toEqual(before);
  });

  test('on a wrong volume, also with the flags', async () => {
    makeHealthy();
    write('safe_guard', 'shoot--b');
    const before = stateOf();
    const report = await validate(data, { guardValue: 'shoot--a', createGuard: true, updateMarker: true });
    expect(report).toMatchObject({ status: 'WrongVolumeMounted', recommendation: 'refuse' });
    expect(stateOf()).toEqual(before);
  });

  test('where there is no directory', async () => {
    const before = stateOf();
    const report = await validate(data, { updateMarker: true });
    expect(report).toMatchObject({ verdict: 'unreadable', status: 'DataDirectoryNotExist' });
    expect(stateOf()).toEqual(before);
  });

  test('into the data directory, whatever is named', async () => {
    makeHealthy();
    symlinkSync(join(data, 'member'), join(volume, 'link'));
    for (const place of [join(data, 'marker'), join(data, 'member/snap/m'), join(volume, 'link', 'm')]) {
      await expect(validate(data, { marker: place, updateMarker: true })).rejects.toMatchObject({ code: 'USAGE' });
      await expect(validate(data, { guard: place, guardValue: 'x', createGuard: true })).rejects.toMatchObject({
        code: 'USAGE',
      });
    }
  });

  test('over a file that is no marker', async () => {
    makeHealthy();
    write('notes', 'remember the milk!');
    await expect(validate(data, { marker: join(volume, 'notes'), updateMarker: true })).rejects.toMatchObject({
      code: 'USAGE',
    });
    expect(read('notes')).toBe('remember the milk!');
  });
});

describe('the mode', () => {
  const modeWith = async (options: ValidateOptions = {}) => {
    const { mode, modeReason, marker: state } = await validate(data, options);
    return { mode, modeReason, form: state.form, content: state.content };
  };

  test('comes from the files beside the directory, our own first', async () => {
    makeHealthy();
    expect(await modeWith()).toMatchObject({ mode: 'full', modeReason: 'no-marker', form: 'none' });
    write('validation_marker', '0\n');
    expect(await modeWith()).toMatchObject({ mode: 'sanity', form: 'numeric', content: '0' });
    write('exit_code', 'killed');
    expect(await modeWith()).toMatchObject({ mode: 'full', form: 'signal', content: 'killed' });
    writeMarker(data, 'clean', { exit: { status: 0 } });
    expect(await modeWith()).toEqual({ mode: 'sanity', modeReason: 'clean', form: 'run', content: 'clean' });
    write(OWN, '{');
    expect(await modeWith()).toMatchObject({ mode: 'full', modeReason: 'marker-unreadable' });
  });

  test('comes from the file that is named', async () => {
    makeHealthy();
    write('other', '143');
    expect(await modeWith({ marker: join(volume, 'other') })).toMatchObject({ mode: 'sanity', content: '143' });
    expect(await modeWith({ marker: join(volume, 'gone') })).toMatchObject({ mode: 'full', modeReason: 'no-marker' });
  });

  test('is the one that was asked for', async () => {
    makeHealthy();
    write('exit_code', 'terminated');
    expect(await modeWith({ mode: 'deep' })).toMatchObject({ mode: 'deep', modeReason: 'asked', form: 'not-read' });
  });

  test('a marker of a copied volume claims nothing', async () => {
    makeHealthy();
    writeMarker(data, 'clean');
    rmSync(data, { recursive: true });
    writeDataDir(dataDirFixture('3.5.33/busy/m1'), data);
    expect(await modeWith()).toMatchObject({ mode: 'full', modeReason: 'other-member' });
  });
});

describe('the marker of a run', () => {
  test('is written for the program that runs etcd', () => {
    makeHealthy();
    const first = writeMarker(data, 'running');
    expect(writeMarker(data, 'stopping')).toMatchObject({ state: 'stopping', runId: first.runId });
    const clean = writeMarker(data, 'clean', { exit: { signal: 'SIGTERM' } });
    expect(clean).toMatchObject({ state: 'clean', runId: first.runId, revision: 5n, exit: { signal: 'SIGTERM' } });
    expect(marker()).toMatchObject({ format: 1, state: 'clean', memberId: `${clean.memberId}`, revision: '5' });
    expect(statSync(join(volume, OWN)).mode & 0o777).toBe(0o600);
    expect(writeMarker(data, 'validating').runId).not.toBe(first.runId);
    expect(readdirSync(volume).sort()).toEqual([OWN, 'new.etcd']);
  });

  test('exit_code is written as etcd-wrapper writes it', () => {
    mkdirSync(data);
    writeExitCode(data, 'terminated');
    expect(read('exit_code')).toBe('terminated');
    expect(statSync(join(volume, 'exit_code')).mode & 0o777).toBe(0o600);
    expect(findMarker(data)).toMatchObject({ marker: { form: 'signal', signal: 'terminated' } });
  });
});

describe('--update-marker', () => {
  test('a full validation that succeeds leaves running: the next start is full again unless a run ends in order', async () => {
    makeHealthy();
    const report = await validate(data, { updateMarker: true });
    expect(report.marker.written).toEqual(['validating', 'running']);
    expect(marker()).toMatchObject({ state: 'running', memberId: report.raft.memberId });
    expect(await validate(data)).toMatchObject({ mode: 'full', modeReason: 'not-ended' });
  });

  test('one that is interrupted is repeated, whatever a signal handler wrote meanwhile', async () => {
    makeHealthy();
    const stop = new AbortController();
    const stopped = validate(data, { updateMarker: true, signal: stop.signal, onProgress: () => stop.abort() });
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
    expect(marker()).toMatchObject({ state: 'validating' });
    writeExitCode(data, 'terminated');
    expect(await validate(data)).toMatchObject({ mode: 'full', modeReason: 'validation-interrupted' });
    expect(await validate(data, { updateMarker: true })).toMatchObject({ mode: 'full', recommendation: 'start' });
    expect(marker()).toMatchObject({ state: 'running' });
  });

  test('one that fails is repeated too', async () => {
    writeDataDir(damagedDataDir('dir-wal-empty', '3.5.33'), data);
    expect(await validate(data, { updateMarker: true })).toMatchObject({ recommendation: 'keep-and-inspect' });
    expect(marker()).toMatchObject({ state: 'validating' });
    expect(await validate(data)).toMatchObject({ modeReason: 'validation-interrupted' });
  });

  test('a quick one uses the claim up', async () => {
    makeHealthy();
    writeMarker(data, 'clean');
    const report = await validate(data, { updateMarker: true });
    expect(report).toMatchObject({ mode: 'sanity', marker: { written: ['running'] } });
    expect(await validate(data)).toMatchObject({ mode: 'full', modeReason: 'not-ended' });
  });

  test('a numeric marker that was named is replaced', async () => {
    makeHealthy();
    write('other', '1\n');
    const path = join(volume, 'other');
    expect(await validate(data, { marker: path, updateMarker: true })).toMatchObject({ mode: 'full' });
    expect(JSON.parse(read('other'))).toMatchObject({ state: 'running' });
  });

  test('exit_code stays as etcd-wrapper wrote it, and goes on deciding', async () => {
    makeHealthy();
    const path = join(volume, 'exit_code');
    write('exit_code', 'killed');
    const report = await validate(data, { marker: path, updateMarker: true });
    expect(report).toMatchObject({ mode: 'full', marker: { written: ['validating', 'removed'] } });
    expect(read('exit_code')).toBe('killed');
    expect(existsSync(join(volume, OWN))).toBe(false);
    write('exit_code', 'terminated');
    expect(await validate(data, { marker: path, updateMarker: true })).toMatchObject({
      mode: 'sanity',
      marker: { written: [] },
    });
    writeMarker(data, 'validating');
    expect(await validate(data, { marker: path })).toMatchObject({ modeReason: 'validation-interrupted' });
  });
});

describe('the guard', () => {
  const guardWith = async (options: ValidateOptions) => (await validate(data, options)).guard;

  test('is compared byte for byte', async () => {
    makeHealthy();
    write('safe_guard', 'shoot--a');
    expect(await guardWith({ guardValue: 'shoot--a' })).toMatchObject({ state: 'equal' });
    for (const content of ['shoot--a\n', 'shoot--', 'Shoot--a', '']) {
      write('safe_guard', content);
      expect(await guardWith({ guardValue: 'shoot--a' })).toMatchObject({ state: 'different' });
    }
  });

  test('is skipped where no owner is named', async () => {
    makeHealthy();
    write('safe_guard', 'shoot--b');
    expect(await guardWith({})).toMatchObject({ state: 'skipped' });
    expect(await guardWith({ guardValue: '' })).toMatchObject({ state: 'skipped' });
  });

  test('is made only if it is missing and asked for, for its owner alone', async () => {
    makeHealthy();
    expect(await guardWith({ guardValue: 'shoot--a', createGuard: true })).toMatchObject({ state: 'created' });
    expect(read('safe_guard')).toBe('shoot--a');
    expect(statSync(join(volume, 'safe_guard')).mode & 0o777).toBe(0o600);
    const before = stateOf();
    expect(await guardWith({ guardValue: 'shoot--a', createGuard: true })).toMatchObject({ state: 'equal' });
    expect(await guardWith({ guardValue: 'shoot--b', createGuard: true })).toMatchObject({ state: 'different' });
    expect(stateOf()).toEqual(before);
  });

  test('that is no file cannot be read', async () => {
    makeHealthy();
    mkdirSync(join(volume, 'safe_guard'));
    expect(await validate(data, { guardValue: 'shoot--a' })).toMatchObject({
      guard: { state: 'unreadable' },
      status: 'WrongVolumeMounted',
    });
  });

  test('may have another name', async () => {
    makeHealthy();
    write('owner', 'x');
    expect(await guardWith({ guard: join(volume, 'owner'), guardValue: 'x' })).toMatchObject({ state: 'equal' });
  });
});

describe('a directory in use', () => {
  test('is refused at once, or waited for', async () => {
    makeHealthy();
    const holder = startHolder(await buildLockHolder(volume), join(data, 'member/snap/db'));
    await holder.opened;
    const before = stateOf(data);
    const refused = await validate(data, { updateMarker: true });
    expect(refused).toMatchObject({ verdict: 'in-use', status: 'FailToOpenBoltDBError', marker: { written: [] } });
    const waited = await validate(data, { lockTimeoutMs: 300 });
    expect(waited.verdict).toBe('in-use');
    expect(waited.steps.find(({ name }) => name === 'lock')).toMatchObject({ success: false });
    expect(waited.steps.find(({ name }) => name === 'lock')?.elapsedMs).toBeGreaterThanOrEqual(290);
    const waiting = validate(data, { lockTimeoutMs: 60_000 });
    await holder.close();
    expect(await waiting).toMatchObject({ verdict: 'healthy', recommendation: 'start' });
    expect(stateOf(data)).toEqual(before);
  });

  test('is not waited for any longer when the caller gives up', async () => {
    makeHealthy();
    const holder = startHolder(await buildLockHolder(volume), join(data, 'member/snap/db'));
    await holder.opened;
    const stop = new AbortController();
    const waiting = validate(data, { lockTimeoutMs: 60_000, signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('the store', () => {
  const addBackup = (name: string): void => {
    mkdirSync(join(volume, 'store/etcd-main/v2'), { recursive: true });
    write(`store/etcd-main/v2/${name}`, 'x');
  };

  test('decides whether the directory is stale', async () => {
    makeHealthy();
    const store = join(volume, 'store');
    addBackup('Full-00000000-00000003-1.gz');
    addBackup('Incr-00000004-00000005-2.gz');
    expect(await validate(data, { store })).toMatchObject({
      recommendation: 'start',
      revision: { effective: '5', store: '5', afterWalReplay: null },
      store: { state: 'found', deltas: 1 },
    });
    addBackup('Incr-00000006-00000053-3.gz');
    expect(await validate(data, { store })).toMatchObject({
      verdict: 'stale',
      recommendation: 'restore',
      status: 'RevisionConsistencyError',
      store: { revision: '53', restorable: '53' },
    });
  });

  test('that is not there leaves it undecided', async () => {
    makeHealthy();
    expect(await validate(data, { store: join(volume, 'gone') })).toMatchObject({
      verdict: 'undecided',
      recommendation: 'keep-and-inspect',
    });
  });
});

test('the time of every step is told', async () => {
  makeHealthy();
  const { steps } = await validate(data);
  expect(steps.map(({ name }) => name)).toEqual([
    'guard',
    'lock',
    'mode',
    'store',
    'structure',
    'content',
    'revision',
    'decision',
  ]);
  for (const { elapsedMs, success } of steps) {
    expect(success).toBe(true);
    expect(elapsedMs).toBeGreaterThanOrEqual(0);
  }
});

test('the log may lie elsewhere', async () => {
  makeHealthy();
  const walDir = join(volume, 'wal');
  mkdirSync(walDir);
  for (const name of readdirSync(join(data, 'member/wal'))) {
    symlinkSync(join(data, 'member/wal', name), join(walDir, name));
  }
  expect(await validate(data, { walDir })).toMatchObject({ verdict: 'healthy', recommendation: 'start' });
});
