/**
 * Names of buckets and keys as they are given on the command line: text, hex or base64.
 */
import { decodeBase64 } from '../io/base64.ts';
import { usageError } from './arguments.ts';
import type { Invocation } from './command.ts';

/** The bytes that an argument stands for. */
export function byteArgument(name: string, text: string, format: string | true | undefined): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (format === 'base64') {
    const decoded = decodeBase64(bytes, 0, bytes.length);
    if (decoded instanceof Uint8Array) return decoded;
    throw usageError(`${name} must be base64, not '${text}': ${decoded.problem}`);
  }
  if (format !== 'hex') return bytes;
  if (!/^(?:[\da-f]{2})*$/i.test(text))
    throw usageError(`${name} must be hex with an even number of digits, not '${text}'`);
  return new Uint8Array(Buffer.from(text, 'hex'));
}

/** The path of a bucket. */
export function bucketArguments({ options }: Invocation, names: readonly string[]): Uint8Array[] {
  return names.map((name) => byteArgument('BUCKET', name, options['bucket-format']));
}
