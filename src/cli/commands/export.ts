/**
 * `export PATH`: all keys with their values as JSON lines.
 */
import { exportRecordsAs } from '../../backend/export-records.ts';
import { readRevisions } from '../../backend/revisions.ts';
import { isDatadirError } from '../../errors.ts';
import { uint64Argument } from '../arguments.ts';
import { byteArgument } from '../byte-arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { noteUnreadable, withBackend } from '../open-backend.ts';
import { streamOptions } from '../print-stream.ts';
import { ExportLines } from '../render/export-lines.ts';
import { jsonOf } from '../render/json.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, out, note } = invocation;
  const { prefix, rev } = options;
  const wanted = {
    prefix: typeof prefix === 'string' ? byteArgument('--prefix', prefix, options['key-format']) : undefined,
    revision: typeof rev === 'string' ? uint64Argument('--rev', rev) : undefined,
    allRevisions: options['all-revisions'] === true,
  };
  return withBackend(invocation, async ({ file }) => {
    const lines = new ExportLines();
    const records = exportRecordsAs(file, (record) => lines.add(record), { ...wanted, ...streamOptions(invocation) });
    try {
      for await (const _ of records.batches()) {
        // Only now it is known that the file was at rest while these were read.
        out.write(lines.take());
        await out.flush();
      }
    } catch (error) {
      // What was written looks complete otherwise.
      if (isDatadirError(error) && error.code !== 'ABORTED' && out.began) {
        out.write(`${jsonOf({ error: { code: error.code, message: error.message } })}\n`);
      }
      throw error;
    }
    const { compact } = file.read(readRevisions);
    if (wanted.allRevisions && compact > 0n) {
      note(`changes up to revision ${compact} were compacted: of each key at most the last one is left`);
    }
    noteUnreadable(invocation, records.unreadable);
    return EXIT.done;
  });
}
