/**
 * Sequences written by hand, each for one thing that a writer can get wrong. bbolt can leave only one file after each of
 * their steps, so that they can be compared byte for byte.
 */
import type { ByteText, Operation, Path, ValueSpec } from './writer-operations.ts';
import type { Sequence, SequenceStep } from './writer-sequence.ts';
import type { OpenOptions } from './writer-side.ts';

const AT: Path = ['bucket'];
const PAIR = 16 + 16; // a page header and an element: what a leaf of one key takes besides key and value

const key = (n: number): ByteText => `k${String(n).padStart(4, '0')}`;
const put = (n: number | ByteText, length: number, at: Path = AT): Operation => {
  const value: ValueSpec = [length, typeof n === 'number' ? n : n.length];
  return { op: 'put', at, key: typeof n === 'number' ? key(n) : n, value };
};
const remove = (n: number, at: Path = AT): Operation => ({ op: 'delete', at, key: key(n) });
const create = (...at: Path): Operation => ({ op: 'create', at });
const count = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

const commit = (...operations: readonly Operation[]): SequenceStep => ({ operations, commit: true });
const rollback = (...operations: readonly Operation[]): SequenceStep => ({ operations, commit: false });
const open = (options: OpenOptions = {}): SequenceStep => ({ open: options });

const sequence = (
  name: string,
  pageSize: number,
  steps: readonly SequenceStep[],
  options: OpenOptions = {},
): Sequence => ({ name, pageSize, options, steps });

const NONE: OpenOptions = { noFreelistSync: true };

function fills(): Sequence[] {
  return [0.05, 0.1, 0.3, 0.5, 0.9, 1, 2].map((percent) =>
    sequence(`fill-${percent}`, 1024, [
      commit(create('bucket'), { op: 'fill', at: AT, percent }, ...count(90, (i) => put(i * 2, 40))),
      // Into the middle, then at the end.
      commit({ op: 'fill', at: AT, percent }, ...count(40, (i) => put(i * 2 + 41, 60))),
      commit({ op: 'fill', at: AT, percent }, ...count(30, (i) => put(1000 + i, 90))),
      commit({ op: 'fill', at: AT, percent }, remove(40)),
    ]),
  );
}

/** Deletes one key a transaction until none is left: merges, and the tree becomes flat again level by level. */
function drained(name: string, order: (n: number) => number, length = 30): Sequence {
  const keys = 110;
  return sequence(`drain-${name}`, 512, [
    commit(create('bucket'), ...count(keys, (i) => put(i, length))),
    ...count(keys, (i) => commit(remove(order(i)))),
    commit(put(5, 10)),
  ]);
}

/** A root leaf of one or several elements whose size is a page, or a byte off. */
function pageEdges(): Sequence {
  const size = 1024;
  const steps: SequenceStep[] = [];
  for (const elements of [1, 4, 5, 6]) {
    for (const off of [-1, 0, 1]) {
      const at = [`e${elements}`];
      const each = Math.floor((size - 16) / elements) - 16 - 5;
      const rest = size + off - 16 - elements * (16 + 5 + each);
      steps.push(commit(create(...at), ...count(elements, (i) => put(i, each + (i === 0 ? rest : 0), at))));
      steps.push(commit({ op: 'deleteBucket', at }));
    }
  }
  return sequence('page-edges', size, steps);
}

/** The size at which a bucket is no longer kept inline, with one key of a byte. */
function inlineEdges(): Sequence {
  const limit = 1024 / 4 - PAIR - 1;
  return sequence('inline-edges', 1024, [
    commit(create('bucket'), put('k', limit)),
    commit(put('k', limit + 1)),
    commit(put('k', limit)),
    commit({ op: 'nextSequence', at: AT }),
    commit(put('k', 5000)),
    commit({ op: 'delete', at: AT, key: 'k' }),
    commit(create('bucket', 'inner')),
    commit(put('k', 1, ['bucket', 'inner'])),
    commit({ op: 'deleteBucket', at: ['bucket', 'inner'] }),
    rollback({ op: 'deleteBucket', at: AT }),
    commit({ op: 'deleteBucket', at: AT }),
  ]);
}

function largeValues(): Sequence {
  return sequence('large-values', 512, [
    commit(create('bucket'), put(0, 1500)),
    ...[2, 3, 4, 5].map((n) => commit(put(n, 512 * 3 - n))),
    commit(put(9, 20_000)),
    commit(put(9, 0), put(10, 511), put(11, 512), put(12, 513)),
    // The same runs of pages again, now from free ones.
    ...count(6, (i) => commit(put(i, 512 * (i % 4) + 100))),
    commit(...count(6, (i) => put(i, 12_000))),
  ]);
}

