/**
 * A data directory as a whole, for reading: db, log and snap files, each opened when it is first asked for.
 */
import { BackendFile } from '../backend/backend-file.ts';
import { readCluster } from '../backend/cluster.ts';
import { type BackendMeta, readMeta } from '../backend/meta.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import type { ByteSource } from '../io/byte-source.ts';
import type { SnapFile } from '../snap/check.ts';
import { parseSnapshotDbName } from '../snap/snap-name.ts';
import { finish } from '../wal/etcd/index.ts';
import { Wal } from '../wal/reader.ts';
import { isSegmentFile, type SegmentInput, type WalFiles } from '../wal/segment-input.ts';
import { type DataDirFiles, type FolderItem, itemNamed } from './data-dir-files.ts';
import { type Layout, readLayout } from './layout.ts';
import { ownReleaseSteps } from './own-release.ts';

const DB = 'db';

/** A db that was received from a leader: `<index>.snap.db`. */
export interface ReceivedDb {
  readonly index: bigint;
  readonly file: FolderItem;
}

/**
 * Opens a data directory for reading; each of its files is opened when it is first asked for, and closed by `close()`. Whatever is
 * missing or damaged is found out then.
 */
export function openDataDir(files: DataDirFiles): DataDir {
  return new DataDir(files);
}

/** An open data directory. Nothing in it is ever changed. */
export class DataDir {
  readonly files: DataDirFiles;
  /** What kind of directory it is. */
  readonly layout: Layout;
  readonly #opened: ByteSource[] = [];
  #db: ByteSource | undefined;
  #backend: BackendFile | undefined;
  #walFiles: WalFiles | undefined;
  #wal: Wal | undefined;
  #inUse: boolean | undefined;

  constructor(files: DataDirFiles) {
    this.files = files;
    this.layout = readLayout(files);
  }

  get path(): string {
    return this.files.path;
  }

  /** Whether another program, an etcd, is seen to use it. Looks once. False where that cannot be told. */
  get inUse(): boolean {
    this.#inUse ??= this.files.lookForUse?.() ?? false;
    return this.#inUse;
  }

  /** The db for findings: from the data directory on. */
  get dbPath(): string {
    return `${this.files.snap.path}/${DB}`;
  }

  get hasDb(): boolean {
    return itemNamed(this.files.snap, DB) !== undefined;
  }

  /** The bytes of the db. Throws `NOT_FOUND`, or what opening it throws. */
  get db(): ByteSource {
    if (this.#db === undefined) {
      const item = itemNamed(this.files.snap, DB);
      if (item === undefined) {
        throw new DatadirError('NOT_FOUND', `${this.path}: there is no ${this.dbPath}`, { path: this.dbPath });
      }
      this.#db = this.#keep(item.open());
    }
    return this.#db;
  }

  /** The db, open for reading. Throws as `db` does, and `BOLT_NO_META` if both metas are damaged. */
  get backend(): BackendFile {
    this.#backend ??= new BackendFile(this.db);
    return this.#backend;
  }

  /** Bucket `meta` of the db. Throws as `backend` does, and `BOLT_DAMAGED` where the way there is. */
  get meta(): BackendMeta {
    return this.backend.read(readMeta);
  }

  /** The release whose data it is: by the cluster version in the db; only where that tells none the log is read. Throws as `meta` does. */
  get ownVersion(): EtcdMinor {
    const hints = this.backend.read((db) => ({ clusterVersion: readCluster(db).version, meta: readMeta(db) }));
    return finish(ownReleaseSteps({ ...hints, segments: () => this.walFiles.segments }));
  }

  /** The files of the log, its segments open. One that cannot be opened cannot be read either; one that was just purged is left out. */
  get walFiles(): WalFiles {
    this.#walFiles ??= this.#openSegments();
    return this.#walFiles;
  }

  /** The log. */
  get wal(): Wal {
    this.#wal ??= new Wal(this.walFiles);
    return this.#wal;
  }

  /** Whether etcd sees a log, and so takes the directory for one of a member that has run. */
  get hasWal(): boolean {
    return this.files.wal.items.some(({ name }) => isSegmentFile(name));
  }

  /** Everything in the snap folder, by name. */
  get snapFiles(): readonly SnapFile[] {
    return this.files.snap.items;
  }

  /** Dbs received from a leader, in order of index. */
  get receivedDbs(): readonly ReceivedDb[] {
    return this.files.snap.items.flatMap((file) => {
      const index = parseSnapshotDbName(file.name);
      return index === undefined ? [] : [{ index, file }];
    });
  }

  /** The bytes of the db that was received for a snapshot at `index`; undefined if there is none. Closed with the directory. */
  openReceived(index: bigint): ByteSource | undefined {
    const received = this.receivedDbs.find((each) => each.index === index);
    return received === undefined ? undefined : this.#keep(received.file.open());
  }

  close(): void {
    for (const source of this.#opened.splice(0)) source.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #openSegments(): WalFiles {
    const segments: SegmentInput[] = [];
    const others: string[] = [];
    for (const item of this.files.wal.items) {
      const { name } = item;
      if (!isSegmentFile(name)) others.push(name);
      else {
        const source = openedSegment(item);
        if (source !== undefined) segments.push({ name, source: this.#keep(source) });
      }
    }
    return { segments, others };
  }

  #keep(source: ByteSource): ByteSource {
    this.#opened.push(source);
    return source;
  }
}

/** A segment of the log. What opening it throws, reading it throws: the others can be looked at. Undefined: it is gone. */
function openedSegment(item: FolderItem): ByteSource | undefined {
  try {
    return item.open();
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    // A running etcd purges old segments.
    if (error.code === 'NOT_FOUND' && item.type === 'file') return undefined;
    const readInto = (): never => {
      throw error;
    };
    // Of some size, so that somebody tries to read it.
    return { size: 512, path: item.name, readInto, close: () => {} };
  }
}
