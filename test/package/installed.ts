// The package as a user has it: packed by npm and unpacked into the node_modules of an empty project.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root, without a slash at the end. */
export const ROOT: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface Project {
  /** The project's directory, under the system's temporary directory. */
  readonly dir: string;
  remove(): void;
}

/**
 * Makes a project that has this package installed, and beside it the packages named in `also`, linked to ours. Nothing is
 * fetched. Expects dist/ to be built.
 */
export function projectWithPackage(also: readonly string[] = []): Project {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'etcd-datadir-consumer-')));
  const installed = join(dir, 'node_modules', 'etcd-datadir');
  mkdirSync(installed, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', dir], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = Object.values(JSON.parse(packed)) as [{ filename: string }];
  execFileSync('tar', ['-xzf', join(dir, filename), '-C', installed, '--strip-components=1']);
  for (const name of ['crc-32', 'protobufjs', 'long', ...also]) {
    const link = join(dir, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
