/**
 * The peer URLs of one member, by etcd's rules (`types.NewURLs`) and in its words.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { compareBytewise } from './byte-order.ts';
import { type GoUrl, goUrlText, parseGoUrl } from './go-url.ts';
import { splitHostPort } from './host-port.ts';

/** The port that etcd's members listen on for one another unless told otherwise. */
const DEFAULT_PEER_PORT = 2380;

/** What Go's `strings.TrimSpace` takes away: with U+0085, which `trim` leaves, and without U+FEFF, which `trim` takes. */
const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING_SPACE = new RegExp(`^${SPACE}+`);
const SPACE_CHARACTER = new RegExp(SPACE);

/**
 * The URLs as etcd writes them, sorted by their bytes. Throws `USAGE` in etcd's words, with what to write where the scheme was
 * forgotten. Spellings are kept: `http://h:2380` and `http://H:2380` are two URLs and make two ids.
 */
export function parsePeerUrls(texts: readonly string[], minor: EtcdMinor): readonly string[] {
  if (texts.length === 0) throw new DatadirError('USAGE', 'no valid URLs given');
  return texts.map((text) => parsePeerUrl(trimmed(text), minor)).sort(compareBytewise);
}

function parsePeerUrl(text: string, minor: EtcdMinor): string {
  try {
    const url = parseGoUrl(text);
    checkPeerUrl(url, text, minor);
    return goUrlText(url);
  } catch (error) {
    if (!isDatadirError(error, 'USAGE')) throw error;
    const advice = missingScheme(text, minor);
    throw advice === undefined ? error : new DatadirError('USAGE', `${error.message} (${advice})`);
  }
}

function checkPeerUrl({ scheme, host, path }: GoUrl, text: string, minor: EtcdMinor): void {
  const socket = scheme === 'unix' || scheme === 'unixs';
  if (scheme !== 'http' && scheme !== 'https' && !socket) {
    throw new DatadirError('USAGE', `URL scheme must be http, https, unix, or unixs: ${text}`);
  }
  // Since 3.5.13 a unix URL is a path like any other; before, it had to look like one of http.
  if (socket && minor !== '3.4') return;
  if (splitHostPort(host) === undefined) {
    throw new DatadirError('USAGE', `URL address does not have the form "host:port": ${text}`);
  }
  if (path !== '') throw new DatadirError('USAGE', `URL must not contain a path: ${text}`);
}

/** What is missing and what to write for a text without scheme; undefined for one that has a scheme. */
function missingScheme(text: string, minor: EtcdMinor): string | undefined {
  if (text === '') return 'the URL is empty';
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|(?:https?|unixs?):)/i.test(text)) return undefined;
  const url = `http://${text.replace(/^:?\/+/, '')}`;
  for (const proposal of [url, `${url}:${DEFAULT_PEER_PORT}`]) {
    if (isPeerUrl(proposal, minor)) return `the scheme is missing: write ${proposal}`;
  }
  return 'the scheme is missing: a URL begins with http:// or https://';
}

function isPeerUrl(text: string, minor: EtcdMinor): boolean {
  try {
    checkPeerUrl(parseGoUrl(text), text, minor);
    return true;
  } catch (error) {
    if (!isDatadirError(error, 'USAGE')) throw error;
    return false;
  }
}

function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && SPACE_CHARACTER.test(text[end - 1]!)) end--;
  return text.slice(0, end).replace(LEADING_SPACE, '');
}
