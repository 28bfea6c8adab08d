/**
 * `get PATH [KEY] [END]`: keys at a revision, asked and answered as by etcdctl.
 */
import { type RangeOptions, type RangeResult, rangeJob, type SortTarget } from '../../backend/range.ts';
import { fromKeyRange, type KeyRange, prefixRange } from '../../backend/range-bounds.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import { integerOption, uint64Argument, usageError } from '../arguments.ts';
import { byteArgument } from '../byte-arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { type BackendInput, noteUnreadable, runJob, withBackend } from '../open-backend.ts';
import { printEach } from '../print-stream.ts';
import { type Form, type FormKeyValue, RangeForm } from '../render/etcd-forms.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, json } = invocation;
  const request = readRequest(invocation);
  const form = json ? 'json' : ((options['write-out'] ?? 'simple') as Form);
  const hex = options['hex'] === true;
  if (hex && form !== 'simple') throw usageError('--hex is only for -w simple');
  const rangeForm = new RangeForm(form, (options['etcd-version'] ?? '3.7') as EtcdMinor, {
    keysOnly: request.keysOnly,
    countOnly: request.countOnly,
    printValueOnly: options['print-value-only'] === true,
  });
  return withBackend(invocation, async (input) => {
    const result = await runJob(invocation, rangeJob(input.file, request));
    await print(invocation, input, rangeForm, result, hex);
    noteUnreadable(invocation, result.unreadable);
    return EXIT.done;
  });
}

async function print(
  invocation: Invocation,
  { clusterId, memberId, raftTerm, fields }: BackendInput,
  form: RangeForm,
  { revision, keyValues, more, count }: RangeResult,
  hex: boolean,
): Promise<void> {
  const { out } = invocation;
  out.write(form.head({ clusterId, memberId, revision, raftTerm }));
  await printEach(invocation, keyValues, (keyValue) => out.write(form.item(hex ? inHex(keyValue) : keyValue)));
  out.write(form.tail(more, BigInt(count), fields));
}

function inHex(keyValue: FormKeyValue): FormKeyValue {
  return { ...keyValue, key: hexEscapes(keyValue.key), value: hexEscapes(keyValue.value) };
}

/** `\x66\x6f\x6f` for `foo`, as bytes. */
function hexEscapes(bytes: Uint8Array): Uint8Array {
  const text = new Uint8Array(bytes.length * 4);
  bytes.forEach((byte, i) => {
    text.set([0x5c, 0x78, HEX_DIGITS[byte >> 4]!, HEX_DIGITS[byte & 15]!], i * 4);
  });
  return text;
}

const HEX_DIGITS = new TextEncoder().encode('0123456789abcdef');

function readRequest({ positionals, options }: Invocation): RangeOptions {
  const revision = (name: string): bigint | undefined => {
    const text = options[name];
    return typeof text === 'string' ? uint64Argument(`--${name}`, text) : undefined;
  };
  const switches = (name: string): boolean => options[name] === true;
  if (switches('keys-only') && switches('print-value-only')) {
    throw usageError('--keys-only and --print-value-only exclude each other');
  }
  if (switches('keys-only') && switches('count-only'))
    throw usageError('--keys-only and --count-only exclude each other');
  const sortBy = options['sort-by'];
  const order = options['order'];
  return {
    ...readRange(positionals, options),
    revision: revision('rev'),
    limit: integerOption(options['limit'], 0),
    sortBy: typeof sortBy === 'string' ? (sortBy.toLowerCase() as SortTarget) : undefined,
    order: typeof order === 'string' ? readOrder(order, sortBy) : undefined,
    keysOnly: switches('keys-only'),
    countOnly: switches('count-only'),
    minModRevision: revision('min-mod-rev'),
    maxModRevision: revision('max-mod-rev'),
    minCreateRevision: revision('min-create-rev'),
    maxCreateRevision: revision('max-create-rev'),
  };
}

/** Keys come in ascending order anyhow: etcdctl does not ask for it. */
function readOrder(order: string, sortBy: string | true | undefined): RangeOptions['order'] {
  if (order === 'DESCEND') return 'descend';
  return sortBy === undefined || sortBy === 'KEY' ? undefined : 'ascend';
}

function readRange(positionals: readonly string[], options: Invocation['options']): KeyRange {
  const [, keyText = '', endText] = positionals;
  const bytes = (name: string, text: string): Uint8Array => byteArgument(name, text, options['key-format']);
  const key = bytes('KEY', keyText);
  const prefix = options['prefix'] === true;
  const fromKey = options['from-key'] === true;
  if (prefix && fromKey) throw usageError('--prefix and --from-key exclude each other');
  if (endText !== undefined) {
    if (prefix || fromKey) throw usageError('there is no END with --prefix and --from-key');
    if (key.length === 0) throw usageError('KEY must not be empty');
    return { key, rangeEnd: bytes('END', endText) };
  }
  if (prefix) return prefixRange(key);
  if (fromKey || positionals.length === 1) return fromKeyRange(key);
  if (key.length === 0) throw usageError('KEY must not be empty');
  return { key };
}
