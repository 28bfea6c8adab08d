/**
 * What etcd's servers and tools said of the stored db files: fixtures/etcd/VERSION/SCENARIO/recorded.json.gz. Walks the
 * folders, so that adding a recording adds cases. What is there is told in fixtures/README.md.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../src/json/parse.ts';
import { FIXTURES, readFixture } from './fixtures.ts';
import { readRecordedTexts } from './recorded-texts.ts';

const ETCD = join(FIXTURES, 'etcd');

/** What a tool printed, and how it ended. */
export interface RecordedWords {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly exit: number;
}

/** A folder of recordings of a server, and a db file that has the same content. */
export interface ServerAnswers {
  readonly folder: string;
  readonly dbFile: string;
}

/** The recordings of one scenario. */
export class EtcdRecording {
  readonly version: string;
  readonly scenario: string;
  /** `VERSION/SCENARIO`. */
  readonly name: string;
  readonly minor: EtcdMinor;
  /** Names of the db files: `m1`, `snapshot`, … */
  readonly dbFiles: readonly string[];
  readonly #path: string;
  #files: ReadonlyMap<string, Uint8Array> | undefined;

  constructor(version: string, scenario: string) {
    this.version = version;
    this.scenario = scenario;
    this.name = `${version}/${scenario}`;
    this.minor = ETCD_MINORS.find((minor) => version.startsWith(`${minor}.`)) as EtcdMinor;
    this.#path = join(ETCD, version, scenario);
    this.dbFiles = readdirSync(this.#path)
      .filter((file) => file.endsWith('.db.gz'))
      .map((file) => file.slice(0, -'.db.gz'.length))
      .sort();
  }

  get #loaded(): ReadonlyMap<string, Uint8Array> {
    this.#files ??= readRecordedTexts(join(this.#path, 'recorded.json.gz'));
    return this.#files;
  }

  /** A db file, unpacked into memory. */
  open(dbFile: string): BackendFile {
    return new BackendFile(memorySource(readFixture(`etcd/${this.name}/${dbFile}`)));
  }

  /**
   * Which answers of a server are those of which db file: a member was asked right before it was stopped, and the snapshot was
   * taken then too. None for directories whose log has more than the db.
   */
  get answered(): readonly ServerAnswers[] {
    const online = (...dbFiles: string[]): ServerAnswers[] => dbFiles.map((dbFile) => ({ folder: 'online', dbFile }));
    switch (this.scenario) {
      case 'crash':
      case 'nested':
      case 'tail-auth':
      case 'tail-future':
      case 'tail-nospace':
        return [];
      case 'empty':
        return [{ folder: 'after-restart', dbFile: 'm1' }];
      case 'restored':
        return [
          { folder: 'after-restart/one', dbFile: 'one' },
          { folder: 'after-restart/three', dbFile: 'three-m1' },
          { folder: 'after-restart/bumped', dbFile: 'bumped' },
        ].filter(({ dbFile }) => this.dbFiles.includes(dbFile));
      case 'cluster':
        // m3 was removed and stopped before.
        return online('m1', 'm2', 'm4', 'snapshot');
      case 'underload':
        // Its snapshots were taken before the last writes.
        return online('m1');
      default:
        return online('m1', 'snapshot');
    }
  }

  /** Paths of the recordings, such as `online/get-all.json`. */
  get paths(): readonly string[] {
    return [...this.#loaded.keys()];
  }

  /** The recordings whose path matches, each with the first group of the pattern. */
  matching(pattern: RegExp): readonly { readonly path: string; readonly group: string }[] {
    return this.paths.flatMap((path) => {
      const found = pattern.exec(path);
      return found === null ? [] : [{ path, group: found[1] ?? '' }];
    });
  }

  has(path: string): boolean {
    return this.#loaded.has(path);
  }

  bytes(path: string): Uint8Array {
    const bytes = this.#loaded.get(path);
    if (bytes === undefined) throw new Error(`${path} of ${this.name} is not recorded`);
    return bytes;
  }

  /** A recorded answer in JSON; integers are bigints. */
  json(path: string): JsonValue {
    return parseJson(this.bytes(path));
  }

  /** The same, for an answer that is an object. */
  object(path: string): JsonObject {
    return this.json(path) as JsonObject;
  }

  /** What a tool printed: recordings that are not JSON end with `[exit N]`. */
  words(path: string): RecordedWords {
    const all = this.bytes(path);
    const last = /\[exit (-?\d+)\]\n$/.exec(Buffer.from(all).toString('latin1'));
    if (last === null) throw new Error(`${path} of ${this.name} has no exit code`);
    const bytes = all.subarray(0, last.index);
    return { bytes, text: new TextDecoder().decode(bytes), exit: Number(last[1]) };
  }

  /** The lines of a dump by `etcd-dump-db`, in the order of the db: it prints the last key first. None if the bucket is empty. */
  dumpLines(dbFile: string, bucket: string): readonly string[] {
    const path = `${dbFile}/dump-db-${bucket}.txt`;
    if (!this.has(path)) return [];
    return this.words(path)
      .text.split('\n')
      .filter((line) => line !== '')
      .reverse();
  }
}

let listed: readonly EtcdRecording[] | undefined;

/** Every scenario of every version, in order of name. */
export function etcdRecordings(): readonly EtcdRecording[] {
  const sorted = (folder: string): string[] => readdirSync(folder).sort();
  listed ??= sorted(ETCD).flatMap((version) =>
    sorted(join(ETCD, version))
      .filter((scenario) => existsSync(join(ETCD, version, scenario, 'recorded.json.gz')))
      .map((scenario) => new EtcdRecording(version, scenario)),
  );
  return listed;
}

/** The recordings of `VERSION/SCENARIO`. */
export function etcdRecording(name: string): EtcdRecording {
  const found = etcdRecordings().find((recording) => recording.name === name);
  if (found === undefined) throw new Error(`there is no recording ${name}`);
  return found;
}
