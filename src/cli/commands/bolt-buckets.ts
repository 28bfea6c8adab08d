/**
 * `bolt buckets FILE`: the names of the top-level buckets, one a line.
 */
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withBolt } from '../open-bolt.ts';
import { Pace } from '../pace.ts';
import { JsonList } from '../render/json.ts';
import { byteFields } from '../render/json-bytes.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, json, out } = invocation;
  const pace = new Pace(invocation);
  return withBolt(invocation, async (db) => {
    const list = json ? new JsonList(out, { schema: 1, path: positionals[0] }, 'buckets') : undefined;
    for (const bucket of db.buckets()) {
      if (list === undefined) {
        out.write(bucket.name);
        out.write('\n');
      } else {
        const { rootPage, inline, sequence } = bucket;
        list.item({ ...byteFields('name', bucket.name), rootPage, inline, sequence });
      }
      if (pace.due()) await pace.rest();
    }
    list?.end();
    return EXIT.done;
  });
}
