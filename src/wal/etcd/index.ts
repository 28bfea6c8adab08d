/**
 * What the releases of etcd do with a log, simulated exactly. docs/what-etcd-does.md tells it in words.
 */
export type { SnapshotId } from './parse-record.ts';
export type { Cut } from './repair.ts';
export {
  type StartKind,
  type StartOptions,
  type StartOutcome,
  type StartStage,
  simulateStart,
  simulateStartSteps,
} from './start.ts';
export { finish, type Steps } from './steps.ts';
