/**
 * Whether a directory holds keys of the v2 API, which live in `.snap` files and in the log alone: a new snapshot has none of them.
 */
import { decodeEntryPayload } from '../../proto/entry-payload.ts';
import { listSnapFolder } from '../../snap/list.ts';
import { SnapReading } from '../../snap/reader.ts';
import { customContent } from '../../snap/v2-store.ts';
import type { Steps } from '../../wal/etcd/index.ts';
import type { DataDir } from '../data-dir.ts';
import { v2SettingOf } from '../replay/member-v2.ts';
import type { Tail } from '../replay/tail.ts';

const WRITES: ReadonlySet<string> = new Set(['PUT', 'POST', 'DELETE']);
/** Entries that are looked at in a step. */
const STEP_ENTRIES = 1024;

/** Looks at the newest `.snap` file, and at the entries behind the snapshot that a start begins with. */
export function* holdsV2Keys(dir: DataDir, { version, start, logEnd }: Tail): Steps<boolean> {
  if (yield* snapHoldsKeys(dir)) return true;
  let left = STEP_ENTRIES;
  for (const entry of dir.wal.entries({ after: start })) {
    if (entry.index > logEnd) break;
    const payload = decodeEntryPayload(entry);
    if (payload.kind === 'v2') {
      const { Method = '' } = payload.request as { Method?: string };
      if (WRITES.has(Method) && v2SettingOf(payload.request, version) === undefined) return true;
    }
    if (--left > 0) continue;
    left = STEP_ENTRIES;
    yield;
  }
  return false;
}

function* snapHoldsKeys(dir: DataDir): Steps<boolean> {
  const { items } = dir.files.snap;
  const [newest] = listSnapFolder(items.map(({ name }) => name)).snaps;
  const item = items.find(({ name }) => name === newest);
  if (item === undefined) return false;
  const source = item.open();
  try {
    const reading = new SnapReading(source);
    while (!reading.step()) yield;
    const store = reading.snap?.store;
    return store !== undefined && customContent(store).length > 0;
  } finally {
    source.close();
  }
}
