// Whatever bytes are in a directory, a validation comes to an end with a report, also where it has to apply the log.
import { fc, test as property } from '@fast-check/vitest';
import { expect } from 'vitest';
import { copyContent, DB_PATH, dataDirContent, memoryDir, plainFile } from '../../support/data-dir-fixtures.ts';
import { storeAt, validateFiles } from './situation.ts';

const WHOLE = dataDirContent('3.5.33/nested/m1');
const SEGMENT = [...WHOLE.files.keys()].find((path) => path.endsWith('.wal')) as string;
const LOG = (WHOLE.files.get(SEGMENT)?.bytes ?? new Uint8Array()).slice();
// The 64 MB of zeros that etcd makes room with only cost time here.
WHOLE.files.set(SEGMENT, { bytes: LOG, size: LOG.length + 65_536 });

/** Where, as a part of the file, and what is written there. */
const changes = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.uint8Array({ minLength: 1, maxLength: 16 })),
  {
    minLength: 1,
    maxLength: 3,
  },
);

property.prop([fc.constantFrom(DB_PATH, SEGMENT), changes, fc.constantFrom('sanity', 'full', 'deep')], { numRuns: 12 })(
  'changed bytes',
  (path, writes, mode) => {
    const content = copyContent(WHOLE);
    const file = content.files.get(path);
    const bytes = (file?.bytes ?? new Uint8Array()).slice();
    for (const [place, written] of writes) bytes.set(written, Math.floor(place * (bytes.length - written.length)));
    content.files.set(path, path === DB_PATH ? plainFile(bytes) : { bytes, size: LOG.length + 65_536 });
    const report = validateFiles(memoryDir(content), { mode, store: storeAt(10_000) }, { replay: true });
    // Older than its backups in any case: nothing but a person may decide to start it.
    expect(['restore', 'keep-and-inspect', 'refuse']).toContain(report.recommendation);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  },
);
