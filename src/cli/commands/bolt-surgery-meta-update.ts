/**
 * `bolt surgery meta update FILE`: sets fields of a meta page and makes it valid.
 */
import { type MetaUpdate, planUpdateMeta } from '../../bolt/surgery/update-meta.ts';
import { uint64Argument, usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { metaFields } from '../render/meta.ts';
import { runSurgery } from '../surgery.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const page = invocation.options['meta-page'] === '1' ? 1 : 0;
  const fields = parseFields(invocation.options['fields']);
  return runSurgery(
    invocation,
    (source, options) => planUpdateMeta(source, page, fields, options),
    ({ changed, before, after, headerCorrected, otherPageSize }) => ({
      done: [
        ...(changed ? [`The meta page ${page} has been updated!`] : ['Nothing changed!']),
        ...(headerCorrected ? ['The header of the page, which was wrong, has been put right.'] : []),
      ],
      warnings:
        otherPageSize === undefined
          ? []
          : [`The page size of meta ${page} (${after.pageSize}) doesn't match the rest of the file (${otherPageSize})`],
      fields: { metaPage: page, changed, headerCorrected, before: metaFields(before), after: metaFields(after) },
    }),
  );
}

/** `root:16,freelist:8`, in bbolt's names. */
function parseFields(text: string | true | undefined): MetaUpdate {
  const fields: { -readonly [Name in keyof MetaUpdate]: MetaUpdate[Name] } = {};
  for (const field of typeof text === 'string' && text !== '' ? text.split(',') : []) {
    const [name = '', value, ...rest] = field.split(':');
    if (value === undefined || rest.length > 0) throw usageError(`--fields: '${field}' is not NAME:NUMBER`);
    const number = uint64Argument(`--fields ${name}`, value);
    switch (name) {
      case 'pageSize':
        if (number >= 2n ** 32n) throw usageError(`--fields pageSize must be below 2^32, not ${number}`);
        fields.pageSize = Number(number);
        break;
      case 'root':
        fields.root = number;
        break;
      case 'freelist':
        fields.freelist = number;
        break;
      case 'pgid':
        fields.highWaterMark = number;
        break;
      default:
        throw usageError(`--fields: '${name}' is not one of pageSize, root, freelist, pgid`);
    }
  }
  return fields;
}
