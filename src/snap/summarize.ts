/**
 * The content of a `.snap` file as plain data, for reports.
 */
import type { Snap } from './reader.ts';
import type { SnapContentSummary } from './summary.ts';
import { customContent } from './v2-store.ts';

const decimal = (id: bigint): string => id.toString();

/** The content as plain data. */
export function summarize({ index, term, crc, confState, dataKind, store }: Snap): SnapContentSummary {
  return {
    index: index.toString(),
    term: term.toString(),
    crc,
    confState: {
      voters: confState.voters.map(decimal),
      learners: confState.learners.map(decimal),
      votersOutgoing: confState.votersOutgoing.map(decimal),
      learnersNext: confState.learnersNext.map(decimal),
      autoLeave: confState.autoLeave === true,
    },
    dataKind,
    ...(store === undefined
      ? {}
      : {
          members: store.members.map(({ id, name, peerURLs, clientURLs, isLearner }) => ({
            id: decimal(id),
            idHex: id.toString(16),
            ...(name === undefined ? {} : { name }),
            peerURLs,
            clientURLs: clientURLs ?? [],
            isLearner,
          })),
          removed: store.removed.map(decimal),
          version: store.version ?? null,
          v2Keys: { files: store.keys.files, directories: store.keys.directories },
          customContent: customContent(store),
        }),
  };
}
