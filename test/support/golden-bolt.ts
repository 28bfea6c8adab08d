/**
 * Three small files byte for byte as bbolt 1.3 to 1.5 write them, put together from hex. The tests compare their MD5 with
 * that of Go's files, so that a slip in the hex shows.
 */
import { BoltEdit } from './bolt-edit.ts';

function write(file: Uint8Array, offset: number, hex: string): void {
  file.set(Buffer.from(hex.replace(/\s/g, ''), 'hex'), offset);
}

function writeMeta(file: Uint8Array, pageSize: number, page: 0 | 1, fields: readonly [number, number, number, number]) {
  const at = page * pageSize;
  const view = new DataView(file.buffer);
  view.setBigUint64(at, BigInt(page), true);
  write(file, at + 8, '0400 0000 00000000 EDDA0CED 02000000');
  view.setUint32(at + 24, pageSize, true);
  const [root, freelist, highWaterMark, txid] = fields;
  for (const [offset, value] of [
    [32, root],
    [48, freelist],
    [56, highWaterMark],
    [64, txid],
  ] as const) {
    view.setBigUint64(at + offset, BigInt(value), true);
  }
}

const CHECKSUMS = { fresh0: 0x07516e114689fdeen, fresh1: 0x264c351a5179480fn, widgets: 0xeef96d7a2c1b336en };

/** What `bbolt` leaves when it creates a file. */
export function freshFile(): Uint8Array {
  const file = new Uint8Array(16384);
  const view = new DataView(file.buffer);
  writeMeta(file, 4096, 0, [3, 2, 4, 0]);
  writeMeta(file, 4096, 1, [3, 2, 4, 1]);
  view.setBigUint64(72, CHECKSUMS.fresh0, true);
  view.setBigUint64(4096 + 72, CHECKSUMS.fresh1, true);
  write(file, 2 * 4096, '0200000000000000 1000 0000 00000000');
  write(file, 3 * 4096, '0300000000000000 0200 0000 00000000');
  return file;
}

/** The fresh file after one transaction: bucket "widgets" (inline, sequence 1) with foo=bar. */
export function widgetsFile(): Uint8Array {
  const file = new Uint8Array(32768);
  file.set(freshFile());
  writeMeta(file, 4096, 0, [4, 5, 6, 2]);
  new DataView(file.buffer).setBigUint64(72, CHECKSUMS.widgets, true);
  write(
    file,
    4 * 4096,
    `0400000000000000 0200 0100 00000000  01000000 10000000 07000000 36000000  77696467657473
     0000000000000000 0100000000000000  0000000000000000 0200 0100 00000000
     00000000 10000000 03000000 03000000 666F6F 626172`,
  );
  write(file, 5 * 4096, '0500000000000000 1000 0200 00000000  0200000000000000 0300000000000000');
  return file;
}

/** Pages of 1024 bytes: bucket "b" with k00…k19, each 100 × 'x', in four leaves (4 to 7) under branch 8; root leaf 9. */
export function branchFile(): Uint8Array {
  const pageSize = 1024;
  const file = new Uint8Array(32768);
  const view = new DataView(file.buffer);
  writeMeta(file, pageSize, 0, [9, 10, 11, 2]);
  writeMeta(file, pageSize, 1, [3, 2, 4, 1]);
  write(file, 2 * pageSize, '0200000000000000 1000 0000 00000000');
  write(file, 3 * pageSize, '0300000000000000 0200 0000 00000000');
  let key = 0;
  for (const [page, count] of [
    [4, 4],
    [5, 4],
    [6, 4],
    [7, 8],
  ] as const) {
    const at = page * pageSize;
    view.setBigUint64(at, BigInt(page), true);
    view.setUint16(at + 8, 2, true);
    view.setUint16(at + 10, count, true);
    for (let i = 0; i < count; i++, key++) {
      const element = at + 16 + 16 * i;
      const data = at + 16 + 16 * count + 103 * i;
      view.setUint32(element + 4, data - element, true);
      view.setUint32(element + 8, 3, true);
      view.setUint32(element + 12, 100, true);
      file.set(new TextEncoder().encode(`k${String(key).padStart(2, '0')}`), data);
      file.fill(0x78, data + 3, data + 103);
    }
  }
  write(
    file,
    8 * pageSize,
    `0800000000000000 0100 0400 00000000
     40000000 03000000 0400000000000000  33000000 03000000 0500000000000000
     26000000 03000000 0600000000000000  19000000 03000000 0700000000000000
     6B3030 6B3034 6B3038 6B3132`,
  );
  write(
    file,
    9 * pageSize,
    `0900000000000000 0200 0100 00000000  01000000 10000000 01000000 10000000  62
     0800000000000000 0000000000000000`,
  );
  write(file, 10 * pageSize, '0a00000000000000 1000 0200 00000000  0200000000000000 0300000000000000');
  const edit = new BoltEdit(file);
  edit.sealMeta(0);
  edit.sealMeta(1);
  return edit.bytes;
}
