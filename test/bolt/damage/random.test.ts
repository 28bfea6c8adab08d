import { describe, test } from 'vitest';
import { damageAtRandom } from './random.ts';

describe('several kinds of damage at once', () => {
  test.each(['bolt/small-512-stored', 'bolt/small-512-none', 'bolt/shapes-1024-none'])(
    'to %s',
    { timeout: 120_000 },
    (name) => {
      damageAtRandom(name, name.includes('small') ? 2000 : 100);
    },
  );
});
