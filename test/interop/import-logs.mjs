// Stores the log of a data directory as a fixture: the files of member/wal and member/snap without the db.
//
//   node test/interop/import-logs.mjs DATA_DIR VERSION/SCENARIO/MEMBER [RECORDINGS] [FOLDER]
//     DATA_DIR    has member/wal and member/snap, of a server that has ended
//     RECORDINGS  a folder with dump-logs.txt and dump-logs-raw.txt, what `etcd-dump-logs [-raw]` prints, and dump-db-meta.txt,
//                 what `etcd-dump-db iterate-bucket --decode DB meta` prints. Each may be gzipped. A file
//                 dump-logs-by-VERSION.txt is taken before dump-logs.txt: the tool of another version. Empty: there are none
//     FOLDER      of fixtures/, default: logs
//
// Writes fixtures/FOLDER/VERSION/SCENARIO/MEMBER.json, MEMBER.tar.gz and MEMBER.dumps.tar.gz. Files are stored up to their
// last byte that is not zero; the JSON has their sizes. The same input gives the same bytes.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const BLOCK = 512;

const [dataDirectory, name, recordings = '', folder = 'logs'] = process.argv.slice(2);
if (dataDirectory === undefined || !/^[^/]+\/[^/]+\/[^/]+$/.test(name ?? '')) {
  console.error('usage: import-logs.mjs DATA_DIR VERSION/SCENARIO/MEMBER [RECORDINGS] [FOLDER]');
  process.exit(2);
}

function withoutZeroTail(bytes) {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

/** Plain ustar, without owner, time or directories. */
function tar(files) {
  const parts = files.flatMap(([path, bytes, mode]) => {
    const head = Buffer.alloc(BLOCK);
    const octal = (value, at, length) => head.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
    if (Buffer.byteLength(path) > 100) throw new Error(`the name ${path} is too long for the archive`);
    head.write(path, 0);
    octal(mode, 100, 8);
    octal(0, 108, 8);
    octal(0, 116, 8);
    octal(bytes.length, 124, 12);
    octal(0, 136, 12);
    head.write('0ustar\x0000', 156, 'latin1');
    head.write('        ', 148, 'latin1');
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return [head, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

const write = (path, bytes) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
};

function recording(pattern) {
  const found = recordings === '' ? undefined : readdirSync(recordings).find((file) => pattern.test(file));
  if (found === undefined) return undefined;
  const bytes = readFileSync(join(recordings, found));
  return found.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

const files = ['snap', 'wal'].flatMap((part) => {
  const path = join(dataDirectory, 'member', part);
  return (existsSync(path) ? readdirSync(path) : [])
    .filter((file) => !(part === 'snap' && file === 'db'))
    .sort()
    .map((file) => {
      const bytes = readFileSync(join(path, file));
      const mode = statSync(join(path, file)).mode & 0o777;
      return { path: `${part}/${file}`, size: bytes.length, mode, stored: withoutZeroTail(bytes) };
    });
});
const consistentIndex = /"consistent_index", value=(\d+)/.exec(recording(/^dump-db-meta\.txt/)?.toString() ?? '')?.[1];

const target = join(FIXTURES, folder, name);
write(`${target}.tar.gz`, gzipSync(tar(files.map(({ path, stored, mode }) => [path, stored, mode])), { level: 9 }));
const listed = files.map(({ path, size, mode }) => ({ path, size, mode: mode.toString(8).padStart(4, '0') }));
write(`${target}.json`, `${JSON.stringify({ consistentIndex, files: listed }, null, 1)}\n`);

const dumps = ['dump-logs-raw', 'dump-logs'].flatMap((dump) => {
  const bytes = recording(new RegExp(`^${dump}-by-.*\\.txt`)) ?? recording(new RegExp(`^${dump}\\.txt`));
  if (bytes === undefined) return [];
  // Warnings on standard error begin with the time.
  const words = bytes.toString('latin1').replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d .*\n/gm, '');
  return [[`${dump}.txt`, Buffer.from(words, 'latin1'), 0o644]];
});
if (dumps.length > 0) write(`${target}.dumps.tar.gz`, gzipSync(tar(dumps), { level: 9 }));
