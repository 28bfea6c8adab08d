/**
 * The command line as a function: parses, runs a command, prints errors, returns the exit code.
 *
 * It does not touch the process, so that tests can call it in their own.
 */
import { isDatadirError } from '../errors.ts';
import type { Progress } from '../io/job.ts';
import {
  checkArgumentCount,
  checkRequiredOptions,
  noCommand,
  type ParsedArguments,
  parseArguments,
} from './arguments.ts';
import type { Invocation } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { Output, OutputClosed, type OutputStream } from './output.ts';
import { ProgressLine, showsProgress } from './progress.ts';
import { visible } from './render/visible.ts';

/** The world around the command line. */
export interface Streams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Default: nothing. */
  readonly stdin?: () => AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What else the command line may be given. */
export interface MainOptions {
  /** Stops the command; the reason `SIGTERM` makes the exit code 143, any other 130. */
  readonly signal?: AbortSignal;
  /** Runs work during which the signal cannot be heard. */
  readonly block?: <Result>(work: () => Result) => Result;
}

/** Runs the command line `args` (without the names of Node and the script). */
export async function main(args: readonly string[], streams: Streams, options: MainOptions = {}): Promise<number> {
  const { signal = new AbortController().signal, block = (work) => work() } = options;
  const out = new Output(streams.stdout, signal);
  let parsed: ParsedArguments | undefined;
  let exitCode: number = EXIT.done;
  try {
    parsed = parseArguments(args);
    exitCode = await run(parsed, streams, { out, signal, block });
    await out.flush();
    return exitCode;
  } catch (error) {
    if (error instanceof OutputClosed) return exitCode;
    if (isDatadirError(error, 'ABORTED')) {
      const terminated = signal.reason === 'SIGTERM';
      streams.stderr.write(`etcd-datadir: stopped by ${terminated ? 'SIGTERM' : 'SIGINT'}\n`);
      return terminated ? EXIT.terminated : EXIT.interrupted;
    }
    const { describeFailure } = await import('./failure.ts');
    const failure = describeFailure(error, parsed);
    streams.stderr.write(failure.message);
    const json = parsed === undefined ? args.includes('--json') : parsed.options['json'] === true;
    // A document that was begun cannot be taken back: it stays cut off, and the exit code tells.
    if (json && !out.began) out.write(failure.json);
    await out.flush().catch(() => {});
    return failure.exitCode;
  }
}

async function run(
  parsed: ParsedArguments,
  streams: Streams,
  given: Pick<Invocation, 'out' | 'signal' | 'block'>,
): Promise<number> {
  const { out } = given;
  const { command, positionals, options } = parsed;
  if (options['version'] === true) {
    const { packageVersion } = await import('./version.ts');
    out.write(`etcd-datadir ${packageVersion()}\n`);
    return EXIT.done;
  }
  if (options['help'] === true || (command === undefined && positionals.length === 0)) {
    return showHelp(parsed, streams, out);
  }
  if (command === undefined) throw noCommand(positionals);
  checkArgumentCount(command, positionals);
  checkRequiredOptions(command, options);

  const quiet = options['quiet'] === true;
  let line: ProgressLine | undefined;
  const showProgress = showsProgress(streams.stderr, streams.env, quiet)
    ? (progress: Progress | undefined) => {
        if (progress === undefined) line?.clear();
        else {
          line ??= new ProgressLine(streams.stderr);
          line.update(progress);
        }
      }
    : () => {};
  const invocation: Invocation = {
    ...given,
    env: streams.env,
    stdin: streams.stdin ?? noInput,
    command,
    positionals,
    options,
    json: options['json'] === true,
    color: options['no-color'] !== true && takesColor(streams),
    showProgress,
    note: (text) => {
      if (!quiet) streams.stderr.write(`etcd-datadir: ${visible(text)}\n`);
    },
  };
  const module = await command.load();
  try {
    return await module.run(invocation);
  } finally {
    showProgress(undefined);
  }
}

async function* noInput(): AsyncGenerator<Uint8Array> {}

async function showHelp(
  { command, positionals, options }: ParsedArguments,
  streams: Streams,
  out: Output,
): Promise<number> {
  const { helpText } = await import('./help.ts');
  const { findGroup } = await import('./commands.ts');
  const group = findGroup(positionals);
  if (command === undefined && positionals.length > 0 && group === undefined) throw noCommand(positionals);
  const text = helpText(command ?? group);
  if (options['help'] === true) {
    out.write(text);
    return EXIT.done;
  }
  streams.stderr.write(text);
  return EXIT.usage;
}

function takesColor({ stdout, env }: Streams): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return stdout.isTTY === true && env['TERM'] !== 'dumb';
}
