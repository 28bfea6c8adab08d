/**
 * Turns the words of the command line into a command, its options and its arguments, or into a usage error.
 *
 * Options may stand anywhere, also before the command's name; `--` ends them. Whether an option takes a value is up to the
 * command (`get --prefix`, but `log --prefix PREFIX`), so the command has to be found first, under either reading of such options.
 */
import { parseArgs } from 'node:util';
import { DatadirError } from '../errors.ts';
import type { ArgumentSpec, Command, OptionSpec } from './command.ts';
import { COMMANDS, findCommand, findGroup, GLOBAL_OPTIONS, GROUPS } from './commands.ts';

/** What the command line asks for. */
export interface ParsedArguments {
  /** Missing when none is named (`--help` alone, or nothing at all). */
  readonly command: Command | undefined;
  /** The words that are not options: without the command's own name when there is a command. */
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | true>>;
}

/** Parses without judging the arguments of the command (`--help` is served however wrong the rest is). */
export function parseArguments(args: readonly string[]): ParsedArguments {
  const { command, known, tokens, words } = read(args);
  const options: Record<string, string | true> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name } = known.get(token.name) ?? { name: token.name };
    const spec = GLOBAL_OPTIONS[name] ?? command?.options[name];
    if (spec === undefined) {
      // Without a command, the unknown word or the missing one is what has to be said.
      if (command === undefined && known.has(token.name)) continue;
      throw unknownOption(token.rawName, command);
    }
    const value = optionValue(token.rawName, spec, token.value, token.inlineValue === true);
    if (value === undefined) continue;
    const before = spec.list === true ? options[name] : undefined;
    options[name] = before === undefined ? value : `${before},${value}`;
  }
  return { command, positionals: command === undefined ? words : words.slice(command.words.length), options };
}

/** A command line taken apart. */
interface Reading {
  readonly command: Command | undefined;
  readonly known: KnownOptions;
  readonly tokens: ReturnType<typeof tokensOf>;
  /** What is no option and no value of one. */
  readonly words: readonly string[];
}

/**
 * Takes the command line apart with the options of the command that it names. Options before the command that take a value in
 * some commands and none in others are first read with a value, then without one: right is what the command found itself agrees with.
 */
function read(args: readonly string[]): Reading {
  let first: Reading | undefined;
  for (const type of ['string', 'boolean'] as const) {
    const found = readWith(args, knownOptions(type));
    first ??= found;
    if (found.command === undefined) continue;
    const own = readWith(args, knownOptions(type, found.command));
    if (own.command === found.command) return own;
  }
  return first as Reading;
}

function readWith(args: readonly string[], known: KnownOptions): Reading {
  const tokens = tokensOf(args, known);
  const words = tokens.filter((token) => token.kind === 'positional').map((token) => token.value);
  return { command: findCommand(words), known, tokens, words };
}

function tokensOf(args: readonly string[], known: KnownOptions) {
  const { tokens } = parseArgs({
    args: withDoubleDashes(args, known),
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      [...known].map(([name, { spec }]) => [
        name,
        { type: spec.type, ...(spec.short === undefined ? {} : { short: spec.short }) },
      ]),
    ),
  });
  return tokens;
}

/** The error for a command line that names no command. */
export function noCommand(positionals: readonly string[]): DatadirError {
  if (positionals.length === 0) return usageError('a command is needed');
  const group = findGroup(positionals);
  const depth = group === undefined ? 0 : group.split(' ').length;
  if (depth === positionals.length) return usageError(`a command of ${group} is needed`);
  const wanted = positionals.slice(0, depth + 1).join(' ');
  return usageError(`there is no command '${wanted}'${suggestion(wanted, commandNames())}`);
}

/** Throws a usage error unless the number of arguments fits the command. */
export function checkArgumentCount({ words, arguments: specs }: Command, positionals: readonly string[]): void {
  const required = specs.filter((spec) => spec.optional !== true);
  if (positionals.length < required.length) {
    const missing = required[positionals.length] as ArgumentSpec;
    throw usageError(`${words.join(' ')} needs ${missing.name}: ${missing.summary}`);
  }
  if (positionals.length > specs.length && !specs.some((spec) => spec.repeat === true)) {
    throw usageError(`${words.join(' ')} takes no argument '${positionals[specs.length]}'`);
  }
}

/** Throws a usage error unless all options that the command needs are there. */
export function checkRequiredOptions({ words, options: specs }: Command, options: ParsedArguments['options']): void {
  for (const [name, spec] of Object.entries(specs)) {
    if (spec.required !== true || options[name] !== undefined) continue;
    throw usageError(`${words.join(' ')} needs --${name}: ${spec.summary}`);
  }
}

/** A usage error; `main` adds where help is to be found. */
export function usageError(message: string): DatadirError {
  return new DatadirError('USAGE', message);
}

/** The value of an option that must be a number; it has been looked at already. */
export function integerOption(value: string | true | undefined, otherwise: number): number {
  return typeof value === 'string' ? Number(value) : otherwise;
}

