/**
 * `bolt import -o DST [LINES]`: a new bolt file, made of JSON lines.
 */

import type { BuildSummary } from '../../bolt/build.ts';
import { isDatadirError } from '../../errors.ts';
import { importLines } from '../../files/import-lines.ts';
import type { ByteSource } from '../../io/byte-source.ts';
import { openFileSource } from '../../io/file-source.ts';
import { throwIfAborted } from '../../io/job.ts';
import { ioError } from '../../io/system-error.ts';
import { integerOption, usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonText } from '../render/json.ts';
import { counted, exactSize } from '../render/size.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, signal, showProgress: onProgress } = invocation;
  const [lines = '-'] = positionals;
  const percent = integerOption(options['fill-percent'], 100);
  if (percent > 100) throw usageError(`--fill-percent must be from 10 to 100, not ${percent}`);
  const build = {
    pageSize: integerOption(options['page-size'], 4096),
    fillPercent: percent / 100,
    freelistStored: options['freelist'] !== 'none',
    signal,
    onProgress,
  };
  const target = `${options['output']}`;
  if (lines === '-') {
    const chunks = untilAborted(invocation.stdin(), signal);
    return report(invocation, target, await importLines(target, chunks, { ...build, name: 'standard input' }));
  }
  const source = openFileSource(lines);
  try {
    const about = { name: lines, size: source.size };
    return report(invocation, target, await importLines(target, sourceChunks(source), { ...build, ...about }));
  } finally {
    source.close();
  }
}

function report({ json, out }: Invocation, path: string, { pairs, buckets, digest, size }: BuildSummary): number {
  if (json) out.write(jsonText({ schema: 1, path, buckets, pairs, digest, size }));
  else out.write(`${path}: ${counted(buckets, 'bucket')}, ${counted(pairs, 'key')}, ${exactSize(size)}\n`);
  return EXIT.done;
}

const CHUNK = 1 << 18;

/** Between two chunks the event loop runs, so that a signal is heard. */
async function* sourceChunks(source: ByteSource): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK);
  let length = source.readInto(chunk, 0);
  for (let at = 0; length > 0; length = source.readInto(chunk, at)) {
    yield chunk.subarray(0, length);
    at += length;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Whoever writes to standard input may never do so again; a signal must be heard all the same. */
async function* untilAborted(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let stop = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  signal.addEventListener('abort', stop);
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      throwIfAborted(signal);
      const next = await Promise.race([iterator.next(), aborted]);
      if (next?.done === true) return;
      if (next !== undefined) yield next.value;
    }
  } catch (error) {
    throw isDatadirError(error) ? error : ioError(error, 'standard input', 'reading');
  } finally {
    signal.removeEventListener('abort', stop);
    // Closes it, so that the program can end; not waited for, since somebody may still be asked for the next chunk.
    iterator.return?.().catch(() => {});
  }
}
