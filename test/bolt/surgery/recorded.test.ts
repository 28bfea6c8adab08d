// What bbolt's own surgery made of a file (fixtures/bolt-surgery) is made again here, byte for byte. A fixture added is a
// case added.
import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { listDbFixtures, readFixture, surgeryOf } from '../../support/fixtures.ts';
import { operateByWords } from './by-words.ts';

const made = listDbFixtures().filter(({ kind }) => kind === 'surgery');

describe('the outputs of bbolt surgery', () => {
  test.each(made.map((fixture) => ({ name: fixture.name, fixture })))('$name', ({ fixture }) => {
    const { source, command } = surgeryOf(fixture) ?? { source: '', command: '' };
    const file = memoryFile(readFixture(source));
    operateByWords(file, command.split(' ').slice(2));
    expect(Buffer.compare(file.bytes(), readFixture(fixture))).toBe(0);
  });
});
