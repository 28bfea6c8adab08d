/**
 * Who asks: the header of a request in the log.
 */
import type { DecodedMessage } from '../../proto/messages.ts';

/** The user of a request, and what the rights were when it was made. */
export interface RequestHeader {
  /** Empty if nobody has said who they are. */
  readonly username: string;
  /** The revision of users and roles at that time; 0 if authentication was off. */
  readonly authRevision: bigint;
}

/** The header of an InternalRaftRequest; one that is not there is empty. */
export function headerOf(message: DecodedMessage): RequestHeader {
  const header = (message['header'] ?? {}) as { username?: string; auth_revision?: bigint };
  return { username: header.username ?? '', authRevision: header.auth_revision ?? 0n };
}
