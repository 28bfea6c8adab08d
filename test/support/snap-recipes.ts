/**
 * Ways to damage (or to change without damage) the `.snap` files of a member, and what crashes leave beside them and
 * beside the log. Made for `busy`. What the real servers do with each is in fixtures/damaged-log-observed.json (variant 0).
 */
import { copyLog, type EditedLog, type LogRecipe } from './edited-log.ts';
import { bytesIn, encodeFields, numberIn, referenceCrc, withField } from './wal-edit.ts';

type Apply = LogRecipe['apply'];

const change =
  (apply: (log: EditedLog, variant: number) => void): Apply =>
  (log, variant) => {
    const copy = copyLog(log);
    apply(copy, variant);
    return copy;
  };

const snapNames = (log: EditedLog): string[] => [...log.snaps.keys()].filter((name) => name.endsWith('.snap')).sort();
/** Name and bytes of a `.snap` in order of name; negative numbers count from the newest. */
function snapAt(log: EditedLog, n: number): [name: string, bytes: Uint8Array] {
  const name = snapNames(log).at(n);
  const bytes = name === undefined ? undefined : log.snaps.get(name);
  if (name === undefined || !bytes) throw new Error(`the member has no .snap file ${n}`);
  return [name, bytes];
}

function flip(log: EditedLog, n: number, offset: number): void {
  const [name, bytes] = snapAt(log, n);
  const changed = bytes.slice();
  changed[offset]! ^= 1;
  log.snaps.set(name, changed);
}
const cut = (length: (variant: number) => number): Apply =>
  change((log, variant) => {
    const [name, bytes] = snapAt(log, -1);
    log.snaps.set(name, bytes.slice(0, length(variant)));
  });

/** The newest `.snap` once more, as of some entries later: index, CRC and name agree, the log has no record of it. */
function addOrphan(log: EditedLog, later: number): void {
  const raft = bytesIn(snapAt(log, -1)[1], 2);
  const metadata = bytesIn(raft, 2);
  const index = numberIn(metadata, 2) + BigInt(later);
  const data = withField(raft, 2, withField(metadata, 2, index));
  const hex = (value: bigint): string => value.toString(16).padStart(16, '0');
  const file = encodeFields([
    { number: 1, value: BigInt(referenceCrc(data)) },
    { number: 2, value: data },
  ]);
  log.snaps.set(`${hex(numberIn(metadata, 3))}-${hex(index)}.snap`, file);
}

type Row = Omit<LogRecipe, 'area' | 'base' | 'needs'> & Partial<Pick<LogRecipe, 'needs'>>;

const snaps: Row[] = [
  {
    name: 'snap-newest-data-flip',
    severity: 'repairable',
    what: 'one bit in the data of the newest .snap is flipped',
    apply: change((log, variant) => flip(log, -1, 60 + variant)),
  },
  {
    name: 'snap-newest-crc-flip',
    severity: 'repairable',
    what: 'the crc field of the newest .snap is changed',
    apply: change((log) => flip(log, -1, 1)),
  },
  {
    name: 'snap-newest-empty',
    severity: 'repairable',
    what: 'the newest .snap has zero bytes',
    apply: cut(() => 0),
  },
  {
    name: 'snap-newest-cut',
    severity: 'repairable',
    what: 'the newest .snap is cut to less than half',
    apply: cut((variant) => 1000 + 100 * variant),
  },
  {
    name: 'snap-newest-missing',
    severity: 'repairable',
    needs: 'dir',
    what: 'the newest .snap is gone, its WAL record is there',
    apply: change((log) => void log.snaps.delete(snapAt(log, -1)[0])),
  },
  {
    name: 'snap-older-flip',
    severity: 'info',
    what: 'one bit of an older .snap is flipped: not needed',
    apply: change((log, variant) => flip(log, 0, 50 + variant)),
  },
  {
    name: 'snap-all-flip',
    severity: 'repairable',
    what: 'every .snap is damaged; the WAL reaches back to the first entry',
    apply: change((log, variant) => snapNames(log).forEach((_, n) => void flip(log, n, 60 + variant))),
  },
  {
    name: 'snap-all-missing',
    severity: 'repairable',
    needs: 'dir',
    what: 'every .snap is gone; the WAL reaches back to the first entry',
    apply: change((log) => {
      for (const name of snapNames(log)) log.snaps.delete(name);
    }),
  },
  {
    name: 'snap-orphan',
    severity: 'healthy',
    needs: 'dir',
    what: 'a newer .snap without WAL record, whole in itself (crash between the two writes)',
    apply: change((log, variant) => addOrphan(log, 5 + variant)),
  },
  {
    name: 'snap-name-mismatch',
    severity: 'repairable',
    what: 'the newest .snap is the content of an older one: up to 3.6 that older one is used',
    apply: change((log) => void log.snaps.set(snapAt(log, -1)[0], snapAt(log, 0)[1])),
  },
];

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const FIRST_SEGMENT = '0000000000000000-0000000000000000.wal';

const leftovers: Row[] = [
  {
    name: 'dir-leftovers',
    severity: 'healthy',
    what: 'what crashes leave behind: wal/0.tmp, wal/*.wal.broken, snap/db.tmp.1234567, snap/tmp7654321, snap/*.snap.broken, snap/<index>.snap.db of an old index, member/.touch',
    apply: change((log) => {
      log.segments.set('0.tmp', { bytes: new Uint8Array(), size: 8192 });
      log.segments.set(`${FIRST_SEGMENT}.broken`, { bytes: ascii('old'), size: 3 });
      log.snaps.set('db.tmp.1234567', ascii('half'));
      log.snaps.set('tmp7654321', ascii('half'));
      log.snaps.set('0000000000000002-0000000000000009.snap.broken', new Uint8Array());
      log.snaps.set('0000000000000010.snap.db', ascii('old'));
      log.others.set('.touch', new Uint8Array());
    }),
  },
  {
    name: 'dir-wal-tmp-dirty',
    severity: 'healthy',
    what: 'wal/0.tmp holds old non-zero bytes; etcd reuses it without cleaning',
    apply: change(
      (log) => void log.segments.set('0.tmp', { bytes: new Uint8Array(1 << 20).fill(0xcd), size: 1 << 20 }),
    ),
  },
  {
    name: 'dir-wal-dir-tmp',
    severity: 'healthy',
    what: 'member/wal.tmp, left by a crash while the WAL was created',
    apply: change((log) => void log.others.set(`wal.tmp/${FIRST_SEGMENT}`, new Uint8Array(64))),
  },
];

export const snapRecipes: readonly LogRecipe[] = snaps.map((recipe) => ({
  area: 'snap',
  base: 'busy',
  needs: 'snap',
  ...recipe,
}));

/** Files that crashes leave in the folders of a member. */
export const leftoverRecipes: readonly LogRecipe[] = leftovers.map((recipe) => ({
  area: 'datadir',
  base: 'busy',
  needs: 'dir',
  ...recipe,
}));
