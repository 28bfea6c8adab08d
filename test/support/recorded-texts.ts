/**
 * Recorded texts by path, kept as one gzipped JSON: `{ "online/get-all.json": "…" }`, `{ base64 }` where a text is not UTF-8.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The bytes of each text. */
export function readRecordedTexts(path: string): ReadonlyMap<string, Uint8Array> {
  const stored = JSON.parse(gunzipSync(readFileSync(path)).toString('utf8')) as Record<
    string,
    string | { base64: string }
  >;
  return new Map(
    Object.entries(stored).map(([name, kept]) => [
      name,
      new Uint8Array(typeof kept === 'string' ? Buffer.from(kept) : Buffer.from(kept.base64, 'base64')),
    ]),
  );
}
