/**
 * Small `.snap` files made by hand, right or wrong in one place, and folders of them.
 */
import { crc32c } from '../../src/checksum/crc32c.ts';
import type { ByteSource } from '../../src/io/byte-source.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import { type ConfState, encodeRaftSnapshot } from '../../src/proto/raft.ts';
import { encodeSnapEnvelope } from '../../src/proto/snap.ts';
import type { CheckReport } from '../../src/report.ts';
import { type CheckSnapOptions, SnapCheckJob } from '../../src/snap/check.ts';

export interface SnapOptions {
  readonly index?: bigint;
  readonly term?: bigint;
  readonly voters?: readonly bigint[];
  readonly learners?: readonly bigint[];
  /** The v2 store. */
  readonly document?: string | Uint8Array;
  /** The whole raft snapshot, in place of the above. */
  readonly raft?: Uint8Array;
  readonly crc?: number;
}

const MEMBER = String.raw`{"Path":"/0/members/1","Children":{"raftAttributes":{"Value":"{\"peerURLs\":[\"http://a\"]}","Children":null}}}`;

/** A v2 store with one member of id 1; `more` are further children of the root, as JSON members. */
export function v2Document(more = '', member: string = MEMBER): string {
  const top = `"0":{"Path":"/0","Children":{"members":{"Children":{"1":${member}}}}}`;
  return `{"Root":{"Path":"/","Value":"","Children":{${top}${more === '' ? '' : `,${more}`}}},"CurrentIndex":3}`;
}

/** The bytes of a file. Default: index 5, term 2, one voter of id 1, the store with that member. */
export function snapFile(options: SnapOptions = {}): Uint8Array {
  const { index = 5n, term = 2n, voters = [1n], learners = [], document = v2Document() } = options;
  const confState: ConfState = { voters, learners, votersOutgoing: [], learnersNext: [] };
  const data = typeof document === 'string' ? new TextEncoder().encode(document) : document;
  const raft = options.raft ?? encodeRaftSnapshot({ data, metadata: { confState, index, term } }, 'gogo');
  return encodeSnapEnvelope({ crc: options.crc ?? crc32c(raft), data: raft }, 'gogo');
}

/** What a folder is made of: bytes, or a source that fails. */
export type Content = Uint8Array | ByteSource | (() => ByteSource);

/** Checks a folder of these files. */
export function checkFolder(files: Readonly<Record<string, Content>>, options: CheckSnapOptions = {}): CheckReport {
  return drain(folderJob(files, options));
}

export function folderJob(files: Readonly<Record<string, Content>>, options: CheckSnapOptions = {}): SnapCheckJob {
  const inputs = Object.entries(files).map(([name, content]) => ({
    name,
    open: (): ByteSource => {
      if (typeof content === 'function') return content();
      return content instanceof Uint8Array ? memorySource(content, name) : content;
    },
  }));
  return new SnapCheckJob(inputs, { path: 'member/snap', ...options });
}
