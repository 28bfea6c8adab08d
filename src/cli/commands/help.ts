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
  const [first] = positionals;
  const command = findCommand(positionals);
  if (command !== undefined && command.words.length < positionals.length) {
    throw usageError(`there is no command '${positionals.join(' ')}'`);
  }
  if (command !== undefined) out.write(helpText(command));
  else if (first === undefined) out.write(helpText());
  else if (positionals.length === 1 && GROUPS[first] !== undefined) out.write(helpText(first));
  else throw noCommand(positionals);
  return EXIT.done;
}
