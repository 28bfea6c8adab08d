/**
 * Rounds of load on a real etcd, each ended by `kill -9`: the directory is checked and replayed offline, then the same etcd is started on it, and must
 * say what the replay has.
 */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { readAuth } from '../../src/backend/auth.ts';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { openDataDir } from '../../src/datadir/data-dir.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { listDataDir } from '../../src/files/data-dir-folder.ts';
import { replayWal } from '../../src/files/replay-to-file.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { drain } from '../../src/io/job.ts';
import { readAsSaid } from '../support/after-restart.ts';
import { passwordsOf } from '../support/after-restart-passwords.ts';
import { DB_PATH } from '../support/data-dir-fixtures.ts';
import { EtcdGateway } from '../support/etcd-gateway.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { Choices } from '../support/writer-random.ts';
import { copyDirectory, restartAndAsk, startSettled } from './replay-directory.ts';
import { HEADROOM, type LoadKind, PASSWORDS, ReplayLoad, ROOT_PASSWORD } from './replay-load.ts';

/** Where directories are kept of which a replay has something else than the server. */
const FAILURES = fileURLToPath(new URL('../../.cache/replay-failures/', import.meta.url));

/** A directory that is killed again and again. */
export interface KilledEtcd {
  readonly program: string;
  readonly minor: EtcdMinor;
  /** The data directory. */
  readonly directory: string;
  readonly choices: Choices;
}

/** What may be said of a directory that was killed, besides what is only told. */
const ALLOWED_FINDINGS = new Set(['WAL_TORN_TAIL']);
const ALLOWED_VERDICTS = ['healthy', 'repairable'];
/** Buckets that a start leaves as they are; `authUsers` too, where passwords are not hashed anew. */
const LASTING_BUCKETS = ['alarm', 'auth', 'authRoles', 'cluster', 'lease', 'members', 'members_removed'];

