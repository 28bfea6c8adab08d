/**
 * The content of a `.snap` file as plain data, for reports.
 */
import { hex8, type Snap } from './reader.ts';
import type { SnapContentSummary } from './summary.ts';
import { customContent } from './v2-store.ts';

const hex = (id: bigint): string => id.toString(16);

/** The content as plain data. */
export function summarize({ index, term, crc, confState, dataKind, store }: Snap): SnapContentSummary {
  return {
    index: index.toString(),
    term: term.toString(),
    crc: hex8(crc),
    confState: {
      voters: confState.voters.map(hex),
      learners: confState.learners.map(hex),
      votersOutgoing: confState.votersOutgoing.map(hex),
      learnersNext: confState.learnersNext.map(hex),
      autoLeave: confState.autoLeave === true,
    },
    dataKind,
    ...(store === undefined
      ? {}
      : {
          members: store.members.map(({ id, name, peerURLs, clientURLs, isLearner }) => ({
            id: hex(id),
            ...(name === undefined ? {} : { name }),
            peerURLs,
            clientURLs: clientURLs ?? [],
            isLearner,
          })),
          removed: store.removed.map(hex),
          version: store.version ?? null,
          v2Keys: { files: store.keys.files, directories: store.keys.directories },
          customContent: customContent(store),
        }),
  };
}
