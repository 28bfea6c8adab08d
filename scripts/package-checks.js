// Checks the package as npm would publish it: packs it, then asks publint and attw about the tarball, and size-limit
// about the portable bundles. Expects a fresh dist/. Every check runs, also after one of them has failed.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'etcd-datadir-pack-'));

/** Runs one tool of node_modules/.bin and says whether it was content. */
function passes(tool, ...args) {
  console.log(`\n== ${tool}`);
  const { status } = spawnSync(join(root, 'node_modules', '.bin', tool), args, { cwd: root, stdio: 'inherit' });
  return status === 0;
}

try {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, entryCount, size, unpackedSize }] = Object.values(JSON.parse(packed));
  console.log(`${filename}: ${entryCount} files, ${size} bytes packed, ${unpackedSize} bytes unpacked`);
  const tarball = join(scratch, filename);
  const results = [
    passes('publint', 'run', '--strict', tarball),
    passes('attw', '--profile', 'esm-only', tarball),
    passes('size-limit'),
  ];
  if (results.includes(false)) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
