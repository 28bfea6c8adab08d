/** Reads the archives of fixtures/logs: plain ustar with regular files only. Trusts its input. */
const BLOCK = 512;

/** The files of an archive by path. The bytes are views of `archive`. */
export function readTar(archive: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const text = (start: number, length: number): string =>
    new TextDecoder('latin1').decode(archive.subarray(start, start + length)).replace(/\0.*$/s, '');
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    files.set(text(at, 100), archive.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
