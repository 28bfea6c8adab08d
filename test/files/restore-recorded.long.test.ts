// Every recorded restore that succeeded, of every release, through the library and through the command line.
import { test } from 'vitest';
import { judgeMade, madeCases } from './restore-recorded.ts';

test.each(madeCases())('$label', async (made) => {
  await judgeMade(made, 'library');
  await judgeMade(made, 'command');
});
