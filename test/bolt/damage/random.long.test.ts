import { describe, test } from 'vitest';
import { damageAtRandom } from './random.ts';

describe('several kinds of damage at once, many times', () => {
  test.each([
    ['bolt/small-512-stored', 100_000],
    ['bolt/small-512-none', 100_000],
    ['bolt/shapes-1024-stored', 3000],
    ['bolt/shapes-4096-none', 1000],
  ])('to %s', (name, runs) => {
    damageAtRandom(name, runs);
  });
});
