/**
 * Arguments, options and words that commands of several groups have in common.
 */
import type { ArgumentSpec, OptionSpec } from '../command.ts';

/** A bolt file to read. */
export const FILE: ArgumentSpec = { name: 'FILE', summary: 'the bolt file', complete: 'file' };

/** How many findings a check lists. */
export const MAX_FINDINGS: OptionSpec = {
  type: 'string',
  value: 'N',
  integer: { min: 0 },
  default: '1000',
  summary: 'list at most so many findings, the worst; all are counted',
};

/** Where a new file goes. */
export const OUTPUT: OptionSpec = {
  type: 'string',
  short: 'o',
  aliases: ['out'],
  value: 'PATH',
  required: true,
  summary: 'the new file; it must not exist',
};

/** For bolt files whose metas do not tell it. */
export const PAGE_SIZE: OptionSpec = {
  type: 'string',
  value: 'N',
  integer: { min: 256 },
  summary: 'the page size, for a file whose metas do not tell it',
};

/** Where all commands that look at single pages differ from bbolt. */
export const RAW_PAGES: string =
  'bbolt finds pages by meta 0 alone, without looking at its checksum; this command finds them as all others do, by whichever meta is valid';
