/**
 * `defrag PATH -o OUT`: a copy without free pages in the db.
 */
import { defrag } from '../../files/defrag.ts';
import type { Invocation } from '../command.ts';
import { copyOptions, inputPath, runEdit } from '../edit-copy.ts';
import { editedJson, editedText } from '../render/edited.ts';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  const path = inputPath(invocation);
  return runEdit(invocation, path, (output) => defrag(path, output, copyOptions(invocation)), {
    json: editedJson,
    text: (made) => editedText(path, made),
  });
}
