/**
 * What a check tells of a `.snap` file, or of a folder of them, besides findings. Plain data: 64-bit numbers, ids
 * of members among them, are decimal text. No imports: the report of all formats refers to these.
 */

/** What the data of a raft snapshot is: etcd's v2 store; nothing; anything else. */
export type SnapDataKind = 'v2-store' | 'empty' | 'other';

/** The content of a `.snap` file that etcd can read. */
export interface SnapContentSummary {
  readonly index: string;
  readonly term: string;
  readonly crc: number;
  readonly confState: ConfStateSummary;
  readonly dataKind: SnapDataKind;
  /** Members, removed members and version of the v2 store, if there is one. */
  readonly members?: readonly SnapMemberSummary[];
  readonly removed?: readonly string[];
  /** The version of the cluster; null until it was agreed on. */
  readonly version?: string | null;
  /** Keys of the v2 API. */
  readonly v2Keys?: { readonly files: number; readonly directories: number };
  /** Directories for which etcd 3.6 would not start. */
  readonly customContent?: readonly string[];
}

/** Who takes part in raft, by id. */
export interface ConfStateSummary {
  readonly voters: readonly string[];
  readonly learners: readonly string[];
  readonly votersOutgoing: readonly string[];
  readonly learnersNext: readonly string[];
  readonly autoLeave: boolean;
}

/** A member of the v2 store. */
export interface SnapMemberSummary {
  readonly id: string;
  /** The id as etcd prints it. */
  readonly idHex: string;
  /** Not there until the member has published it. */
  readonly name?: string;
  readonly peerURLs: readonly string[];
  readonly clientURLs: readonly string[];
  readonly isLearner: boolean;
}

/** One file of the folder. */
export interface SnapFileSummary {
  readonly name: string;
  readonly size: number;
  /** Whether etcd can read it. */
  readonly usable: boolean;
  /** The code of what is wrong with it. */
  readonly problem?: string;
  readonly index?: string;
  readonly term?: string;
}

/** What was found: the newest file that can be read, and all files, newest first. */
export interface SnapSummary {
  readonly newest?: SnapContentSummary & { readonly name: string };
  readonly files: readonly SnapFileSummary[];
  /**
   * The file that etcd up to 3.6 starts from, if the log has a record for each; null: from the beginning of the log. The
   * check of a whole data directory looks at the log. Not there for a lone file.
   */
  readonly startsFrom?: string | null;
}
