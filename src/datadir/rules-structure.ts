/**
 * Rules for the folders of a data directory: what kind of directory it is, and whether its folders are there.
 */
import { compareMinors, type EtcdMinor } from '../etcd-version.ts';
import type { Finding } from '../findings.ts';
import { type CrossReporter, dirFinding } from './cross-reporter.ts';
import type { DataDir } from './data-dir.ts';

/** So many names are told. */
const SHOWN_NAMES = 10;
/** The first release that does not know the v2 proxy. */
const FIRST_WITHOUT_PROXY: EtcdMinor = '3.6';

/** Reports what is wrong with the folders. False: there is nothing of a member to be looked at. */
export function checkStructure(dir: DataDir, reporter: CrossReporter): boolean {
  const { files, layout } = dir;
  const { root, member, snap, wal } = files;
  if (root.state === 'unreadable') {
    reporter.report('DIR_UNREADABLE', { reason: root.reason ?? 'no reason is known' }, { file: root.path });
    return false;
  }
  if (root.state === 'not-a-directory') {
    reporter.report('DIR_UNREADABLE', { reason: `${files.path} is a file, not a directory` }, { file: root.path });
    return false;
  }
  reporter.examined.push('names and types of the folders');
  reportNames(layout.strange, 'DIR_NAMES_STRANGE', reporter);
  reportNames(layout.leftovers, 'DIR_LEFTOVERS', reporter);
  switch (layout.kind) {
    case 'proxy':
      return false;
    case 'etcd-2.0':
      reporter.report('DIR_LAYOUT_2_0', {});
      return false;
    case 'empty':
    case 'missing':
      reporter.report('DIR_NOTHING_THERE', { kind: layout.kind });
      return false;
    case 'both':
      reporter.report('DIR_PROXY_BESIDE_MEMBER', {}, { file: 'proxy' });
      break;
    case 'member':
  }
  for (const folder of [member, snap, wal]) {
    const place = { file: folder.path };
    if (folder.state === 'unreadable') {
      reporter.report('DIR_UNREADABLE', { reason: folder.reason ?? 'no reason is known' }, place);
    } else if (folder.state === 'not-a-directory') {
      reporter.report('DIR_NOT_A_DIRECTORY', {}, place, folder === member ? 'corrupt' : 'repairable');
    }
  }
  return member.state === 'directory';
}

function reportNames(
  names: readonly string[],
  code: 'DIR_NAMES_STRANGE' | 'DIR_LEFTOVERS',
  reporter: CrossReporter,
): void {
  if (names.length === 0) return;
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '';
  reporter.report(code, { names: shown + more, count: `${names.length}` });
}

/** What a release says to the directory of a v2 proxy. */
export function proxyFinding(dir: DataDir, target: EtcdMinor): Finding[] {
  if (dir.layout.kind !== 'proxy') return [];
  const severity = compareMinors(target, FIRST_WITHOUT_PROXY) >= 0 ? 'refuse' : 'info';
  return [dirFinding('DIR_PROXY', { target }, { file: 'proxy' }, severity)];
}
