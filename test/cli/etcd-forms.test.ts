/**
 * `-w simple|json|fields|table` of the commands against what etcdctl and etcdutl printed of the same data, byte for byte.
 *
 * The recorded server had been started once more on a copy of the data directory, so its term is one more than that of the log.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { type EtcdRecording, etcdRecordings } from '../support/etcd-recordings.ts';
import { readFixture } from '../support/fixtures.ts';
import { logFixture, unpack } from '../support/log-fixtures.ts';
import { run } from './run.ts';
import { workFolder } from './work-files.ts';

const FORMS = ['simple', 'json', 'fields', 'table'] as const;
const recordings = etcdRecordings().filter((recording) => recording.has('forms/status-json.txt'));

const folder = workFolder();
const made = new Set<string>();

/** A snapshot file of the recorded server. */
function snapshotFile({ name }: EtcdRecording): string {
  const path = join(folder, `${name.replace('/', '-')}-snapshot.db`);
  if (!made.has(path)) writeFileSync(path, readFixture(`etcd/${name}/snapshot`));
  made.add(path);
  return path;
}

/** Its data directory. */
function dataDirectory({ name }: EtcdRecording): string {
  const path = join(folder, name.replace('/', '-'));
  if (!made.has(path)) {
    unpack(logFixture(`${name}/m1`), path);
    writeFileSync(join(path, 'member', 'snap', 'db'), readFixture(`etcd/${name}/m1`));
  }
  made.add(path);
  return path;
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Standard output; JSON without the fields that stand behind those of etcd. */
async function printed(args: readonly string[], minor: EtcdMinor, form: string, expected: string): Promise<string> {
  const { code, bytes } = await run([...args, '-w', form, '--etcd-version', minor]);
  expect(code).toBe(0);
  const text = latin1(bytes);
  const known = expected.replace(/\}\n$/, '');
  if (form !== 'json' || !text.startsWith(`${known},`)) return text;
  expect(JSON.parse(text)).toBeTypeOf('object');
  return expected;
}

describe.each(recordings)('$name', (recording) => {
  const { minor } = recording;
  const words = (name: string): string => latin1(recording.words(`forms/${name}.txt`).bytes);
  /** With the term that the log has. */
  const atRest = (name: string): string => words(name).replace(/("raft_term":|"RaftTerm" : )3/, '$12');

  test.each(FORMS)('status -w %s', async (form) => {
    let expected = words(`status-${form}`);
    if (form === 'json' && (minor === '3.4' || minor === '3.5')) {
      // Keys are live keys in JSON, and there is always a version.
      const { totalKey, records } = JSON.parse((await run(['status', snapshotFile(recording), '--json'])).stdout);
      expect(expected).toContain(`"totalKey":${records},`);
      expected = expected.replace(`"totalKey":${records},`, `"totalKey":${totalKey},`).replace('}', ',"version":""}');
    }
    expect(await printed(['status', snapshotFile(recording)], minor, form, expected)).toBe(expected);
  });

  test.each(FORMS)('hashkv -w %s', async (form) => {
    const expected = words(`hashkv-${form}`);
    const printer = recording.scenario === 'fresh' ? minor : '3.7';
    expect(await printed(['hashkv', snapshotFile(recording)], printer, form, expected)).toBe(expected);
  });

  test.each(FORMS)('members -w %s', async (form) => {
    const expected = atRest(`member-list-${form}`);
    expect(await printed(['members', dataDirectory(recording)], minor, form, expected)).toBe(expected);
  });

  describe.each([
    ['get-leased', ['/leased/', '--prefix']],
    ['get-three', ['', '--from-key', '--limit', '3']],
    ['get-keys-only', ['/txn/', '--prefix', '--keys-only']],
    ['get-missing', ['/no/such/key']],
  ])('%s', (name, args) => {
    test.each(['simple', 'json', 'fields'])('-w %s', async (form) => {
      const expected = atRest(`${name}-${form}`);
      expect(await printed(['get', dataDirectory(recording), ...args], minor, form, expected)).toBe(expected);
    });

    test('-w table', async () => {
      const { code, stdout, stderr } = await run(['get', dataDirectory(recording), ...args, '-w', 'table']);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(words(`${name}-table`).replace(/^Error: |\n/g, ''));
    });
  });
});

test('a db does not tell whose it is', async () => {
  const recording = recordings[0] as EtcdRecording;
  const { stdout } = await run(['members', snapshotFile(recording), '-w', 'json']);
  expect(stdout).toMatch(/^\{"header":\{\},"members":\[\{"ID":13856426395957466640,/);
  const fields = await run(['members', snapshotFile(recording), '-w', 'fields']);
  expect(fields.stdout).toMatch(/^"ClusterID" : 0\n"MemberID" : 0\n"RaftTerm" : 0\n/);
});

test.each(['status', 'hashkv', 'members'])('%s --json is -w json', async (command) => {
  const path = snapshotFile(recordings[0] as EtcdRecording);
  const [short, long] = [await run([command, path, '--json']), await run([command, path, '-w', 'json'])];
  expect(short.code).toBe(0);
  expect(long.stdout).toBe(short.stdout);
});
