/**
 * Opens the PATH of a `wal` command for reading.
 */
import { DatadirError } from '../errors.ts';
import { openWalFolder } from '../files/wal-folder.ts';
import { Wal } from '../wal/reader.ts';
import { parseSegmentNameAsEtcd, segmentName } from '../wal/segment-name.ts';
import type { Invocation } from './command.ts';

/** A log, and what its segments are called. */
export interface OpenedWal {
  readonly wal: Wal;
  readonly directory: string;
  /** The name of the file that the log knows as `segment`. */
  nameOf(segment: string): string;
}

/** Opens the log at PATH and closes it whatever happens. */
export async function withWal(
  { positionals, note }: Invocation,
  use: (opened: OpenedWal) => Promise<number>,
): Promise<number> {
  const path = positionals[0] ?? '';
  const { files, directory, inUse, close } = openWalFolder(path);
  try {
    if (inUse) note('an etcd is writing to this log: its last records may be there in part');
    return await use({ ...readable(path, files.segments), directory });
  } finally {
    close();
  }
}

/** A file that was given itself is read whatever its name is, such as the copies that etcd's repair leaves behind. */
function readable(
  path: string,
  segments: ConstructorParameters<typeof Wal>[0]['segments'],
): Omit<OpenedWal, 'directory'> {
  const [only] = segments;
  if (only !== undefined && path.endsWith(only.name) && parseSegmentNameAsEtcd(only.name) === undefined) {
    const assumed = segmentName(0n, 0n);
    return { wal: new Wal({ segments: [{ ...only, name: assumed }] }), nameOf: () => only.name };
  }
  const wal = new Wal({ segments });
  if (wal.segments.length === 0) throw new DatadirError('NOT_FOUND', `${path}: no segment of a log in it`, { path });
  return { wal, nameOf: (segment) => segment };
}
