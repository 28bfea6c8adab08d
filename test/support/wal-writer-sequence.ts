/**
 * Sequences of calls to a log's writer, as data: the same ones are done here and with the real wal packages of etcd, and kept
 * with the bytes that those wrote.
 */

import { isDatadirError } from '../../src/errors.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import type { ConfState, Entry, HardState } from '../../src/proto/raft.ts';
import type { WalSnapshot } from '../../src/proto/wal.ts';
import type { StartSnapshot } from '../../src/wal/append-point.ts';
import type { LogDirectory } from '../../src/wal/log-directory.ts';
import { memoryLogDirectory } from '../../src/wal/log-directory.ts';
import { createWal, openWal, type WalWriter } from '../../src/wal/writer.ts';
import { listLog } from './wal-writer-decoder.ts';
import type { Outcome } from './wal-writer-recorded.ts';

/** Hex, or as many bytes as are made from a seed. */
export type StepData = string | { readonly length: number; readonly seed: number };

/** 64-bit numbers are decimal strings; a field that is absent is absent in the message too. */
export interface StepEntry {
  readonly type?: number;
  readonly term?: string;
  readonly index?: string;
  readonly data?: StepData;
}

export interface StepHardState {
  readonly term?: string;
  readonly vote?: string;
  readonly commit?: string;
}

export interface StepConfState {
  readonly voters: readonly string[];
  readonly learners: readonly string[];
  readonly votersOutgoing: readonly string[];
  readonly learnersNext: readonly string[];
  readonly autoLeave?: boolean;
}

export interface StepSnapshot {
  readonly index?: string;
  readonly term?: string;
  readonly confState?: StepConfState;
}

export type Step =
  | { readonly do: 'save'; readonly hardState?: StepHardState; readonly entries?: readonly StepEntry[] }
  | { readonly do: 'saveSnapshot'; readonly snapshot: StepSnapshot }
  | { readonly do: 'cut' }
  | { readonly do: 'sync' }
  /** Closes the log and opens it again at a snapshot. */
  | { readonly do: 'reopen'; readonly from: { readonly index: string; readonly term: string } };

export interface Sequence {
  readonly name: string;
  readonly segmentSize: number;
  /** Hex; absent for none. */
  readonly metadata?: string;
  /** The log is looked at after every so many steps, and after the last; default 1. */
  readonly lookEvery?: number;
  readonly steps: readonly Step[];
}

/** Whether the log is to be looked at after step `i`. */
export function looksAfter({ lookEvery = 1, steps }: Sequence, i: number): boolean {
  return i === steps.length - 1 || i % lookEvery === lookEvery - 1;
}

/** Whether a step was done, or refused and nothing changed. */
export type StepResult = 'done' | 'refused';

export function dataOf(data: StepData): Uint8Array {
  if (typeof data === 'string') return new Uint8Array(Buffer.from(data, 'hex'));
  const words = new Uint32Array(Math.ceil(data.length / 4));
  let state = data.seed;
  for (let i = 0; i < words.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    words[i] = state ^ (state >>> 15);
  }
  return new Uint8Array(words.buffer, 0, data.length);
}

const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });

const big = (text: string | undefined): bigint | undefined => (text === undefined ? undefined : BigInt(text));

export function entryOf({ type, term, index, data }: StepEntry): Entry {
  return {
    ...optional('type', type),
    ...optional('term', big(term)),
    ...optional('index', big(index)),
    ...optional('data', data === undefined ? undefined : dataOf(data)),
  };
}

function hardStateOf({ term, vote, commit }: StepHardState): HardState {
  return { ...optional('term', big(term)), ...optional('vote', big(vote)), ...optional('commit', big(commit)) };
}

export function snapshotOf({ index, term, confState }: StepSnapshot): WalSnapshot {
  return {
    ...optional('index', big(index)),
    ...optional('term', big(term)),
    ...optional('confState', confState === undefined ? undefined : confStateOf(confState)),
  };
}

function confStateOf(state: StepConfState): ConfState {
  return {
    voters: state.voters.map(BigInt),
    learners: state.learners.map(BigInt),
    votersOutgoing: state.votersOutgoing.map(BigInt),
    learnersNext: state.learnersNext.map(BigInt),
    ...optional('autoLeave', state.autoLeave),
  };
}

/** Our side of a sequence. */
export class OurLog {
  readonly #directory: LogDirectory;
  readonly #version: EtcdMinor;
  readonly #segmentSize: number;
  writer: WalWriter;

  constructor(directory: LogDirectory, { segmentSize, metadata }: Sequence, version: EtcdMinor) {
    this.#directory = directory;
    this.#version = version;
    this.#segmentSize = segmentSize;
    const bytes = metadata === undefined ? undefined : dataOf(metadata);
    this.writer = createWal(directory, bytes, { etcdVersion: version, segmentSize });
  }

  do(step: Step): StepResult {
    try {
      if (step.do === 'save') {
        const { hardState, entries = [] } = step;
        this.writer.save(hardState === undefined ? undefined : hardStateOf(hardState), entries.map(entryOf));
      } else if (step.do === 'saveSnapshot') this.writer.saveSnapshot(snapshotOf(step.snapshot));
      else if (step.do === 'cut') this.writer.cut();
      else if (step.do === 'sync') this.writer.sync();
      else {
        this.writer.close();
        const from: StartSnapshot = { index: BigInt(step.from.index), term: BigInt(step.from.term) };
        this.writer = openWal(this.#directory, { etcdVersion: this.#version, segmentSize: this.#segmentSize, from });
      }
      return 'done';
    } catch (error) {
      if (!isDatadirError(error, 'USAGE')) throw error;
      return 'refused';
    }
  }
}

/** Does a sequence here, in memory. */
export function ourOutcome(sequence: Sequence, version: EtcdMinor): Outcome {
  const directory = memoryLogDirectory();
  const log = new OurLog(directory, sequence, version);
  const results: StepResult[] = [];
  const logs: (readonly string[] | undefined)[] = [];
  for (const [i, step] of sequence.steps.entries()) {
    results.push(log.do(step));
    if (!looksAfter(sequence, i)) logs.push(undefined);
    else logs.push(listLog(new Map(directory.list().map((name) => [name, directory.read(name)]))));
  }
  log.writer.close();
  return { results, logs };
}