function longKeys(): Sequence {
  const long = (i: number, length: number): ByteText => `${key(i)}${'.'.repeat(length)}`;
  return sequence('long-keys', 1024, [
    commit(create('bucket'), ...count(12, (i) => put(long(i, 700), 3))),
    commit(...count(8, (i) => put(long(i * 10, 3000), 3))),
    commit(put(long(7, 32_763), 1), put(long(8, 32_764), 1)),
    commit({ op: 'delete', at: AT, key: long(7, 32_763) }),
    commit(create('n'.repeat(2000)), put(1, 900, ['n'.repeat(2000)])),
  ]);
}

function trees(): Sequence {
  const inner = ['bucket', 'a', 'b'];
  return sequence('bucket-trees', 1024, [
    commit(create('bucket'), create('bucket', 'a'), create(...inner), put(1, 10, inner)),
    commit(...count(30, (i) => put(i, 100, inner))),
    commit(put(2, 9000, inner), put(3, 10, ['bucket', 'a']), put(4, 10)),
    commit(create(...inner, 'c'), { op: 'nextSequence', at: inner }),
    commit({ op: 'deleteBucket', at: ['bucket', 'a'] }, create('bucket', 'a'), put(5, 20, ['bucket', 'a'])),
    commit(create('bucket', 'a', 'paged'), ...count(20, (i) => put(i, 120, ['bucket', 'a', 'paged']))),
    commit({ op: 'move', at: ['bucket', 'a', 'paged'], to: [] }),
    commit(put(7, 50, ['paged'])),
    commit({ op: 'move', at: ['paged'], to: AT }),
    commit({ op: 'move', at: ['bucket', 'a'], to: [] }),
    commit({ op: 'deleteBucket', at: ['bucket', 'paged'] }),
  ]);
}

const churn = (n: number): SequenceStep => commit(...count(12, (i) => put((n * 7 + i * 5) % 60, 60 + n)));

/** Pages that came and went between two readers are taken again; those that a reader has are not. */
function readers(): Sequence {
  const steps: SequenceStep[] = [commit(create('bucket'), ...count(60, (i) => put(i, 80)))];
  const turns = (from: number, n: number) => count(n, (i) => churn(from + i));
  steps.push(...turns(0, 2), { begin: 'a' }, ...turns(2, 4), { begin: 'b' }, { begin: 'c' }, ...turns(6, 4));
  steps.push(rollback(put(1, 3000)), ...turns(10, 1), { end: 'b' }, ...turns(11, 2), { end: 'a' }, ...turns(13, 3));
  steps.push({ begin: 'd' }, ...turns(16, 3), { end: 'c' }, ...turns(19, 3), { end: 'd' }, ...turns(22, 3));
  return sequence('readers', 1024, steps, { initialMmapSize: 1 << 20, allocSize: 32_768 });
}

function freelistModes(): Sequence {
  return sequence(
    'freelist-modes',
    1024,
    [
      commit(create('bucket'), ...count(60, (i) => put(i, 80))),
      ...[NONE, {}, {}, NONE, NONE, {}].flatMap((options, n) => [open(options), churn(n), commit(), churn(n + 10)]),
    ],
    NONE,
  );
}

/** Freelists that shrink id by id past the lengths that fill one page (62 ids at 512 bytes) and two, and grow again. */
function freelistSizes(): Sequence {
  return sequence('freelist-sizes', 512, [
    commit(create('bucket'), put(0, 512 * 150)),
    commit(put(0, 1)),
    ...count(110, (i) => commit(put(10 + i, 400))),
    commit(put(3, 512 * 200)),
    commit(put(3, 1)),
    commit(),
    commit(...count(90, (i) => put(200 + i, 100))),
  ]);
}

function growth(): Sequence[] {
  const steps = [commit(create('bucket')), ...count(7, (i) => commit(put(i, 4000 * 2 ** i)))];
  return [
    sequence('growth', 4096, [...steps, open(), commit(put(8, 10)), commit(put(9, 500_000))]),
    sequence('growth-mapped', 4096, steps, { initialMmapSize: 1 << 20 }),
    sequence('growth-step', 4096, steps, { initialMmapSize: 1 << 20, allocSize: 65_536 }),
    // Passes a map of just that size.
    sequence('growth-small-step', 4096, steps, { allocSize: 65_536 }),
    // Page by page, so that the file is just long enough at times.
    sequence('growth-by-pages', 4096, [commit(create('bucket')), ...count(24, (i) => commit(put(i, 3500)))], {
      initialMmapSize: 1 << 20,
      allocSize: 16_384,
      noFreelistSync: true,
    }),
    sequence('growth-unsynced', 4096, steps, { noGrowSync: true, noFreelistSync: true }),
    sequence('growth-16m', 4096, [commit(create('bucket'), put(1, 10)), commit(put(2, 17 << 20)), commit(put(3, 10))]),
    sequence('growth-etcd', 4096, [commit(create('bucket'), put(1, 10)), commit(put(2, 100_000))], {
      initialMmapSize: 64 << 20,
      noFreelistSync: true,
    }),
  ];
}

