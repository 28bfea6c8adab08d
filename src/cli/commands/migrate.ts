/**
 * `migrate PATH --target-version 3.x -o OUT`: a copy with the storage version of another release.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import { migrate } from '../../files/migrate.ts';
import type { Invocation } from '../command.ts';
import { copyOptions, inputPath, runEdit } from '../edit-copy.ts';
import { textOption } from '../new-members.ts';
import { editedJson, editedText } from '../render/edited.ts';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  const path = inputPath(invocation);
  // Only these are let through.
  const release = textOption(invocation, 'target-version') as EtcdMinor;
  const options = { ...copyOptions(invocation), force: invocation.options['force'] === true };
  const words = (version: string | null): string => version ?? 'none stored';
  return runEdit(invocation, path, (output) => migrate(path, output, release, options), {
    json: ({ from, to, notes, ...made }) => ({ ...editedJson(made), from, to, notes }),
    text: ({ from, to, notes, ...made }) =>
      editedText(path, made, [
        `storage version: ${words(to)}; before: ${words(from)}`,
        ...notes.map((note) => `note:       ${note}`),
      ]),
  });
}
