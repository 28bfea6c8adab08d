// What is made from proto/*.proto is up to date.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('generated files are those that the .proto files give', () => {
  const directory = temporaryDirectory();
  execFileSync(process.execPath, ['scripts/generate-proto.js', directory], { cwd: ROOT });
  for (const name of ['generated.js', 'generated.d.ts', 'schema.ts']) {
    const stored = readFileSync(join(ROOT, 'src/proto', name), 'utf8');
    expect(readFileSync(join(directory, name), 'utf8') === stored, `${name}: run scripts/generate-proto.js`).toBe(true);
  }
});
