// Removes the named build products, given relative to the project's root.
import { rmSync } from 'node:fs';

for (const name of process.argv.slice(2)) {
  rmSync(new URL(`../${name}`, import.meta.url), { recursive: true, force: true });
}