/** One round. Throws at a difference; tells what was done. */
export async function killAndCompare(killed: KilledEtcd, kind: LoadKind): Promise<string> {
  const { directory, minor } = killed;
  const done = await loadAndKill(killed, kind);
  const work = temporaryDirectory();
  const copy = join(work, 'copy');
  copyDirectory(directory, copy);
  const told = checkKilled(copy);
  try {
    return `${done}; ${await replayAndCompare(killed, copy, join(work, 'replayed'))}${told}`;
  } catch (error) {
    // `explain` and `replayWal` can be asked of it afterwards.
    const kept = join(FAILURES, `${minor}-${kind}-${Date.now()}`);
    mkdirSync(FAILURES, { recursive: true });
    copyDirectory(copy, kept);
    throw new Error(`${done}; the directory is kept in ${kept}`, { cause: error });
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Replays `copy` into `out`, then starts the server on the directory itself. */
async function replayAndCompare(
  { program, directory, choices, minor }: KilledEtcd,
  copy: string,
  out: string,
): Promise<string> {
  const { entries, revision } = await replayWal(copy, out);
  const replayed = new BackendFile(openFileSource(out));
  try {
    const password = replayed.read(readAuth).enabled ? ROOT_PASSWORD : undefined;
    const said = await restartAndAsk(program, directory, { password, lookBack: sampled(choices) });
    expect(`${revision.afterReplay}`, 'the revision').toBe(said.revision);
    expect(readAsSaid(replayed, said)).toEqual(said);
    const left = new BackendFile(openFileSource(join(directory, DB_PATH)));
    try {
      compareBuckets(replayed, left, minor);
    } finally {
      left.close();
    }
    return `${entries.replayed} entries to revision ${said.revision}, ${said.keys[0]?.lines.length} keys, ${said.leases.length} leases`;
  } finally {
    replayed.close();
  }
}

/** Starts it, loads it, kills it at some moment. */
export async function loadAndKill({ program, directory, choices }: KilledEtcd, kind: LoadKind): Promise<string> {
  // Little gets into the db, and the tail is long; or there is what a tenth of a second leaves.
  const longTail = choices.chance(0.4);
  const options = [
    ...(longTail || choices.chance(0.5) ? ['--backend-batch-interval=1h', '--backend-batch-limit=1000000'] : []),
    ...(longTail ? [] : choices.one([[], ['--snapshot-count=40'], ['--snapshot-count=200']])),
    ...(kind === 'auth' && choices.chance(0.5) ? [authToken()] : []),
  ];
  let authOn = false;
  if (existsSync(join(directory, DB_PATH))) {
    const before = new BackendFile(openFileSource(join(directory, DB_PATH)));
    authOn = before.read(readAuth).enabled;
    const used = before.db.highWaterMark * before.db.pageSize;
    if (kind === 'nospace') options.push(`--quota-backend-bytes=${used + HEADROOM}`);
    before.close();
  } else if (kind === 'nospace') options.push(`--quota-backend-bytes=${HEADROOM}`);
  const etcd = await startSettled(program, directory, options);
  const gateway = new EtcdGateway(etcd.url);
  try {
    const load = new ReplayLoad(gateway, choices, kind, { longTail });
    await load.prepare(authOn);
    const running = load.run();
    await setTimeout(choices.between(50, 900));
    await etcd.stop('SIGKILL');
    load.end();
    await running;
    return `${kind}: ${load.answered} requests, ${load.refused} refused`;
  } finally {
    gateway.close();
  }
}

/** Tokens that carry the auth revision they were given at: those that etcd makes by default are always of the newest. */
function authToken(): string {
  const folder = temporaryDirectory();
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const [pub, key] = [join(folder, 'jwt.pub'), join(folder, 'jwt.key')];
  writeFileSync(pub, publicKey);
  writeFileSync(key, privateKey);
  return `--auth-token=jwt,pub-key=${pub},priv-key=${key},sign-method=RS256,ttl=1h`;
}

/** The deep check of a directory as a kill leaves it: no false alarm. Gives what it told. */
export function checkKilled(directory: string): string {
  using dir = openDataDir(listDataDir(directory));
  const { verdict, findings } = drain(new DataDirCheckJob(dir, { level: 'deep' }));
  const alarming = findings.filter(({ code, severity }) => severity !== 'info' && !ALLOWED_FINDINGS.has(code));
  expect(alarming).toEqual([]);
  expect(ALLOWED_VERDICTS).toContain(verdict);
  const codes = [...new Set(findings.map(({ code }) => code))];
  return `; ${verdict}${codes.length === 0 ? '' : `, ${codes.join(' ')}`}`;
}

export const sampled =
  (choices: Choices) =>
  (oldest: number, current: number): number[] => [
    oldest,
    oldest + 1,
    current - 1,
    ...Array.from({ length: 6 }, () => choices.between(oldest, current)),
  ];

/** What the replay wrote, byte for byte what the server itself wrote in the buckets that it leaves as they are. */
function compareBuckets(replayed: BackendFile, left: BackendFile, minor: EtcdMinor): void {
  for (const bucket of LASTING_BUCKETS)
    expect([bucket, pairsOf(replayed, bucket)]).toEqual([bucket, pairsOf(left, bucket)]);
  // The entries of 3.4 have the passwords themselves: whoever applies one makes another hash of it.
  if (minor !== '3.4') expect(pairsOf(replayed, 'authUsers')).toEqual(pairsOf(left, 'authUsers'));
  else {
    const theirs = passwordsOf(left, () => PASSWORDS);
    expect(passwordsOf(replayed, (user) => [theirs[user] ?? ''])).toEqual(theirs);
  }
}

function pairsOf(file: BackendFile, bucket: string): string[] {
  const pairs: string[] = [];
  const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('latin1');
  file.db.bucket([bucket])?.forEach((key, value) => {
    pairs.push(`${text(key)} = ${text(value)}`);
  });
  return pairs;
}
