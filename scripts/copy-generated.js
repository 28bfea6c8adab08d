// The compiler reads src/proto/generated.d.ts and leaves both of its files where they are: brings them to dist.
import { copyFileSync } from 'node:fs';

for (const name of ['generated.js', 'generated.d.ts']) {
  copyFileSync(new URL(`../src/proto/${name}`, import.meta.url), new URL(`../dist/proto/${name}`, import.meta.url));
}
