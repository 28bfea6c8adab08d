/**
 * The help texts, made from the table of commands.
 */
import type { ArgumentSpec, Command, OptionSpec } from './command.ts';
import { COMMANDS, GLOBAL_OPTIONS, GROUPS } from './commands.ts';
import { EXIT, EXIT_MEANINGS } from './exit-codes.ts';
import { columns, wrapped } from './render/columns.ts';

/** Help for everything, for a group of commands, or for one command. */
export function helpText(topic?: Command | string): string {
  if (topic === undefined) return overview();
  return typeof topic === 'string' ? groupHelp(topic) : commandHelp(topic);
}

/** `etcd-datadir bolt stats [OPTIONS] FILE [PREFIX]`; options that must be given are named. */
export function synopsis({ words, arguments: specs, options }: Command): string {
  const required = Object.entries(options).filter(([, spec]) => spec.required === true);
  const named = required.map(([name, spec]) => optionText(name, { ...spec, short: undefined }));
  return ['etcd-datadir', ...words, ...named, '[OPTIONS]', ...specs.map(argumentText)].join(' ');
}

/** How an option is shown: `-f, --format auto|hex`. */
export function optionText(name: string, spec: OptionSpec): string {
  const value = spec.type === 'boolean' ? '' : ` ${spec.choices?.join('|') ?? spec.value ?? 'VALUE'}`;
  return `${spec.short === undefined ? '' : `-${spec.short}, `}--${name}${value}`;
}

/** What an option does, and its default. */
export function optionSummary(spec: OptionSpec): string {
  return `${spec.summary}${spec.default === undefined ? '' : ` (default: ${spec.default})`}`;
}

function argumentText({ name, optional, repeat }: ArgumentSpec): string {
  const text = repeat === true ? `${name}...` : name;
  return optional === true ? `[${text}]` : text;
}

function overview(): string {
  const single = COMMANDS.filter(({ words }) => words.length === 1);
  const groups = Object.entries(GROUPS).map(
    ([group, summary]) => `${group}: ${summary}\n${commandList(commandsRightIn(group))}`,
  );
  const codes = Object.entries(EXIT).map(([name, code]) => [`${code}`, EXIT_MEANINGS[name as keyof typeof EXIT]]);
  return [
    'Reads, checks and explains etcd data directories and bolt files. Never changes what it reads.\n',
    'usage: etcd-datadir COMMAND [OPTIONS] [ARGUMENTS]\n',
    `commands:\n${commandList(single)}`,
    ...groups,
    `options of all commands:\n${optionList(GLOBAL_OPTIONS)}`,
    `exit codes:\n${columns(codes)}`,
    "'etcd-datadir help COMMAND' tells more about a command.\n",
  ].join('\n');
}

function groupHelp(group: string): string {
  return [
    `etcd-datadir ${group}: ${GROUPS[group]}\n`,
    `commands:\n${commandList(commandsOf(group))}`,
    `'etcd-datadir help ${group} COMMAND' tells more about a command.\n`,
  ].join('\n');
}

function commandHelp(command: Command): string {
  const named = command.arguments.map((spec) => [argumentText(spec), spec.summary]);
  const differences = command.differences ?? [];
  return [
    `etcd-datadir ${command.words.join(' ')}: ${command.summary}\n`,
    `usage: ${synopsis(command)}\n`,
    ...(command.details ?? []).map((paragraph) => wrapped(paragraph)),
    ...(named.length === 0 ? [] : [`arguments:\n${columns(named)}`]),
    `options:\n${optionList({ ...command.options, ...GLOBAL_OPTIONS })}`,
    ...(differences.length === 0 ? [] : [`unlike ${followedProgram(command)}:\n${differences.map(bullet).join('')}`]),
  ].join('\n');
}

/** The program whose words a command follows. */
export function followedProgram({ words }: Command): string {
  return words[0] === 'bolt' ? 'bbolt' : 'etcdutl';
}

function bullet(text: string): string {
  return wrapped(text, 80, 4).replace(/^ {4}/, '  - ');
}

/** The commands of a group, those of the groups in it included. */
function commandsOf(group: string): Command[] {
  return COMMANDS.filter(({ words }) => words.join(' ').startsWith(`${group} `));
}

function commandsRightIn(group: string): Command[] {
  return COMMANDS.filter(({ words }) => words.slice(0, -1).join(' ') === group);
}

function commandList(commands: readonly Command[]): string {
  return columns(commands.map(({ words, summary }) => [words.join(' '), summary]));
}

function optionList(options: Readonly<Record<string, OptionSpec>>): string {
  return columns(Object.entries(options).map(([name, spec]) => [optionText(name, spec), optionSummary(spec)]));
}
