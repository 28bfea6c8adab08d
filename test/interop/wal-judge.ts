/**
 * The real wal packages' answers about a log, in the form of test/wal/etcd/answers.ts.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  entriesAnswer,
  fileAnswer,
  type JudgedCase,
  type Question,
  questionsOf,
  stateAnswer,
  steadyWords,
  tailName,
} from '../wal/etcd/answers.ts';
import type { Judged } from '../wal/etcd/judged.ts';
import { type RequestCase, requestAnswer } from '../wal/etcd/request-cases.ts';
import {
  DRIVEN_MINORS,
  type DrivenMinor,
  type WalAnswer,
  type WalCommand,
  type WalDriver,
  type WalDriverPark,
  type WireHardState,
} from './wal-driver.ts';

const SMALL_SEGMENT = 4096;

/** Asks all packages about all cases. */
export async function askAll(cases: Iterable<JudgedCase>, park: WalDriverPark): Promise<Judged> {
  const list = [...cases];
  return collect(park, list, async (one, driver) => {
    return realAnswers(one, driver, join(park.folder, `judged-${driver.minor}`));
  });
}

/** Has all packages parse payloads. */
export async function askRequests(cases: Iterable<RequestCase>, park: WalDriverPark): Promise<Judged> {
  return collect(park, [...cases], async ({ kind, data }, driver) => {
    const { error, request } = await driver.ask({ op: kind, dataHex: Buffer.from(data).toString('hex') });
    return [request === undefined ? steadyWords(error ?? 'ok') : requestAnswer(driver.minor, request)];
  });
}

async function collect<T extends { readonly id: string }>(
  park: WalDriverPark,
  cases: readonly T[],
  ask: (one: T, driver: WalDriver) => Promise<string[]>,
): Promise<Judged> {
  const judged = new Map<string, Partial<Record<DrivenMinor, readonly string[]>>>(cases.map(({ id }) => [id, {}]));
  const askOne = async (minor: DrivenMinor): Promise<void> => {
    const driver = park.start(minor);
    // The next segment is made beforehand, as large as this.
    await driver.do({ op: 'segmentSize', size: SMALL_SEGMENT });
    for (const one of cases) judged.get(one.id)![minor] = await ask(one, driver);
  };
  await Promise.all(DRIVEN_MINORS.map(askOne));
  return judged;
}

/** Asks a wal package all questions about a case. `folder` is for the files, and is empty again afterwards. */
async function realAnswers(judged: JudgedCase, driver: WalDriver, folder: string): Promise<string[]> {
  const questions = questionsOf(judged);
  const folders = questions.map((question, i) => {
    const changes = question.kind === 'repair' || question.kind === 'readAllWrite';
    return join(folder, changes ? `${i}` : 'shared');
  });
  for (const dir of new Set(folders)) {
    mkdirSync(dir, { recursive: true });
    for (const { name, bytes } of judged.segments) writeFileSync(join(dir, name), bytes);
  }
  const commands = questions.map((question, i) => toCommand(question, folders[i]!));
  const { answers = [] } = await driver.do({ op: 'each', commands });
  const lines = questions.map((question, i) => toLine(question, answers[i]!, judged, folders[i]!));
  rmSync(folder, { recursive: true });
  return lines;
}

function toCommand(question: Question, dir: string): WalCommand {
  if (!('at' in question)) return { op: question.kind, dir };
  const { index, term } = question.at;
  return { op: question.kind, dir, snapshot: { index: `${index}`, term: `${term}` } };
}

const stateOf = ({ term = '0', vote = '0', commit = '0' }: WireHardState): string => stateAnswer(term, vote, commit);

function toLine({ kind }: Question, answer: WalAnswer, judged: JudgedCase, dir: string): string {
  if (answer.panic !== undefined) return `panic ${steadyWords(answer.panic)}`;
  const error = answer.error === undefined ? undefined : `error ${steadyWords(answer.error)}`;
  const tail = (): string => {
    const name = tailName(judged);
    return name === undefined ? fileAnswer(new Uint8Array()) : fileAnswer(readFileSync(join(dir, name)));
  };
  switch (kind) {
    case 'validSnapshots':
      return error ?? (answer.snapshots ?? []).map(({ index = '0', term = '0' }) => `${index}/${term}`).join(' ');
    case 'verify':
      return error ?? stateOf(answer.state!);
    case 'repair':
      return `${answer.repaired} ${tail()} ${brokenCopy(judged, dir)}`;
    default: {
      // A log that could not be opened was not read.
      if (answer.entries === undefined) return error!;
      const { count, firstIndex, lastIndex, sha256 } = answer.entries;
      const line = [
        answer.metadata === undefined ? 'nil' : `<${answer.metadata}>`,
        stateOf(answer.state!),
        entriesAnswer(count, firstIndex!, lastIndex!, sha256),
        ...(kind === 'readAllWrite' ? [tail()] : []),
        ...(error === undefined ? [] : [error]),
      ];
      return line.join(' ');
    }
  }
}

function brokenCopy(judged: JudgedCase, dir: string): string {
  for (const { name } of judged.segments) {
    try {
      return fileAnswer(readFileSync(join(dir, `${name}.broken`)));
    } catch {
      // This one was not broken.
    }
  }
  return 'none';
}
