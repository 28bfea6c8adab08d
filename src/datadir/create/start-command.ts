/**
 * The command line that starts a member which was made here.
 */
import type { NewMember } from '../../membership/new-cluster.ts';
import type { MemberUrls } from './client-urls.ts';

/** What goes into it. */
export interface StartParts {
  readonly member: NewMember;
  readonly urls: MemberUrls;
  readonly dataDir: string;
  /** If it is not in the data directory. */
  readonly walDir?: string | undefined;
}

/**
 * A command line for a shell. The members are in the log, so that no flag about the initial cluster is needed; the name and the URLs for
 * clients are published at the start.
 */
export function startCommand({ member, urls, dataDir, walDir }: StartParts): string {
  const words = [
    'etcd',
    ...['--name', member.name],
    ...['--data-dir', dataDir],
    ...(walDir === undefined ? [] : ['--wal-dir', walDir]),
    ...['--listen-peer-urls', urls.listenPeer.join(',')],
    ...['--listen-client-urls', urls.listenClient],
    ...['--advertise-client-urls', urls.advertiseClient],
  ];
  return words.map(quoted).join(' ');
}

/** A word for a shell, in quotes where it needs them. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
