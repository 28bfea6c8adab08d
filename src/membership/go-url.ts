/**
 * URLs as Go's net/url parses them and writes them again. etcd makes the ids of members from the text that Go gives back:
 * scheme in lower case, host and port as they were, percent-encodings of the host and wrong ones of the path made anew.
 *
 *     goUrlText(parseGoUrl('HTTP://Host:02380')) // 'http://Host:02380'
 *
 * Go's parser became stricter over the years (of late: what is in brackets must be an IPv6 address, a host of http has at most one
 * colon). A binary of etcd has the parser of the Go that built it; here it is that of Go 1.26, whatever the version of etcd.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import { type ByteText, fromByteText, quoted, toByteText } from './byte-text.ts';
import { isEncoded, percentDecode, percentEncode, type UrlPart } from './go-url-escape.ts';
import { parseIpAddress } from './ip-address.ts';

/** A URL in its parts, decoded as in Go's struct of the same name. All are bytes: see `byte-text.ts`. */
export interface GoUrl {
  /** In lower case; empty if there is none. */
  readonly scheme: ByteText;
  /** What follows the scheme if that is no `/`. */
  readonly opaque: ByteText;
  readonly user: GoUserInfo | undefined;
  /** With the port; IPv6 in brackets. */
  readonly host: ByteText;
  readonly path: ByteText;
  /** The path as it was written, if Go would write it in another way. */
  readonly rawPath: ByteText;
  readonly rawQuery: ByteText;
  /** Whether there is a `?` with nothing behind it. */
  readonly forceQuery: boolean;
  /** Whether the path follows the scheme without `//`. */
  readonly omitHost: boolean;
  readonly fragment: ByteText;
  readonly rawFragment: ByteText;
}

interface GoUserInfo {
  readonly name: ByteText;
  readonly password: ByteText | undefined;
}

/** Parses a URL. Throws `USAGE` in Go's words, `parse "x": missing protocol scheme`. */
export function parseGoUrl(text: string): GoUrl {
  const bytes = toByteText(text);
  const [beforeFragment, fragment] = cut(bytes, '#');
  const url = prefixed(
    () => `parse ${quoted(beforeFragment)}: `,
    () => parseWithoutFragment(beforeFragment),
  );
  const decoded = prefixed(
    () => `parse ${quoted(bytes)}: `,
    () => percentDecode(fragment, 'fragment'),
  );
  return { ...url, fragment: decoded, rawFragment: rawOf(fragment, decoded, 'fragment') };
}

/** Go's `URL.String()`. */
export function goUrlText(url: GoUrl): string {
  let text = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') text += url.opaque;
  else {
    text += authorityText(url);
    const path = encodedText(url.path, url.rawPath, 'path');
    if (path !== '' && path[0] !== '/' && url.host !== '') text += '/';
    // Else its first part would be taken for a scheme.
    if (text === '' && cut(path, '/')[0].includes(':')) text += './';
    text += path;
  }
  if (url.forceQuery || url.rawQuery !== '') text += `?${url.rawQuery}`;
  if (url.fragment !== '') text += `#${encodedText(url.fragment, url.rawFragment, 'fragment')}`;
  return fromByteText(text);
}

function authorityText({ scheme, host, user, path, omitHost }: GoUrl): ByteText {
  if (host === '' && user === undefined && (scheme === '' || omitHost || path === '')) return '';
  const name = user === undefined ? '' : percentEncode(user.name, 'user');
  const password = user?.password === undefined ? '' : `:${percentEncode(user.password, 'user')}`;
  return `//${name}${password}${user === undefined ? '' : '@'}${percentEncode(host, 'host')}`;
}

/** The part as it was written where that is right, else in Go's encoding. */
function encodedText(decoded: ByteText, raw: ByteText, part: UrlPart): ByteText {
  if (raw !== '' && isEncoded(raw, part)) return raw;
  return part === 'path' && decoded === '*' ? '*' : percentEncode(decoded, part);
}

