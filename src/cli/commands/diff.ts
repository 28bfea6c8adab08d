/**
 * `diff A [B]`: which keys differ between two files, or two revisions of one.
 */
import { diffJob } from '../../backend/diff.ts';
import type { DifferenceKind, DiffResult } from '../../backend/diff-result.ts';
import { uint64Argument, usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { type BackendInput, noteUnreadable, runJob, withBackend } from '../open-backend.ts';
import { Pace } from '../pace.ts';
import {
  bucketsText,
  type ComparedSide,
  DiffDocument,
  differenceJson,
  differenceText,
  differentKey,
  diffHead,
  keyJson,
} from '../render/diff.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options } = invocation;
  const [pathA = '', pathB = pathA] = positionals;
  const revisionA = revisionOption('rev-a', options['rev-a']);
  const revisionB = revisionOption('rev-b', options['rev-b']);
  if (positionals.length < 2 && revisionA === undefined && revisionB === undefined) {
    throw usageError('diff needs B, or --rev-a or --rev-b to compare two revisions of A');
  }
  const prefix = options['prefix'];
  const compare = async (a: BackendInput, b: BackendInput): Promise<number> => {
    const job = diffJob(a.file, b.file, {
      revisionA,
      revisionB,
      prefix: typeof prefix === 'string' ? new TextEncoder().encode(prefix) : undefined,
      ignoreRevisions: options['ignore-revisions'] === true,
    });
    return print(invocation, await runJob(invocation, job), a, b);
  };
  return withBackend(
    invocation,
    (a) => (pathB === pathA ? compare(a, a) : withBackend(invocation, (b) => compare(a, b), pathB)),
    pathA,
  );
}

function revisionOption(name: string, value: string | true | undefined): bigint | undefined {
  return typeof value === 'string' ? uint64Argument(`--${name}`, value) : undefined;
}

async function print(invocation: Invocation, result: DiffResult, a: BackendInput, b: BackendInput): Promise<number> {
  const sideA = { ...a, revision: result.revisionA };
  const sideB = { ...b, revision: result.revisionB };
  if (invocation.json) await printJson(invocation, result, sideA, sideB);
  else await printText(invocation, result, sideA, sideB);
  noteUnreadable(invocation, result.unreadableA);
  if (a.file !== b.file) noteUnreadable(invocation, result.unreadableB);
  return result.different ? EXIT.problems : EXIT.done;
}

async function printText(invocation: Invocation, result: DiffResult, a: ComparedSide, b: ComparedSide): Promise<void> {
  const { out, options } = invocation;
  const pace = new Pace(invocation);
  out.write(diffHead(result, a, b));
  if (options['keys-only'] === true) {
    for (const { kind, key } of result.keys()) {
      out.write(differentKey(kind, key));
      if (pace.due()) await pace.rest();
    }
  } else {
    for (const item of result.items()) {
      out.write(differenceText(item));
      if (pace.due()) await pace.rest();
    }
  }
  out.write(bucketsText(result.buckets));
}

const KINDS: readonly DifferenceKind[] = ['added', 'removed', 'changed'];

async function printJson(invocation: Invocation, result: DiffResult, a: ComparedSide, b: ComparedSide): Promise<void> {
  const { out, options } = invocation;
  const pace = new Pace(invocation);
  const document = new DiffDocument(out, result, { a, b, prefix: `${options['prefix'] ?? ''}` });
  for (const kind of KINDS) {
    document.begin(kind);
    if (options['keys-only'] === true) {
      for (const { key } of result.keys(kind)) {
        document.item(keyJson(key));
        if (pace.due()) await pace.rest();
      }
    } else {
      for (const item of result.items(kind)) {
        document.item(differenceJson(item));
        if (pace.due()) await pace.rest();
      }
    }
    document.end(kind === KINDS.at(-1));
  }
}