/** A number of 64 bits given as an argument, in decimal as Go's ParseUint takes it. */
export function uint64Argument(name: string, text: string): bigint {
  if (!/^\d+$/.test(text)) throw usageError(`${name} must be a decimal number, not '${text}'`);
  const value = BigInt(text);
  if (value >= 1n << 64n) throw usageError(`${name} must be below 2^64, not ${text}`);
  return value;
}

/** Options by every spelling, with the name that each stands for. */
type KnownOptions = ReadonlyMap<string, { readonly name: string; readonly spec: OptionSpec }>;

/** The options of all commands; `own` has the last word on its own. Elsewhere options of two types have `preferred`. */
function knownOptions(preferred: OptionSpec['type'], own?: Command): KnownOptions {
  const known = new Map<string, { name: string; spec: OptionSpec }>();
  const add = (spelling: string, name: string, spec: OptionSpec): void => {
    const before = known.get(spelling)?.spec;
    const type = before === undefined || before.type === spec.type ? spec.type : preferred;
    // Of two commands with the same option one may have a letter for it, or take it behind a single dash.
    const singleDash = [...(before?.singleDash ?? []), ...(spec.singleDash ?? [])];
    known.set(spelling, { name, spec: { ...spec, type, short: spec.short ?? before?.short, singleDash } });
  };
  for (const options of [GLOBAL_OPTIONS, ...COMMANDS.map((command) => command.options)]) {
    for (const [name, spec] of Object.entries(options)) {
      add(name, name, spec);
      for (const alias of spec.aliases ?? []) add(alias, name, { type: spec.type, summary: '' });
    }
  }
  for (const [name, { type, aliases }] of Object.entries(own?.options ?? {})) {
    for (const spelling of [name, ...(aliases ?? [])]) {
      const { spec } = known.get(spelling) as { spec: OptionSpec };
      known.set(spelling, { name, spec: { ...spec, type } });
    }
  }
  return known;
}

/** Gives options that may have a single dash a second one. */
function withDoubleDashes(args: readonly string[], known: KnownOptions): string[] {
  const names = new Set([...known.values()].flatMap(({ spec }) => spec.singleDash ?? []));
  const end = args.indexOf('--');
  return args.map((word, i) => {
    const name = /^-([a-z][a-z-]+)(?:=|$)/.exec(word)?.[1];
    return name !== undefined && names.has(name) && (end < 0 || i < end) ? `-${word}` : word;
  });
}

/** Undefined: as if it had not been given. */
function optionValue(
  rawName: string,
  spec: OptionSpec,
  value: string | undefined,
  inline: boolean,
): string | true | undefined {
  if (spec.type === 'boolean') {
    // Go's programs, whose flags some commands take over, have switches that can be switched off.
    if (value === 'false') return undefined;
    if (value !== undefined && value !== 'true') throw usageError(`${rawName} takes no value`);
    return true;
  }
  if (value === undefined) throw usageError(`${rawName} needs a value${choiceList(spec)}`);
  // Most likely the value was forgotten; --name=-value says that it was not.
  const negative = spec.integer !== undefined && spec.integer.min < 0 && /^-\d+$/.test(value);
  if (!inline && value.length > 1 && value.startsWith('-') && !negative)
    throw usageError(`${rawName} needs a value${choiceList(spec)}`);
  if (spec.choices !== undefined) {
    const written = spec.anyCase === true ? value.toUpperCase() : value;
    const chosen = spec.choices.find((choice) => (spec.anyCase === true ? choice.toUpperCase() : choice) === written);
    if (chosen === undefined) throw usageError(`${rawName} must be one of ${spec.choices.join(', ')}, not '${value}'`);
    return chosen;
  }
  if (spec.integer !== undefined) {
    const number = Number(value);
    // Numbers in hex too: hex dumps have them, and bbolt takes them.
    const isNumber = /^(?:-?\d+|0x[\da-f]+)$/i.test(value) && Number.isSafeInteger(number);
    const { min } = spec.integer;
    if (isNumber && number < min && min !== 0) throw usageError(`${rawName} must be at least ${min}, not ${value}`);
    if (!isNumber || number < min) throw usageError(`${rawName} must be a number, not '${value}'`);
  }
  return value;
}

function choiceList({ choices }: OptionSpec): string {
  return choices === undefined ? '' : `: one of ${choices.join(', ')}`;
}

function unknownOption(rawName: string, command: Command | undefined): DatadirError {
  const names = Object.keys({ ...GLOBAL_OPTIONS, ...command?.options }).map((name) => `--${name}`);
  const place = command === undefined ? 'there is no option' : `${command.words.join(' ')} has no option`;
  return usageError(`${place} ${rawName}${suggestion(rawName, names)}`);
}

function commandNames(): string[] {
  return [...COMMANDS.map(({ words }) => words.join(' ')), ...Object.keys(GROUPS)];
}

function suggestion(wrong: string, names: readonly string[]): string {
  let best = '';
  let least = 3;
  for (const name of names) {
    const distance = editDistance(wrong, name, least);
    if (distance < least) [best, least] = [name, distance];
  }
  return best === '' ? '' : `; did you mean ${best}?`;
}

/** Levenshtein's distance; gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    previous = row;
  }
  return previous[b.length] as number;
}
