/**
 * Version texts as etcd's parser of semantic versions takes them.
 */

/** A version; what follows the three numbers is kept as text. */
export interface EtcdVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly text: string;
}

const SEMVER = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]*))?(?:\+([0-9A-Za-z.-]*))?$/;

/** Parses `3.6.0`; undefined if it is no version. */
export function parseVersion(text: string): EtcdVersion | undefined {
  const found = SEMVER.exec(text);
  if (found === null) return undefined;
  const [major, minor, patch] = [found[1], found[2], found[3]].map(Number) as [number, number, number];
  if (![major, minor, patch].every(Number.isSafeInteger)) return undefined;
  return { major, minor, patch, text };
}

/** Compares major and minor numbers: negative when `a` is older. */
export function compareMajorMinor(
  a: Pick<EtcdVersion, 'major' | 'minor'>,
  b: Pick<EtcdVersion, 'major' | 'minor'>,
): number {
  return a.major - b.major || a.minor - b.minor;
}
