/**
 * What a command of the command line consists of: its entry in the table (`commands.ts`), and what its module gets to run.
 */
import type { Progress } from '../io/job.ts';
import type { Output } from './output.ts';

/** A positional argument, as help and completion show it. */
export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  /** What completion offers: names of files, one of these words, or nothing. */
  readonly complete?: 'file' | readonly string[];
  readonly optional?: boolean;
  /** May be given more than once; only the last argument, or one that is followed by required ones. */
  readonly repeat?: boolean;
}

/** An option. It may stand before the command's name, also where another command has one of the same name and another type. */
export interface OptionSpec {
  readonly type: 'boolean' | 'string';
  readonly summary: string;
  readonly short?: string | undefined;
  /** Other spellings that are accepted but not advertised. */
  readonly aliases?: readonly string[];
  /** Spellings, or the name itself, that are accepted behind a single dash too, as Go's programs do: `-start-index`. */
  readonly singleDash?: readonly string[];
  /** How the value is shown in help: `N`, `PATH`. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** Choices may be written in capitals or not. */
  readonly anyCase?: boolean;
  /** The value must be a whole number, not below `min`. */
  readonly integer?: { readonly min: number };
  /** The command cannot do without it. */
  readonly required?: boolean;
  /** May be given more than once; the values are joined with commas. */
  readonly list?: boolean;
  /** Shown in help. */
  readonly default?: string;
}

/** An entry of the table of commands. */
export interface Command {
  /** The words that name it: `['bolt', 'check']`. */
  readonly words: readonly string[];
  /** One line for the list of commands. */
  readonly summary: string;
  /** Paragraphs for its own help and the documentation. */
  readonly details?: readonly string[];
  /** Where it differs from the program whose words it follows. */
  readonly differences?: readonly string[];
  readonly arguments: readonly ArgumentSpec[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /**
   * Arguments of a run that ends with 0, for the tests that walk the table. FILE stands for a healthy bolt file, UNLISTED for
   * one that stores no freelist, DB for a healthy db of etcd, SNAP for a healthy `.snap` file, WAL for a healthy segment, OUT for a file
   * that does not exist.
   */
  readonly example: readonly string[];
  /** Imported when the command runs and not before: every module costs time at the start. */
  load(): Promise<CommandModule>;
}

/** What the module of a command exports. */
export interface CommandModule {
  /** Runs the command and returns its exit code. */
  run(invocation: Invocation): Promise<number> | number;
}

/** Everything a command knows of the world around it. */
export interface Invocation {
  readonly command: Command;
  readonly positionals: readonly string[];
  /** Values by the long name of the option; those not given are absent. */
  readonly options: Readonly<Record<string, string | true>>;
  readonly json: boolean;
  /** The environment's variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output. */
  readonly out: Output;
  /** Standard input; to be asked for only by who reads it. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  /** Whether standard output takes colours. */
  readonly color: boolean;
  /** Fires on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Runs work that reads only and cannot be stopped from inside: a signal meanwhile ends the process at once. */
  readonly block: <Result>(work: () => Result) => Result;
  /** Shows how far the work has come, on a terminal; `undefined` takes the line away again. */
  readonly showProgress: (progress: Progress | undefined) => void;
  /** A warning or hint on standard error. */
  readonly note: (text: string) => void;
}
