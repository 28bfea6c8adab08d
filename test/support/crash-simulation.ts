/**
 * Crashes of random sequences of transactions, as many as are asked for: records a sequence, replays every crash of it,
 * judges each, and goes on with the next sequence.
 */
import { judgeCrash, judgeGoingOn } from './crash-judge.ts';
import { type CrashRecording, type RecordOptions, recordTransactions } from './crash-recording.ts';
import { type CrashPoint, replayCrashes } from './crash-replay.ts';

export const PAGE_SIZES = [512, 1024, 2048, 4096] as const;

export interface SimulationOptions {
  readonly seed: number;
  readonly pageSize: number;
  /** How many crash points there are to be at least. */
  readonly points: number;
  /** Transactions of a sequence; default 16. */
  readonly transactions?: number;
  /** After every so many crashes it is tried whether writing can go on, and crashes are simulated in that; default 60. */
  readonly goOnEvery?: number;
  /** Is shown every crash point that was found good. */
  readonly onPoint?: (point: CrashPoint, recording: CrashRecording) => void;
}

export interface SimulationResult {
  readonly points: number;
  readonly sequences: number;
  /** Times that writing went on after a crash. */
  readonly continued: number;
  readonly commits: number;
  readonly problems: readonly string[];
}

/** No use in more words than these. */
const MAX_PROBLEMS = 10;

/** What sequences are like, in turn. */
function optionsOf(sequence: number, options: SimulationOptions): RecordOptions {
  return {
    seed: options.seed * 1000 + sequence,
    pageSize: options.pageSize,
    transactions: options.transactions ?? 16,
    noFreelistSync: sequence % 2 === 1,
    noGrowSync: sequence % 5 === 3,
    readers: sequence % 3 !== 0,
    failures: sequence % 4 >= 2,
  };
}

export function simulateCrashes(options: SimulationOptions): SimulationResult {
  const { goOnEvery = 60 } = options;
  const problems: string[] = [];
  let points = 0;
  let continued = 0;
  let commits = 0;
  let sequences = 0;
  while (points < options.points && problems.length < MAX_PROBLEMS) {
    const recording = recordTransactions(optionsOf(sequences, options));
    problems.push(...recording.readerProblems.map((problem) => `${recording.name}: ${problem}`));
    commits += recording.commits.length - 1;
    sequences++;
    for (const point of replayCrashes(recording, { seed: options.seed })) {
      if (problems.length >= MAX_PROBLEMS) break;
      points++;
      const found = judgeCrash(recording, point);
      problems.push(...found);
      if (found.length > 0) continue;
      options.onPoint?.(point, recording);
      if (points % goOnEvery !== 0) continue;
      const more = judgeGoingOn(recording, point);
      problems.push(...more.problems);
      points += more.points;
      continued++;
    }
  }
  return { points, sequences, continued, commits, problems };
}

/** The problems of one recording; the first that is found ends the search. */
export function firstProblem(recording: CrashRecording): string | undefined {
  for (const point of replayCrashes(recording, { seed: 1 })) {
    const [problem] = judgeCrash(recording, point);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
