// Which call syncs what, and in what order a segment is cut.
import { describe, expect, test } from 'vitest';
import { createWal, openWal, type WalWriter } from '../../../src/wal/writer.ts';
import { type RecordingDirectory, recordingDirectory } from '../../support/wal-writer-directory.ts';

const OPTIONS = { etcdVersion: '3.6', segmentSize: 4096 } as const;
const FIRST = '0000000000000000-0000000000000000.wal';
const MEMBERS = { voters: [1n], learners: [], votersOutgoing: [], learnersNext: [] };

/** What happens during `action`, in words. */
function during(directory: RecordingDirectory, action: () => void): string[] {
  const before = directory.events.length;
  action();
  return directory.events.slice(before).map((event) => {
    if (event.kind === 'write') return `write ${event.offset}+${event.bytes.length}`;
    if (event.kind === 'truncate') return `truncate ${event.size}`;
    if (event.kind === 'rename') return `rename ${event.from} ${event.to}`;
    return event.kind === 'create' ? `create ${event.name}` : event.kind;
  });
}

function newLog(options: { noSync?: boolean } = {}): { directory: RecordingDirectory; log: WalWriter } {
  const directory = recordingDirectory();
  return { directory, log: createWal(directory, { nodeId: 1n, clusterId: 2n }, { ...OPTIONS, ...options }) };
}

const entry = (index: bigint, size = 10) => ({ term: 1n, index, data: new Uint8Array(size) });

describe('syncs', () => {
  test('a new log: its size, its head, its name', () => {
    const directory = recordingDirectory();
    const words = during(directory, () => void createWal(directory, { nodeId: 1n, clusterId: 2n }, OPTIONS));
    expect(words).toEqual([`create ${FIRST}`, 'truncate 4096', 'sync', 'write 0+64', 'sync', 'sync-directory']);
  });

  test('entries are synced, also without a state', () => {
    const { directory, log } = newLog();
    expect(during(directory, () => log.save(undefined, [entry(1n)]))).toEqual(['write 64+40', 'sync']);
  });

  test('a new term or vote is synced, a new commit index alone is not even written', () => {
    const { directory, log } = newLog();
    expect(during(directory, () => log.save({ term: 1n, commit: 0n }))).toEqual(['write 64+24', 'sync']);
    expect(during(directory, () => log.save({ term: 1n, vote: 1n }))).toEqual(['write 88+24', 'sync']);
    expect(during(directory, () => log.save({ term: 1n, vote: 1n, commit: 1n }))).toEqual([]);
    expect(during(directory, () => log.save({ term: 2n, vote: 1n, commit: 1n }))).toEqual(['write 112+48', 'sync']);
  });

  test('nothing to save is nothing done', () => {
    const { directory, log } = newLog();
    expect(during(directory, () => log.save(undefined))).toEqual([]);
    expect(during(directory, () => log.save({ term: 0n }, []))).toEqual([]);
  });

  test('the state that decides is the last one saved by this writer', () => {
    const { directory, log } = newLog();
    log.save({ term: 3n, vote: 1n, commit: 1n });
    log.close();
    const again = openWal(directory, OPTIONS);
    // As with etcd: what was read does not count.
    expect(during(directory, () => again.save({ term: 3n, vote: 1n, commit: 2n }))).toEqual(['write 88+24', 'sync']);
    expect(during(directory, () => again.save({ term: 3n, vote: 1n, commit: 3n }))).toEqual([]);
  });

  test('a snapshot is synced, with what was waiting', () => {
    const { directory, log } = newLog();
    log.save({ term: 1n, vote: 1n, commit: 1n });
    log.save({ term: 1n, vote: 1n, commit: 2n });
    const words = during(directory, () => log.saveSnapshot({ index: 2n, term: 1n, confState: MEMBERS }));
    expect(words).toEqual(['write 88+56', 'sync']);
  });

  test('sync and close write what was waiting', () => {
    const { directory, log } = newLog();
    log.save({ term: 1n, vote: 1n, commit: 1n });
    log.save({ term: 1n, vote: 1n, commit: 2n });
    expect(during(directory, () => log.sync())).toEqual(['write 88+24', 'sync']);
    log.save({ term: 1n, vote: 1n, commit: 3n });
    expect(during(directory, () => log.close())).toEqual(['write 112+24', 'sync']);
    expect(during(directory, () => log.close())).toEqual([]);
  });

  test('with noSync there are none but those of changed sizes', () => {
    const { directory, log } = newLog({ noSync: true });
    log.save({ term: 1n, vote: 1n, commit: 1n }, [entry(1n)]);
    log.cut();
    log.close();
    const kinds = directory.events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'sync-directory')).toEqual([]);
    expect(kinds.filter((kind) => kind === 'sync').length).toBe(kinds.filter((kind) => kind === 'truncate').length);
  });
});

describe('a cut', () => {
  const NEXT = '0000000000000001-0000000000000002.wal';
  const HEAD = [
    'create 0.tmp',
    'truncate 4096',
    'sync',
    'write 0+64',
    'sync',
    `rename 0.tmp ${NEXT}`,
    'sync-directory',
  ];

  test('ends the segment, makes the next one whole under another name, then gives it its own', () => {
    const { directory, log } = newLog();
    log.save({ term: 1n, vote: 1n, commit: 1n }, [entry(1n)]);
    log.save({ term: 1n, vote: 1n, commit: 2n });
    expect(during(directory, () => log.cut())).toEqual(['write 128+24', 'truncate 152', 'sync', ...HEAD]);
    expect([log.segment, log.position]).toEqual([NEXT, 64]);
  });

  test('comes by itself after the save that has filled the segment', () => {
    const { directory, log } = newLog();
    // What is still in the buffer when a save looks does not count.
    expect(during(directory, () => log.save(undefined, [entry(1n, 5000)]))).toEqual(['write 64+5032', 'sync']);
    const words = during(directory, () => log.save({ term: 1n, vote: 1n, commit: 1n }));
    expect(words).toEqual(['write 5096+24', 'truncate 5120', 'sync', ...HEAD]);
  });

  test('leaves out the state when none was saved', () => {
    const { directory, log } = newLog();
    expect(during(directory, () => log.cut())).toContain('write 0+40');
    expect(directory.list()).toEqual([FIRST, '0000000000000001-0000000000000001.wal']);
  });

  test('empties what a crash has left under the other name', () => {
    const { directory, log } = newLog();
    const stale = directory.create('0.tmp');
    stale.write(0, new Uint8Array(6000).fill(0xee));
    const words = during(directory, () => log.cut());
    expect(words.slice(2, 6)).toEqual(['truncate 0', 'sync', 'truncate 4096', 'sync']);
    const file = directory.files().get('0000000000000001-0000000000000001.wal');
    expect(file?.length).toBe(4096);
    expect(file?.subarray(log.position).every((byte) => byte === 0)).toBe(true);
  });
});
