/**
 * Prints answers of any length as they are read.
 */
import type { RunOptions } from '../io/job.ts';
import type { Invocation } from './command.ts';
import { Pace } from './pace.ts';

/** For the reading of what is printed: Ctrl-C is heard, and progress is shown until the first item. */
export function streamOptions({ signal, out, showProgress }: Invocation): RunOptions {
  return { signal, onProgress: (progress) => showProgress(out.began ? undefined : progress) };
}

/** Calls `print` for each item, and sees to it that memory stays bounded meanwhile. */
export async function printEach<Item>(
  invocation: Invocation,
  items: { batches(): AsyncIterable<readonly Item[]> },
  print: (item: Item) => void,
): Promise<void> {
  const pace = new Pace(invocation);
  for await (const batch of items.batches()) {
    invocation.showProgress(undefined);
    for (const item of batch) {
      print(item);
      if (pace.due()) await pace.rest();
    }
  }
}
