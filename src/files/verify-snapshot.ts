/**
 * The sha256 of a snapshot file, verified (Node): that of a large file by a thread of its own, while others read it.
 */
import { type Trailer, TrailerJob, trailerPresence } from '../backend/trailer.ts';
import { createNodeSha256 } from '../checksum/node-sha256.ts';
import { SHA256_LENGTH } from '../checksum/sha256.ts';
import { sha256InThread } from '../checksum/sha256-thread.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { FileSource } from '../io/file-source.ts';
import type { Phases } from './phases.ts';

/** From this size on a thread is worth its start. */
const LARGE = 64 << 20;

/** What is known at once, and what is still being found out. */
export interface Verification {
  readonly kind: 'snapshot' | 'db';
  /** Rejects with `SNAPSHOT_DAMAGED`. Of a small file it has been waited for already. */
  readonly verified: Promise<void>;
}

/**
 * Whether a file has a sha256, which then must be right, unless nobody wants to know. `end`: where its last page ends. Throws
 * `SNAPSHOT_DAMAGED` at once for what the length tells.
 */
export async function verifySnapshot(
  source: FileSource,
  end: number,
  { skip, signal }: { readonly skip: boolean; readonly signal?: AbortSignal | undefined },
  phases: Phases,
): Promise<Verification> {
  const { size } = source;
  if (size < end) throw damaged(source, `the file is cut off: it has ${size} bytes, its pages end at ${end}`);
  const presence = trailerPresence(size, end);
  if (skip) return { kind: presence === 'present' ? 'snapshot' : 'db', verified: Promise.resolve() };
  if (presence === 'missing') {
    throw damaged(
      source,
      'snapshot missing hash but --skip-hash-check=false: the db of a member has none, so skip the hash check (--skip-hash-check) if this is a copy of one; a snapshot file without it was cut off',
    );
  }
  if (presence === 'truncated') {
    throw damaged(
      source,
      `the sha256 at its end is cut off: it has ${size} bytes, its pages end at ${end} and 32 bytes must follow; 'etcd-datadir check' tells whether the db is whole, then the hash check can be skipped (--skip-hash-check)`,
    );
  }
  const here = async (): Promise<void> =>
    judge(source, await phases.run(new TrailerJob(source, end, createNodeSha256)));
  if (size < LARGE) {
    await here();
    return { kind: 'snapshot', verified: Promise.resolve() };
  }
  const verified = inThread(source, signal).catch((error: unknown) => {
    if (isDatadirError(error, 'UNSUPPORTED')) return here();
    throw error;
  });
  // Heard by whoever waits for it; until then it is no failure of nobody.
  verified.catch(() => {});
  return { kind: 'snapshot', verified };
}

async function inThread(source: FileSource, signal: AbortSignal | undefined): Promise<void> {
  const offset = source.size - SHA256_LENGTH;
  const stored = new Uint8Array(SHA256_LENGTH);
  source.readInto(stored, offset);
  const computed = await sha256InThread(source.descriptor, offset, signal);
  judge(source, {
    state: stored.every((byte, i) => byte === computed[i]) ? 'right' : 'wrong',
    stored,
    computed,
    offset,
  });
}

function judge(source: FileSource, { state, stored, computed }: Trailer): void {
  if (state === 'right') return;
  const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');
  throw damaged(
    source,
    `expected sha256 ${hex(stored)}, got ${hex(computed)}: the file is not what etcdctl snapshot save wrote; take another one, or see what 'etcd-datadir check' finds and skip the hash check (--skip-hash-check)`,
  );
}

function damaged({ path }: FileSource, words: string): DatadirError {
  return new DatadirError('SNAPSHOT_DAMAGED', `${path}: ${words}`, { path });
}
