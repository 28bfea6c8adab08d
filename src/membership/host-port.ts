/**
 * Host and port as Go's `net.SplitHostPort` takes them apart: `10.0.0.1:2380`, `[::1]:2380`, and also `:2380` and `host:`.
 */
import type { ByteText } from './byte-text.ts';

/** The host without brackets, and the port; undefined where Go reports an error. */
export function splitHostPort(text: ByteText): { readonly host: ByteText; readonly port: ByteText } | undefined {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return undefined;
  let host = text.slice(0, colon);
  if (text[0] === '[') {
    const end = text.indexOf(']');
    if (end + 1 !== colon) return undefined;
    host = text.slice(1, end);
  } else if (host.includes(':') || host.includes(']')) return undefined;
  const port = text.slice(colon + 1);
  return host.includes('[') || /[[\]]/.test(port) ? undefined : { host, port };
}
