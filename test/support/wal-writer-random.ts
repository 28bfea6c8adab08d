// Random sequences of calls that a raft node could make: entries without gaps, also ones that replace others, states,
// snapshots of what is there and from a leader, cuts, and opening the log again.
import { seededRandom } from './faulty.ts';
import type { Sequence, Step, StepConfState, StepEntry } from './wal-writer-sequence.ts';

export function randomSequence(seed: number, length = 40): Sequence {
  const random = seededRandom(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const oneIn = (n: number): boolean => below(n) === 0;
  const member = (): string => `${(BigInt(below(2 ** 32)) << 32n) | BigInt(1 + below(2 ** 31))}`;

  let term = 1;
  let last = 0;
  /** The newest snapshot in the log: where reading can begin. */
  let from = { index: '0', term: '0' };
  /** Below this nothing is replaced. */
  let floor = 0;
  let commit = 0;
  let vote = '0';

  const data = (): StepEntry['data'] => {
    if (oneIn(8)) return undefined;
    if (oneIn(12)) return '';
    const size = oneIn(20) ? below(300_000) : oneIn(5) ? below(6000) : below(100);
    return { length: size, seed: below(2 ** 31) };
  };
  const type = (): { type?: number } => (oneIn(2) ? {} : { type: below(3) });
  const entries = (): StepEntry[] => {
    if (last > floor && oneIn(10)) {
      last = floor + below(last - floor);
      term++;
    }
    return Array.from({ length: 1 + below(oneIn(6) ? 30 : 3) }, () => {
      last++;
      const bytes = data();
      const entry = { ...type(), term: `${term}`, index: `${last}` };
      return bytes === undefined ? entry : { ...entry, data: bytes };
    });
  };
  const members = (): StepConfState => ({
    voters: Array.from({ length: 1 + below(4) }, member),
    learners: Array.from({ length: below(2) }, member),
    votersOutgoing: oneIn(6) ? [member()] : [],
    learnersNext: oneIn(6) ? [member()] : [],
    ...(oneIn(2) ? {} : { autoLeave: oneIn(2) }),
  });
  const hardState = () => {
    if (oneIn(6)) term++;
    if (oneIn(6)) vote = member();
    commit = Math.max(commit, floor, Math.min(last, commit + below(4)));
    floor = Math.max(floor, Math.min(commit, last));
    const state = { term: `${term}`, vote, commit: `${commit}` };
    if (oneIn(10)) return { term: state.term, commit: state.commit };
    return oneIn(15) ? {} : state;
  };
  const snapshot = (index: number): Step => {
    from = { index: `${index}`, term: `${term}` };
    floor = Math.max(floor, index);
    commit = Math.max(commit, index);
    return { do: 'saveSnapshot', snapshot: { ...from, confState: members() } };
  };
  const step = (): Step => {
    const choice = below(20);
    if (choice < 9) return { do: 'save', entries: entries(), ...(oneIn(3) ? {} : { hardState: hardState() }) };
    if (choice < 13) return { do: 'save', hardState: hardState() };
    if (choice < 14) return { do: 'sync' };
    if (choice < 15) return { do: 'cut' };
    if (choice < 16) return { do: 'reopen', from };
    // Refused but by 3.4; no other snapshot has that index.
    if (choice < 17) return { do: 'saveSnapshot', snapshot: { index: `${2n ** 60n}`, term: `${term}` } };
    if (choice < 18) {
      // From a leader: the entries in between never come.
      last += 5 + below(50);
      return snapshot(last);
    }
    return last > Number(from.index)
      ? snapshot(Number(from.index) + 1 + below(last - Number(from.index)))
      : { do: 'save' };
  };

  const segmentSize = [0, 512, 4096, 5000, 20_000, 200_000][below(6)] as number;
  const metadata = oneIn(6) ? {} : { metadata: oneIn(6) ? '' : '08d5e19ccdebb2a89b121083e190b2ddf6fbb2cd01' };
  return { name: `random-${seed}`, segmentSize, ...metadata, steps: Array.from({ length }, step) };
}
