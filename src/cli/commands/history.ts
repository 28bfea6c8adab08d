/**
 * `history PATH KEY`: every version of a key that is left.
 */
import { readHistory } from '../../backend/history.ts';
import type { KeyVersion } from '../../backend/key-version.ts';
import { readRevisions } from '../../backend/revisions.ts';
import { integerOption, usageError } from '../arguments.ts';
import { byteArgument } from '../byte-arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { noteUnreadable, withBackend } from '../open-backend.ts';
import { printEach, streamOptions } from '../print-stream.ts';
import { jsonOf } from '../render/json.ts';
import { versionJson, versionLine } from '../render/key-versions.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out, note } = invocation;
  const key = byteArgument('KEY', positionals[1] ?? '', options['key-format']);
  if (key.length === 0) throw usageError('KEY must not be empty');
  const limit = integerOption(options['limit'], 0);
  return withBackend(invocation, async ({ file }) => {
    const { compact } = file.read(readRevisions);
    const history = readHistory(file, key, { limit, ...streamOptions(invocation) });
    let first: KeyVersion | undefined;
    let count = 0;
    if (json) out.write('[');
    await printEach(invocation, history, (version) => {
      first ??= version;
      if (json) out.write(`${count === 0 ? '\n' : ',\n'}  ${jsonOf(versionJson(version))}`);
      else out.write(versionLine(version));
      count++;
    });
    if (json) out.write(count === 0 ? ']\n' : '\n]\n');
    if (first === undefined) {
      note(`there is no record of this key${compact > 0n ? `; changes up to revision ${compact} were compacted` : ''}`);
    } else if (count !== limit && first.version !== 1n && compact > 0n) {
      note(`older versions were compacted, as all changes up to revision ${compact}`);
    }
    noteUnreadable(invocation, history.unreadable);
    return EXIT.done;
  });
}
