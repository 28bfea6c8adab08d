/**
 * Replays of directories with changed bytes: an answer or one of our errors, and never an end that is not in the log.
 */
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { openDataDir } from '../../../src/datadir/data-dir.ts';
import { ReplayJob } from '../../../src/datadir/replay/replay-job.ts';
import { WriteReplayedJob } from '../../../src/datadir/replay/write-db.ts';
import { isDatadirError } from '../../../src/errors.ts';
import { ETCD_MINORS } from '../../../src/etcd-version.ts';
import { drain } from '../../../src/io/job.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { put as putPair, uint64 } from '../../support/backend-db.ts';
import { copyContent, type DirContent, memoryDir, plainFile } from '../../support/data-dir-fixtures.ts';
import { emptyEntry, state } from '../../support/small-log.ts';
import { change, OTHERS, put, request, SELF, smallContent, v2Request } from './small-dir.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const txn = {
  compare: [{ key: utf8('a'), target: 0, result: 0, version: 1n }],
  success: [{ request_put: { key: utf8('b'), value: utf8('2'), lease: 7n } }, { request_txn: { success: [] } }],
};
const content: DirContent = await smallContent({
  consistentIndex: 2n,
  buckets: {
    key: [putPair(2, 0, { key: 'a' }), putPair(3, 0, { key: 'b', lease: 7 })],
    lease: [[uint64(7n), Uint8Array.from([8, 7, 16, 60])]],
  },
  records: [
    change(1n, 1n, 'add', SELF),
    emptyEntry(2n, 2n),
    put(2n, 3n, 'a'),
    request(2n, 4n, { txn }),
    request(2n, 5n, { lease_grant: { ID: 9n, TTL: 60n } }),
    request(2n, 6n, { auth_role_add: { name: 'r' } }),
    change(2n, 7n, 'add-learner', OTHERS[0]),
    request(2n, 8n, { compaction: { revision: 3n } }),
    v2Request(2n, 9n, 'PUT', '/0/version', '3.6.0'),
    request(2n, 10n, { alarm: { action: 1, memberID: SELF, alarm: 1 } }),
    request(2n, 11n, { lease_revoke: { ID: 7n } }),
    state(2n, SELF, 11n),
  ],
});
const paths = [...content.files.keys()];

test.prop(
  [
    fc.array(fc.tuple(fc.constantFrom(...paths), fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }),
    fc.constantFrom(...ETCD_MINORS),
    fc.option(fc.nat()),
  ],
  { numRuns: 60 },
)('any bytes in, an answer out', (changes, etcdVersion, cut) => {
  const changed = copyContent(content);
  for (const [path, place, byte] of changes) {
    const bytes = changed.files.get(path)!.bytes.slice();
    bytes[place % bytes.length] = byte;
    changed.files.set(path, plainFile(cut === null ? bytes : bytes.subarray(0, cut % (bytes.length + 1))));
  }
  try {
    const replayed = drain(new ReplayJob(openDataDir(memoryDir(changed)), { etcdVersion }));
    expect(replayed.tail.last).toBeLessThanOrEqual(11n > replayed.tail.first - 1n ? 11n : replayed.tail.first - 1n);
    expect(drain(new WriteReplayedJob(replayed, memoryFile())).buckets).toBeGreaterThanOrEqual(10);
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    expect(['INTERNAL', 'PROTO_INVALID']).not.toContain(error.code);
  }
});