function pageSizes(): Sequence[] {
  return [256, 1000, 65_536].map((size) =>
    sequence(`pages-of-${size}`, size, [
      commit(create('bucket'), ...count(60, (i) => put(i, Math.floor(size / 9)))),
      commit(...count(20, (i) => put(i * 3, size + i))),
      commit(...count(3, (i) => put(100 + i, 3 * size))),
      open(NONE),
      commit(remove(7)),
      commit(...count(40, (i) => put(200 + i, 10))),
      open(),
      commit(remove(8)),
    ]),
  );
}

function refusals(): Sequence {
  return sequence('refusals', 1024, [
    commit(
      create('bucket'),
      create('bucket'),
      create(''),
      put('', 1),
      put('x'.repeat(32_769), 1),
      put('plain', 1),
      create('bucket', 'plain'),
      { op: 'createIfMissing', at: ['bucket', 'plain'] },
      { op: 'deleteBucket', at: ['bucket', 'plain'] },
      { op: 'deleteBucket', at: ['bucket', 'missing'] },
      create('bucket', 'inner'),
      put('inner', 1),
      { op: 'delete', at: AT, key: 'inner' },
      { op: 'cursorDelete', at: AT, key: 'inner' },
      { op: 'move', at: ['bucket', 'missing'], to: [] },
      { op: 'move', at: ['bucket', 'plain'], to: [] },
      { op: 'move', at: ['bucket', 'inner'], to: AT },
      put('k', 1, ['missing']),
      { op: 'delete', at: AT, key: 'missing' },
      { op: 'get', at: AT, key: 'inner' },
      { op: 'get', at: AT, key: 'plain' },
      { op: 'scan', at: AT },
      { op: 'setSequence', at: AT, sequence: '18446744073709551615' },
      { op: 'nextSequence', at: AT },
    ),
    commit(create('inner'), { op: 'move', at: ['bucket', 'inner'], to: [] }),
  ]);
}

/** All of them. */
export const edgeSequences: readonly Sequence[] = [
  sequence('nothing', 4096, [commit(), commit(), rollback(), commit()]),
  sequence('nothing-none', 4096, [commit(), commit(), rollback(), commit()], NONE),
  sequence('sequence-only', 1024, [
    commit(create('bucket')),
    commit({ op: 'nextSequence', at: AT }),
    commit(...count(30, (i) => put(i, 50))),
    commit({ op: 'setSequence', at: AT, sequence: '18446744073709551615' }),
    rollback({ op: 'nextSequence', at: AT }),
    commit({ op: 'nextSequence', at: AT }),
  ]),
  // Of five elements, the first three small, no place is found to stop at: the right piece gets three.
  sequence('split-without-stop', 512, [
    commit(create('bucket'), put(0, 1), put(1, 1), put(2, 1), put(3, 400), put(4, 400)),
    commit(put(5, 1), put(6, 1), put(7, 1)),
    commit(put(8, 1000), put(9, 1000), put(10, 1000), put(11, 1000)),
  ]),
  sequence('three-levels-at-once', 512, [
    commit(create('bucket'), ...count(700, (i) => put(i, 8))),
    commit(remove(350)),
  ]),
  sequence('no-value', 1024, [commit(create('bucket'), ...count(50, (i) => put(i, 0))), commit(put(3, 0), put(4, 1))]),
  drained('forward', (i) => i),
  drained('backward', (i) => 109 - i),
  drained('scattered', (i) => (i * 37) % 110),
  // Four elements of 28 bytes and the header are a quarter of a page: a node is merged at that size, not above it.
  drained('to-the-threshold', (i) => (i * 37) % 110, 7),
  // 16 elements of 31 bytes and the header are half a page to the last byte.
  sequence('split-at-the-threshold', 1024, [commit(create('bucket'), ...count(70, (i) => put(i, 10)))]),
  pageEdges(),
  inlineEdges(),
  largeValues(),
  longKeys(),
  trees(),
  readers(),
  freelistModes(),
  freelistSizes(),
  ...fills(),
  ...growth(),
  ...pageSizes(),
  refusals(),
];
