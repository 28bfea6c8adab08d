/**
 * A small db as a one-member etcd 3.6.14 left it after a known sequence of requests, and what the real tools say of it.
 */
import { hex, makeDb, type Pairs } from './backend-db.ts';

const pairs = (lines: string): Pairs =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/) as [string, string])
    .map(([key, value]) => [hex(key), hex(value)]);

/** What is in the buckets that are not empty. */
export const GOLDEN_BUCKETS: Readonly<Record<string, Pairs>> = {
  auth: [['authRevision', hex('0000000000000001')]],
  cluster: [['clusterVersion', '3.6.0']],
  key: pairs(`
    00000000000000065f0000000000000000   0a01611006180620012a0134
    00000000000000075f0000000000000000   0a0274311007180720012a0178
    00000000000000075f0000000000000001   0a0274321007180720012a0179
    00000000000000085f0000000000000000   0a026c6b1008180820012a017630b424
    000000000000000a5f000000000000000074 0a0163
    000000000000000b5f0000000000000000   0a0164100b180b20012a0131
    000000000000000c5f0000000000000000   0a0164100b180c20022a0132
    000000000000000d5f0000000000000000   0a01611006180d20022a0135
    000000000000000e5f000000000000000074 0a027431
  `),
  lease: [[hex('0000000000001234'), hex('08b42410d804')]],
  members: [
    [
      '64674cd17a494f9e',
      '{"id":7234835788977491870,"peerURLs":["http://127.0.0.1:24001"],"name":"m1","clientURLs":["http://127.0.0.1:24000"]}',
    ],
  ],
  meta: [
    ['confState', '{"voters":[7234835788977491870],"auto_leave":false}'],
    ['consistent_index', hex('0000000000000014')],
    ['finishedCompactRev', hex('000000000000000a5f0000000000000000')],
    ['scheduledCompactRev', hex('000000000000000a5f0000000000000000')],
    ['storageVersion', '3.6.0'],
    ['term', hex('0000000000000002')],
  ],
};

/** Its hashes. */
export const GOLDEN_HASHES = {
  everything: 1298659996,
  byRule: { '3.4': 3578451020, '3.5': 4289472450, '3.6': 3742006287 },
} as const;

/** The bytes of such a file; `more` replaces or adds buckets. */
export function goldenDb(more: Readonly<Record<string, Pairs>> = {}): Promise<Uint8Array> {
  return makeDb({ ...GOLDEN_BUCKETS, ...more });
}
