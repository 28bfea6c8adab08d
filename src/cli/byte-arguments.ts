/**
 * Names of buckets and keys as they are given on the command line: text, or hex.
 */
import { usageError } from './arguments.ts';
import type { Invocation } from './command.ts';

/** The bytes that an argument stands for. */
export function byteArgument(name: string, text: string, format: string | true | undefined): Uint8Array {
  if (format !== 'hex') return new TextEncoder().encode(text);
  if (!/^(?:[\da-f]{2})*$/i.test(text))
    throw usageError(`${name} must be hex with an even number of digits, not '${text}'`);
  return new Uint8Array(Buffer.from(text, 'hex'));
}

/** The path of a bucket. */
export function bucketArguments({ options }: Invocation, names: readonly string[]): Uint8Array[] {
  return names.map((name) => byteArgument('BUCKET', name, options['bucket-format']));
}
