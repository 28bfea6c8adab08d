/**
 * `bolt keys FILE BUCKET…`: the keys of a bucket, one a line.
 */

import { bucketArguments } from '../byte-arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withBolt } from '../open-bolt.ts';
import { Pace } from '../pace.ts';
import { type BytesFormat, formatBytes } from '../render/bytes-format.ts';
import { JsonList } from '../render/json.ts';
import { byteFields } from '../render/json-bytes.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out } = invocation;
  const [path, ...names] = positionals;
  const format = (options['format'] ?? 'auto') as BytesFormat;
  const bucketPath = bucketArguments(invocation, names);
  const pace = new Pace(invocation);
  return withBolt(invocation, async (db) => {
    const cursor = db.requireBucket(bucketPath).cursor();
    const list = json ? new JsonList(out, { schema: 1, path, bucket: names }, 'keys') : undefined;
    for (let element = cursor.first(); element !== undefined; element = cursor.next()) {
      const { key, isBucket, valueLength } = element;
      if (list === undefined) {
        out.write(formatBytes(key, format));
        out.write('\n');
      } else
        list.item({
          ...byteFields('key', key, format === 'redacted'),
          isBucket,
          ...(isBucket ? {} : { valueSize: valueLength }),
        });
      if (pace.due()) await pace.rest();
    }
    list?.end();
    return EXIT.done;
  });
}
