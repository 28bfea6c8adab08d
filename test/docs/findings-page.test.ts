import { expect, test } from 'vitest';
import { findingsPage } from './findings-page.ts';

test('docs/findings.md says what the tables of codes say (update with -u)', async () => {
  await expect(findingsPage()).toMatchFileSnapshot('../../docs/findings.md');
});
