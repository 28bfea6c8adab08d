/**
 * `help [COMMAND]`: the same texts as `--help`.
 */
import { noCommand, usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { findCommand, GROUPS } from '../commands.ts';
import { EXIT } from '../exit-codes.ts';
import { helpText } from '../help.ts';

/** Runs the command. */
export function run({ positionals, out }: Invocation): number {
  const group = positionals.join(' ');
  const command = findCommand(positionals);
  if (command !== undefined && command.words.length < positionals.length) {
    throw usageError(`there is no command '${positionals.join(' ')}'`);
  }
  if (command !== undefined) out.write(helpText(command));
  else if (group === '') out.write(helpText());
  else if (GROUPS[group] !== undefined) out.write(helpText(group));
  else throw noCommand(positionals);
  return EXIT.done;
}
