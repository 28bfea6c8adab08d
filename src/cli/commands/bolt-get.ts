/**
 * `bolt get FILE BUCKET… KEY`: the value of a key, however large it is.
 */
import { compareKeys } from '../../bolt/compare-keys.ts';
import { usageError } from '../arguments.ts';
import { bucketArguments, byteArgument } from '../byte-arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { notThere, withBolt } from '../open-bolt.ts';
import { Pace } from '../pace.ts';
import { type BytesFormat, formatValue, hexOf, pageKeyText } from '../render/bytes-format.ts';
import { jsonOf } from '../render/json.ts';
import { byteFieldPieces, byteFields } from '../render/json-bytes.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out } = invocation;
  const [path, ...names] = positionals;
  const key = byteArgument('KEY', names.pop() ?? '', options['parse-format']);
  if (key.length === 0) throw usageError('KEY must not be empty');
  const bucketPath = bucketArguments(invocation, names);
  const format = (options['format'] ?? 'auto') as BytesFormat;
  const pace = new Pace(invocation);
  return withBolt(invocation, async (db) => {
    const element = db.requireBucket(bucketPath).cursor().seek(key);
    if (element === undefined || compareKeys(element.key, key) !== 0) {
      throw notThere('BOLT_KEY_NOT_FOUND', `key not found: ${pageKeyText(key)} (hex ${hexOf(key)})`);
    }
    if (element.isBucket) throw notThere('BOLT_INCOMPATIBLE_VALUE', `${pageKeyText(key)} is a bucket, it has no value`);
    const value = () => element.valueChunks();
    const head = { schema: 1, path, bucket: names, ...byteFields('key', key) };
    if (json) out.write(`${jsonOf({ ...head, valueSize: element.valueLength }).slice(0, -1)},`);
    const pieces = json
      ? byteFieldPieces('value', value, format === 'redacted')
      : formatValue(value, element.valueLength, format);
    for (const piece of pieces) {
      out.write(piece);
      if (pace.due()) await pace.rest();
    }
    out.write(json ? '}\n' : '\n');
    return EXIT.done;
  });
}
