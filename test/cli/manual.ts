/**
 * docs/cli.md and docs/exit-codes.md, made from the table of commands and that of exit codes.
 */
import type { Command } from '../../src/cli/command.ts';
import { COMMANDS, GLOBAL_OPTIONS } from '../../src/cli/commands.ts';
import { EXIT, EXIT_MEANINGS } from '../../src/cli/exit-codes.ts';
import { followedProgram, optionSummary, optionText, synopsis } from '../../src/cli/help.ts';

const MADE = '<!-- Made from src/cli by `npx vitest run test/cli/help.test.ts -u`: change it there. -->\n';

export function cliPage(): string {
  const commands = COMMANDS.map(section).join('\n');
  return `${MADE}
# The command line

\`etcd-datadir COMMAND [OPTIONS] [ARGUMENTS]\`. Options may stand anywhere; \`--\` ends them. Results go to standard output;
progress, hints and errors to standard error. No command changes what it reads. Exit codes are in
[exit-codes.md](exit-codes.md).

Options of all commands:

${optionTable(GLOBAL_OPTIONS)}

Progress is shown on standard error when that is a terminal, unless \`--quiet\` is given or the variable \`CI\` is set.

## JSON

\`--json\` prints one document with \`"schema": 1\`; later versions may add fields. 64-bit values are decimal strings. Of
keys, names and values there are two fields: \`key\` is the text, or null where the bytes are not UTF-8, and \`keyHex\` the bytes in
hex; with the format \`redacted\` there is \`keySha256\` in place of both. \`check\` and \`bolt check\` always print
their report; any other command that cannot do what it was asked for prints \`{ "schema": 1, "error": { "code", "message", … } }\`.

## The bbolt tool

The commands of \`bolt\` take the arguments of the \`bbolt\` tool 1.5.0 and print the same text, byte for byte, for a
healthy file. Where it differs is told with each command. In general:

- most commands of bbolt lock the file, and so wait as long as etcd runs; this tool never does, and never writes
- bbolt panics or crashes on many damaged files; here that is an error that names the place
- bbolt ends with 1 for whatever went wrong, and prints its usage to standard error; see the [exit codes](exit-codes.md)
- names and keys on the command line are text; use \`--parse-format hex\` and \`--bucket-format hex\` for any other bytes
- what counts as printable follows the Unicode version of Node, which may be newer than that of bbolt

## Commands

${commands}`;
}

function section(command: Command): string {
  const { words, summary, details = [], differences = [], arguments: specs, options } = command;
  const rows = specs.map(({ name, summary: what }) => `| \`${name}\` | ${escaped(what)} |`);
  const parts = [
    `### ${words.join(' ')}`,
    `    ${synopsis(command)}`,
    `${capitalised(summary)}.`,
    ...details,
    ...(rows.length === 0 ? [] : [`| argument | |\n|---|---|\n${rows.join('\n')}`]),
    ...(Object.keys(options).length === 0 ? [] : [optionTable(options)]),
    ...(differences.length === 0
      ? []
      : [`Unlike ${followedProgram(command)}:\n\n${differences.map((text) => `- ${text}`).join('\n')}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function optionTable(options: Command['options']): string {
  const rows = Object.entries(options).map(
    ([name, spec]) => `| \`${escaped(optionText(name, spec))}\` | ${escaped(optionSummary(spec))} |`,
  );
  return `| option | |\n|---|---|\n${rows.join('\n')}`;
}

export function exitCodesPage(): string {
  const rows = Object.entries(EXIT).map(([name, code]) => `| ${code} | ${EXIT_MEANINGS[name as keyof typeof EXIT]} |`);
  return `${MADE}
# Exit codes

| code | meaning |
|---|---|
${rows.join('\n')}

"Problem found" never shares a code with "could not look": 1 says that something is wrong with the data (or that what was
asked for is not in it), 3 says that nothing is known about the data.

\`check\` ends by its verdict: healthy 0; repairable, stale, damaged and refused 1; undecided and unreadable 3; in-use 4.
A file that is known to be a db, because it begins like one or because \`bolt check\` was told so, is damaged, 1, however little
is left of it. A part in the middle that cannot be read is a finding; the rest is examined, and the verdict is undecided, 3,
unless damage was found elsewhere.

With 2 nothing has been read. With 5 please report what was printed; your data is not the cause, and was not changed.
When standard output is closed early (\`| head -1\`) a command stops quietly, with 0 or with the verdict it had come to.
`;
}

function capitalised(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

/** A bar would end the cell of a table. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
