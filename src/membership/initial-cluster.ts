/**
 * The members of a new cluster as the flag `--initial-cluster` lists them (etcd's `types.URLsMap`).
 *
 *     parseInitialCluster('n1=http://10.0.0.1:2380,n2=http://10.0.0.2:2380', '3.6')
 */
import type { EtcdMinor } from '../etcd-version.ts';
import { compareBytewise } from './byte-order.ts';
import { parsePeerUrls } from './peer-urls.ts';

/** The peer URLs of each member by its name, the URLs sorted; iterates in order of name. Both orders are those of bytes. */
export type InitialCluster = ReadonlyMap<string, readonly string[]>;

/**
 * Parses the value of the flag. A name that comes again has several URLs; names are taken as they are, the empty one too.
 * An empty text, or one of commas alone, gives an empty map: etcd refuses that one later (`verifyBootstrap`). Throws `USAGE`
 * in etcd's words for the first name with a wrong URL.
 */
export function parseInitialCluster(text: string, minor: EtcdMinor): InitialCluster {
  const given = new Map<string, string[]>();
  for (const piece of text.split(',')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const name = equals < 0 ? piece : piece.slice(0, equals);
    const url = equals < 0 ? '' : piece.slice(equals + 1);
    const urls = given.get(name);
    if (urls === undefined) given.set(name, [url]);
    else urls.push(url);
  }
  return initialClusterOf([...given].map(([name, urls]) => [name, parsePeerUrls(urls, minor)]));
}

/** The map of these members, whose URLs are those of `parsePeerUrls`, in order of name. */
export function initialClusterOf(members: Iterable<readonly [string, readonly string[]]>): InitialCluster {
  return new Map([...members].sort(([a], [b]) => compareBytewise(a, b)));
}

/** The value of the flag for a cluster. Names and URLs with commas or `=` do not survive it, as in etcd. */
export function initialClusterText(cluster: InitialCluster): string {
  const pairs = [...cluster].flatMap(([name, urls]) => urls.map((url) => `${name}=${url}`));
  // etcd sorts the pairs, not the names: `a-b=…` comes before `a=…`.
  return pairs.sort(compareBytewise).join(',');
}
