// Sequences of calls at the edges: of the page writer's buffer, of segments, of what may be absent or zero.
import type { Sequence, Step, StepEntry } from './wal-writer-sequence.ts';

const METADATA = '08d5e19ccdebb2a89b121083e190b2ddf6fbb2cd01';
const MEMBERS = {
  voters: ['1311768467463790293', '6668309396397842749'],
  learners: [],
  votersOutgoing: [],
  learnersNext: [],
};
const MAX = '18446744073709551615';

const entry = (index: number, length: number): StepEntry => ({
  term: '1',
  index: `${index}`,
  data: { length, seed: index },
});
const save = (...entries: StepEntry[]): Step => ({ do: 'save', entries });
const state = (commit: number): Step => ({ do: 'save', hardState: { term: '1', vote: '7', commit: `${commit}` } });

/** Entries whose frames end around the places where the buffer overflows. */
function bufferEdges(): Sequence {
  const steps: Step[] = [];
  let index = 0;
  for (const around of [4096, 8192, 126_976, 131_072, 135_168]) {
    for (const less of [120, 100, 64, 48, 40, 32, 24, 16, 8, 0, -8, -64]) {
      steps.push(save(entry(++index, around - less)));
      steps.push(save(entry(++index, around - less), entry(++index, 3), entry(++index, 5000)));
    }
  }
  return { name: 'buffer-edges', segmentSize: 1_000_000, metadata: METADATA, lookEvery: 7, steps };
}

/** States alone are not synced: they stay in the buffer until it overflows. */
function unsyncedStates(): Sequence {
  const steps = Array.from({ length: 6000 }, (_, i) => state(1 + i));
  return { name: 'unsynced-states', segmentSize: 150_000, metadata: METADATA, lookEvery: 197, steps };
}

/** The buffer holds what decides about the cut, but only what was handed over counts. */
function cutByWritten(): Sequence {
  const steps: Step[] = [];
  let index = 0;
  for (let i = 0; i < 40; i++) {
    steps.push(save(...Array.from({ length: 1 + (i % 5) }, () => entry(++index, 700 * (i % 9)))), state(index));
  }
  return { name: 'cut-by-written', segmentSize: 16_384, metadata: METADATA, steps };
}

function presence(): Sequence {
  const steps: Step[] = [
    { do: 'save' },
    { do: 'save', hardState: {} },
    { do: 'save', hardState: { term: '0', vote: '0', commit: '0' } },
    { do: 'save', hardState: { term: '0', vote: '0' }, entries: [{}] },
    { do: 'save', entries: [{ type: 0 }, { type: 1, term: '0' }, { index: '0' }, { data: '' }, { data: '00' }] },
    { do: 'save', hardState: { commit: '1' } },
    { do: 'save', hardState: { vote: '3' } },
    { do: 'cut' },
    { do: 'save', hardState: { term: '1' } },
    { do: 'saveSnapshot', snapshot: {} },
    { do: 'saveSnapshot', snapshot: { index: '0' } },
    { do: 'saveSnapshot', snapshot: { term: '0' } },
    { do: 'saveSnapshot', snapshot: { index: '0', term: '0' } },
    { do: 'saveSnapshot', snapshot: { index: '0', term: '0', confState: MEMBERS } },
    { do: 'saveSnapshot', snapshot: { index: '4', term: '1' } },
    { do: 'saveSnapshot', snapshot: { term: '1', confState: MEMBERS } },
    { do: 'saveSnapshot', snapshot: { index: '4', confState: MEMBERS } },
    { do: 'saveSnapshot', snapshot: { index: '4', term: '1', confState: { ...MEMBERS, autoLeave: false } } },
    { do: 'saveSnapshot', snapshot: { index: '4', term: '1', confState: { ...MEMBERS, voters: [], autoLeave: true } } },
    { do: 'cut' },
    { do: 'cut' },
    { do: 'sync' },
  ];
  return { name: 'presence', segmentSize: 8192, metadata: METADATA, steps };
}

function largestNumbers(): Sequence {
  const steps: Step[] = [
    { do: 'save', hardState: { term: MAX, vote: MAX, commit: MAX }, entries: [{ type: 2, term: MAX, index: MAX }] },
    { do: 'cut' },
    { do: 'saveSnapshot', snapshot: { index: MAX, term: MAX, confState: { ...MEMBERS, voters: [MAX] } } },
    { do: 'cut' },
    save(entry(5, 10)),
    { do: 'cut' },
  ];
  return { name: 'largest-numbers', segmentSize: 4096, metadata: METADATA, steps };
}

/** Which index a cut's name gets. */
function names(): Sequence {
  const steps: Step[] = [
    { do: 'cut' },
    save(entry(1, 10), entry(2, 10), entry(3, 10)),
    { do: 'cut' },
    save(entry(2, 10)),
    { do: 'cut' },
    { do: 'saveSnapshot', snapshot: { index: '1', term: '1', confState: MEMBERS } },
    { do: 'cut' },
    { do: 'saveSnapshot', snapshot: { index: '9', term: '1', confState: MEMBERS } },
    { do: 'cut' },
    { do: 'reopen', from: { index: '9', term: '1' } },
    { do: 'cut' },
    save(entry(10, 10)),
    { do: 'reopen', from: { index: '9', term: '1' } },
    { do: 'saveSnapshot', snapshot: { index: '10', term: '1', confState: MEMBERS } },
    { do: 'reopen', from: { index: '10', term: '1' } },
    { do: 'cut' },
    { do: 'reopen', from: { index: '10', term: '1' } },
    { do: 'cut' },
    state(10),
    { do: 'cut' },
  ];
  return { name: 'names', segmentSize: 4096, metadata: METADATA, steps };
}

function withoutMetadata(metadata?: string): Sequence {
  const steps: Step[] = [
    save(entry(1, 10)),
    { do: 'cut' },
    { do: 'reopen', from: { index: '0', term: '0' } },
    { do: 'cut' },
    save(entry(2, 10)),
    state(2),
    { do: 'cut' },
  ];
  if (metadata === undefined) return { name: 'no-metadata', segmentSize: 1000, steps };
  return { name: 'empty-metadata', segmentSize: 1000, metadata, steps };
}

/** A record larger than etcd's own buffer, and one that fills a segment. */
function largeRecords(): Sequence {
  const steps = [1_048_570, 1_048_576, 3_000_000, 20].map((length, i) => save(entry(i + 1, length)));
  return { name: 'large-records', segmentSize: 2_500_000, metadata: METADATA, steps };
}

/** etcd's own segment size. */
function defaultSize(): Sequence {
  const steps: Step[] = [save(entry(1, 100)), { do: 'cut' }, save(entry(2, 100)), state(2)];
  return { name: 'default-size', segmentSize: 64_000_000, metadata: METADATA, lookEvery: 4, steps };
}

export function edgeSequences(): readonly Sequence[] {
  return [
    bufferEdges(),
    unsyncedStates(),
    cutByWritten(),
    presence(),
    largestNumbers(),
    names(),
    withoutMetadata(),
    withoutMetadata(''),
    largeRecords(),
    defaultSize(),
  ];
}
