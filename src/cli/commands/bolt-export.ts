/**
 * `bolt export FILE`: the whole content as JSON lines.
 */
import { exportLines } from '../../bolt/export.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withBolt } from '../open-bolt.ts';
import { Pace } from '../pace.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { out } = invocation;
  const pace = new Pace(invocation);
  return withBolt(invocation, async (db) => {
    for (const chunk of exportLines(db)) {
      out.write(chunk);
      if (pace.due()) await pace.rest();
    }
    return EXIT.done;
  });
}
