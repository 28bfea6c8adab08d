/**
 * The real programs that answers are compared with. They are looked for in the directory that ETCD_DATADIR_PEERS names,
 * else in `.cache/peers/` of the project, where test/interop/build-peers.sh puts them. One that is not there makes the
 * tests that need it skipped, and says so once.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../.cache/peers/', import.meta.url));

function peerFolder(): string {
  return process.env['ETCD_DATADIR_PEERS'] || CACHE;
}

const missed = new Set<string>();

function warnOnce(what: string, remedy: string): undefined {
  if (!missed.has(what)) console.warn(`\n!! ${what} is not here: tests that compare with it are SKIPPED (${remedy})\n`);
  missed.add(what);
  return undefined;
}

/** Path of a peer such as `bbolt-1.5.0`; undefined (and a warning) if it is not there. For `describe.skipIf`. */
export function findPeer(name: string): string | undefined {
  const path = join(peerFolder(), name);
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return warnOnce(name, 'test/interop/build-peers.sh builds it');
  }
}

/** The real etcd servers: peers named `etcd-VERSION`, and the `etcd` of PATH; a warning if there is none. */
export function findEtcds(): { readonly version: string; readonly path: string }[] {
  const folder = peerFolder();
  const candidates = existsSync(folder) ? readdirSync(folder).filter((name) => /^etcd-\d/.test(name)) : [];
  const found = [...candidates.map((name) => join(folder, name)), 'etcd'].flatMap((path) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    const version = /^etcd Version: (\S+)/.exec(stdout ?? '')?.[1];
    return version === undefined ? [] : [{ version, path }];
  });
  if (found.length === 0) warnOnce('etcd', 'a peer named etcd-VERSION, or the etcd of Debian’s etcd-server');
  return found;
}

/**
 * Builds a Go program of this project into a directory and gives the path of the command; undefined (and a warning)
 * without Go, or where its modules cannot be had.
 */
export function buildGo(source: URL, directory: string, name: string): string | undefined {
  const out = join(directory, name);
  const { status, error, stderr } = spawnSync('go', ['build', '-o', out, '.'], {
    cwd: fileURLToPath(source),
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (status === 0) return out;
  const reason = error === undefined ? stderr.trim().split('\n').at(-1) : error.message;
  return warnOnce(`${name}, a program in Go,`, `it could not be built: ${reason}`);
}

/**
 * As `buildGo`, but takes the command that test/interop/build-peers.sh has built, unless the source, or a folder that it
 * shares with other programs, is newer.
 */
export function findOrBuildGo(source: URL, directory: string, name: string, shared?: URL): string | undefined {
  const built = join(peerFolder(), name);
  const folders = [source, ...(shared === undefined ? [] : [shared])].map((url) => fileURLToPath(url));
  const files = folders.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  try {
    accessSync(built, constants.X_OK);
    const { mtimeMs } = statSync(built);
    if (files.every((file) => statSync(file).mtimeMs <= mtimeMs)) return built;
  } catch {
    // It is not there.
  }
  return buildGo(source, directory, name);
}
