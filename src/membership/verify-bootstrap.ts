/**
 * What etcd checks before it makes a data directory, at bootstrap and at restore (`ServerConfig.VerifyBootstrap`).
 */
import { DatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { compareBytewise } from './byte-order.ts';
import { quotedText } from './byte-text.ts';
import { type InitialCluster, initialClusterText } from './initial-cluster.ts';
import { comparePeerUrls } from './same-peer-urls.ts';

/**
 * Checks, in this order, that the local member is one of the cluster, that the URLs it advertises (those of `parsePeerUrls`)
 * are those that the cluster has for it, and what `verifyNoDuplicateUrls` checks. Throws `USAGE` in etcd's words.
 */
export function verifyBootstrap(
  cluster: InitialCluster,
  name: string,
  advertised: readonly string[],
  minor: EtcdMinor,
): void {
  const urls = cluster.get(name);
  if (urls === undefined) {
    throw usage(`couldn't find local name ${quotedText(name)} in the initial cluster configuration`);
  }
  const difference = comparePeerUrls(advertised, urls, minor);
  if (difference !== undefined) throw mismatch(name, urls, advertised, difference);
  verifyNoDuplicateUrls(cluster, minor);
}

/** Checks that no URL comes twice, be it of one member or two, and that there are members at all. Throws `USAGE`. */
export function verifyNoDuplicateUrls(cluster: InitialCluster, minor: EtcdMinor = '3.7'): void {
  const seen = new Set<string>();
  for (const url of [...cluster.values()].flat()) {
    if (seen.has(url)) throw usage(`initial cluster ${initialClusterText(cluster)} has duplicate url`);
    seen.add(url);
  }
  if (seen.size === 0) {
    // 3.7 knows no discovery through a URL any more.
    throw usage(`initial cluster unset and no discovery ${minor === '3.7' ? 'endpoints' : 'URL'} found`);
  }
}

function mismatch(
  name: string,
  urls: readonly string[],
  advertised: readonly string[],
  difference: string,
): DatadirError {
  const given = [...advertised].sort(compareBytewise);
  const notAdvertised = without(urls, advertised);
  if (notAdvertised.length > 0) {
    const missing = notAdvertised.map((url) => `${name}=${url}`).join(',');
    return usage(
      `--initial-cluster has ${missing} but missing from --initial-advertise-peer-urls=${given.join(',')} (${difference})`,
    );
  }
  // What follows the flag is not its value but what it would have to be: so says etcd.
  const wanted = initialClusterText(new Map([[name, advertised]]));
  const notInCluster = without(advertised, urls);
  if (notInCluster.length > 0) {
    return usage(
      `--initial-advertise-peer-urls has ${notInCluster.join(',')} but missing from --initial-cluster=${wanted}`,
    );
  }
  return usage(`failed to resolve ${given.join(',')} to match --initial-cluster=${wanted} (${difference})`);
}

/** Those of `urls` that are not among the others, each once. etcd has them in any order, we sort them. */
function without(urls: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return [...new Set(urls)].filter((url) => !known.has(url)).sort(compareBytewise);
}

function usage(words: string): DatadirError {
  return new DatadirError('USAGE', words);
}