/** The part as it was written, unless Go would write it so anyway. */
function rawOf(text: ByteText, decoded: ByteText, part: UrlPart): ByteText {
  return percentEncode(decoded, part) === text ? '' : text;
}

function parseWithoutFragment(text: ByteText): GoUrl {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x1f\x7f]/.test(text)) throw usage('net/url: invalid control character in URL');
  let { scheme, rest } = splitScheme(text);
  const forceQuery = rest.indexOf('?') === rest.length - 1 && rest !== '';
  const [beforeQuery, rawQuery] = cut(rest, '?');
  rest = beforeQuery;
  let opaque = '';
  let user: GoUserInfo | undefined;
  let host = '';
  let omitHost = false;
  if (!rest.startsWith('/')) {
    if (scheme !== '') {
      opaque = rest;
      rest = '';
    } else if (cut(rest, '/')[0].includes(':')) throw usage('first path segment in URL cannot contain colon');
  } else if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const pathAt = rest.indexOf('/', 2);
    const authority = rest.slice(2, pathAt < 0 ? undefined : pathAt);
    rest = pathAt < 0 ? '' : rest.slice(pathAt);
    const at = authority.lastIndexOf('@');
    host = parseHost(scheme, authority.slice(at + 1));
    if (at >= 0) user = parseUserInfo(authority.slice(0, at));
  } else if (scheme !== '') omitHost = true;
  const path = percentDecode(rest, 'path');
  const rawPath = rawOf(rest, path, 'path');
  return { scheme, opaque, user, host, path, rawPath, rawQuery, forceQuery, omitHost, fragment: '', rawFragment: '' };
}

function splitScheme(text: ByteText): { scheme: ByteText; rest: ByteText } {
  if (text.startsWith(':')) throw usage('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  if (scheme === undefined) return { scheme: '', rest: text };
  return { scheme: scheme.toLowerCase(), rest: text.slice(scheme.length + 1) };
}

function parseUserInfo(text: ByteText): GoUserInfo {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(text)) throw usage('net/url: invalid userinfo');
  const colon = text.indexOf(':');
  if (colon < 0) return { name: percentDecode(text, 'user'), password: undefined };
  return { name: percentDecode(text.slice(0, colon), 'user'), password: percentDecode(text.slice(colon + 1), 'user') };
}

function parseHost(scheme: ByteText, text: ByteText): ByteText {
  const bracket = text.lastIndexOf('[');
  if (bracket > 0) throw usage('invalid IP-literal');
  if (bracket === 0) return parseBracketedHost(text);
  const colon = scheme === 'http' || scheme === 'https' ? text.indexOf(':') : text.lastIndexOf(':');
  if (colon >= 0) checkPort(text.slice(colon));
  return percentDecode(text, 'host');
}

function parseBracketedHost(text: ByteText): ByteText {
  const end = text.lastIndexOf(']');
  if (end < 0) throw usage("missing ']' in host");
  const port = text.slice(end + 1);
  checkPort(port);
  const inside = text.slice(1, end);
  const zoneAt = inside.indexOf('%25');
  const host =
    zoneAt < 0
      ? percentDecode(inside, 'host')
      : percentDecode(inside.slice(0, zoneAt), 'host') + percentDecode(inside.slice(zoneAt), 'zone');
  const address = prefixed(
    () => 'invalid host: ',
    () => parseIpAddress(host),
  );
  if (address.bytes.length === 4) throw usage('invalid IP-literal');
  return `[${host}]${port}`;
}

/** Nothing, or a colon and any number of digits. */
function checkPort(text: ByteText): void {
  if (!/^(?::[0-9]*)?$/.test(text)) throw usage(`invalid port ${quoted(text)} after host`);
}

/** The text before the first `separator` and that behind it. */
function cut(text: ByteText, separator: string): [ByteText, ByteText] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function usage(words: string): DatadirError {
  return new DatadirError('USAGE', words);
}

/** Puts words in front of those of an error. */
function prefixed<T>(prefix: () => string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw isDatadirError(error, 'USAGE') ? usage(prefix() + error.message) : error;
  }
}
