/**
 * Whether two lists of peer URLs are the same to etcd (`netutil.URLStringsEqual`): if they differ as they are written, etcd
 * looks up their hosts and compares again.
 *
 * For an address that needs no network, and this second look is taken here too: `http://[0::1]:2380` is `http://[::1]:2380`.
 * Names are not looked up: what a name resolves to on this machine now says nothing of the machine and the time the directory
 * is made for, and a data directory made twice must be the same. etcd waits up to 30 seconds for the answer; who relies on it
 * writes the same URL in both places instead.
 */
import { isDatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { compareBytewise } from './byte-order.ts';
import { type ByteText, quotedText } from './byte-text.ts';
import { type GoUrl, goUrlText, parseGoUrl } from './go-url.ts';
import { splitHostPort } from './host-port.ts';
import { type IpAddress, ipAddressText, parseIpAddress } from './ip-address.ts';

/** How the lists differ, in etcd's words; undefined if they do not. */
export function comparePeerUrls(a: readonly string[], b: readonly string[], minor: EtcdMinor): string | undefined {
  if (a.length !== b.length) return `len(${listText(a)}) != len(${listText(b)})`;
  const left = [...a].sort(compareBytewise).map(parseGoUrl);
  const right = [...b].sort(compareBytewise).map(parseGoUrl);
  if (firstDifference(left, right, minor) === undefined) return undefined;
  const resolvedLeft = sortedUrls(left.map(resolved));
  const resolvedRight = sortedUrls(right.map(resolved));
  const at = firstDifference(resolvedLeft, resolvedRight, minor);
  if (at === undefined) return undefined;
  const texts = `${quotedUrl(resolvedLeft[at]!)} != ${quotedUrl(resolvedRight[at]!)}`;
  if ([...left, ...right].some(hasName)) return `names are not resolved here: ${texts}`;
  if (minor !== '3.4') return `resolved urls: ${texts}`;
  const [from, to] = [quotedUrl(left[at]!), quotedUrl(right[at]!)];
  return `${quotedUrl(resolvedLeft[at]!)}(resolved from ${from}) != ${quotedUrl(resolvedRight[at]!)}(resolved from ${to})`;
}

function firstDifference(a: readonly GoUrl[], b: readonly GoUrl[], minor: EtcdMinor): number | undefined {
  const at = a.findIndex((url, i) => !areSame(url, b[i]!, minor));
  return at < 0 ? undefined : at;
}

function areSame(a: GoUrl, b: GoUrl, minor: EtcdMinor): boolean {
  if (minor !== '3.7') return goUrlText(a) === goUrlText(b);
  // Since 3.7 user, query and fragment do not count.
  return a.scheme === b.scheme && normalizedHost(a.host) === normalizedHost(b.host) && a.path === b.path;
}

/** The host with an address in its shortest form, as 3.7 compares hosts; all else as it is. */
function normalizedHost(host: ByteText): ByteText {
  const split = splitHostPort(host) ?? { host, port: '' };
  const address = addressOf(split.host.replace(/^[[\]]+|[[\]]+$/g, ''));
  if (address === undefined || address.zone !== '') return host;
  return inBrackets(ipAddressText(address)) + (split.port === '' ? '' : `:${split.port}`);
}

/** The URL with an address and the number of the port in their shortest form, as etcd writes them when it has resolved them. */
function resolved(url: GoUrl): GoUrl {
  const { address, port } = target(url) ?? {};
  if (address === undefined || port === undefined) return url;
  return { ...url, host: `${inBrackets(ipAddressText(address))}:${port.replace(/^0+(?=.)/, '') || '0'}` };
}

/** Whether etcd would have to ask for the address of this host. */
function hasName(url: GoUrl): boolean {
  const to = target(url);
  return to !== undefined && to.address === undefined && to.host !== 'localhost';
}

/** Where a URL of http leads; undefined for sockets, which etcd resolves no more than `localhost`. */
function target(url: GoUrl): { host: ByteText; port: ByteText; address: IpAddress | undefined } | undefined {
  const split = url.scheme === 'http' || url.scheme === 'https' ? splitHostPort(url.host) : undefined;
  return split && { ...split, address: addressOf(split.host) };
}

function addressOf(host: ByteText): IpAddress | undefined {
  try {
    return parseIpAddress(host);
  } catch (error) {
    if (!isDatadirError(error, 'USAGE')) throw error;
    return undefined;
  }
}

function inBrackets(address: ByteText): ByteText {
  return address.includes(':') ? `[${address}]` : address;
}

function sortedUrls(urls: readonly GoUrl[]): GoUrl[] {
  return [...urls].sort((a, b) => compareBytewise(goUrlText(a), goUrlText(b)));
}

/** Go's `%q` of a list. */
function listText(texts: readonly string[]): string {
  return `[${texts.map(quotedText).join(' ')}]`;
}

function quotedUrl(url: GoUrl): string {
  return quotedText(goUrlText(url));
}
