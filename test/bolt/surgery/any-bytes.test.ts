// Whatever the bytes are, an operation ends with a result or with an error of this library, writes nothing when it is
// refused, and never writes outside of what it names.
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { isDatadirError } from '../../../src/errors.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { readFixture } from '../../support/fixtures.ts';
import { operateByWords } from './by-words.ts';

const page = fc.nat({ max: 40 });
const index = fc.integer({ min: -2, max: 12 });
const operation = fc.oneof(
  fc.constant(['revert-meta-page']),
  fc.constant(['freelist', 'abandon']),
  fc.constant(['freelist', 'rebuild']),
  fc.tuple(page, page).map(([from, to]) => ['copy-page', '--from-page', `${from}`, '--to-page', `${to}`]),
  page.map((id) => ['clear-page', '--pageId', `${id}`]),
  fc
    .tuple(page, index, index)
    .map(([id, from, to]) => [
      'clear-page-elements',
      '--pageId',
      `${id}`,
      '--from-index',
      `${from}`,
      '--to-index',
      `${to}`,
    ]),
  fc
    .tuple(fc.constantFrom('0', '1'), page)
    .map(([meta, root]) => ['meta', 'update', '--meta-page', meta, '--fields', `root:${root}`]),
);
const damage = fc.array(
  fc.record({
    // Metas and headers more often than the rest.
    at: fc.oneof(
      fc.nat({ max: 1104 }),
      fc.tuple(fc.nat({ max: 31 }), fc.nat({ max: 60 })).map(([id, at]) => id * 512 + at),
    ),
    value: fc.nat({ max: 255 }),
  }),
  { maxLength: 8 },
);

test.prop(
  [fc.constantFrom('bolt/small-512-stored', 'bolt/small-512-none'), damage, fc.array(operation, { maxLength: 4 })],
  {
    numRuns: 1500,
  },
)('any damage, any operations', (fixture, changes, operations) => {
  const bytes = readFixture(fixture).slice();
  for (const { at, value } of changes) bytes[at] = value;
  const file = memoryFile(bytes);
  for (const words of operations) {
    const before = file.bytes();
    try {
      operateByWords(file, words);
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      expect(error.code).not.toBe('INTERNAL');
      expect(Buffer.compare(file.bytes(), before)).toBe(0);
      continue;
    }
    if (words[0] !== 'freelist') expect(file.size).toBe(before.length);
  }
});
