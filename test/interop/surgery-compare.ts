/**
 * The same surgery by the real bbolt and by this project, on the same file: the bytes that come out must be equal.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDatadirError } from '../../src/errors.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { operateByWords } from '../bolt/surgery/by-words.ts';
import { BoltEdit, BRANCH } from '../support/bolt-edit.ts';

/** What came of one operation on one file. */
export interface Compared {
  readonly words: string;
  /** `equal`; or how the two differ. */
  readonly outcome: string;
}

const REFUSED = 'refused by both';
const CUT = 'bbolt cuts data off';
/** Nothing is copied behind the end of the file here. */
const BEYOND = /^only bbolt does it: there is no page \d+ to \d+: the file has/;

/**
 * Runs operations that make sense for a file, at most about `limit` of them, beginning with another one for each `turn`.
 * `folder` is for the files that bbolt needs.
 */
export function compareSurgery(
  bbolt: string,
  bytes: Uint8Array,
  folder: string,
  limit = Number.POSITIVE_INFINITY,
  turn = 0,
): Compared[] {
  const source = join(folder, 'source.db');
  writeFileSync(source, bytes);
  const all = operations(bytes);
  const stride = Math.max(1, Math.ceil(all.length / limit));
  const chosen = all.filter((_, i) => i % stride === turn % stride);
  const compared = chosen.map((words) => compareOne(bbolt, source, bytes, words, folder));
  // A file without a freelist, for the rebuilding: the one that both have just agreed on.
  const abandoned = memoryFile(bytes);
  operateByWords(abandoned, ['freelist', 'abandon']);
  const unlisted = join(folder, 'unlisted.db');
  writeFileSync(unlisted, abandoned.bytes());
  return [...compared, compareOne(bbolt, unlisted, abandoned.bytes(), ['freelist', 'rebuild'], folder)];
}

function compareOne(bbolt: string, path: string, bytes: Uint8Array, words: string[], folder: string): Compared {
  const output = join(folder, 'output.db');
  rmSync(output, { force: true });
  const { status, stderr } = spawnSync(bbolt, ['surgery', ...words, path, '--output', output], { encoding: 'utf8' });
  const theirs = status === 0 ? readFileSync(output) : undefined;
  const file = memoryFile(bytes);
  let ours: Uint8Array | undefined;
  let reason = '';
  try {
    operateByWords(file, words);
    ours = file.bytes();
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    reason = error.message;
  }
  const name = words.join(' ');
  if (theirs === undefined || ours === undefined) {
    if (theirs === undefined && ours === undefined) return { words: name, outcome: REFUSED };
    if (theirs !== undefined) return { words: name, outcome: `only bbolt does it: ${reason}` };
    return { words: name, outcome: `only bbolt refuses it: ${stderr.split('\n')[0]}` };
  }
  const page = words[0] === 'clear-page-elements' ? Number(words[2]) : undefined;
  if (page !== undefined && cutsDataOff(theirs, ours, page)) return { words: name, outcome: CUT };
  return { words: name, outcome: difference(theirs, ours) };
}

/** Whether all that differs is that bbolt leaves the page fewer overflow pages than its data reaches into. */
function cutsDataOff(theirs: Uint8Array, ours: Uint8Array, page: number): boolean {
  const cut = new BoltEdit(theirs);
  const whole = new BoltEdit(ours);
  if (cut.overflow(page) >= whole.overflow(page)) return false;
  cut.setU32(cut.at(page, 12), whole.overflow(page));
  return Buffer.compare(cut.bytes, ours) === 0;
}

function difference(theirs: Uint8Array, ours: Uint8Array): string {
  if (theirs.length !== ours.length) return `${theirs.length} bytes by bbolt, ${ours.length} by us`;
  if (Buffer.compare(theirs, ours) === 0) return 'equal';
  const at = theirs.findIndex((byte, i) => byte !== ours[i]);
  return `byte ${at} differs`;
}

/** Operations as words of the command line. */
function operations(bytes: Uint8Array): string[][] {
  const bolt = new BoltEdit(bytes.slice());
  const words: string[][] = [
    ['revert-meta-page'],
    ['freelist', 'abandon'],
    ['freelist', 'rebuild'],
    ['copy-page', '--from-page', '0', '--to-page', '1'],
    ['copy-page', '--from-page', '1', '--to-page', '0'],
    ['clear-page', '--pageId', '3'],
  ];
  for (const page of ['0', '1']) {
    words.push(['meta', 'update', '--meta-page', page, '--fields', 'root:50']);
    words.push(['meta', 'update', '--meta-page', page, '--fields', 'root:43,freelist:62,pgid:256']);
    words.push(['meta', 'update', '--meta-page', page, '--fields', `pageSize:${bolt.pageSize}`]);
  }
  const pages = bolt.treePages();
  const branches = pages.filter((page) => bolt.flags(page) === BRANCH);
  const leaves = pages.filter((page) => bolt.flags(page) !== BRANCH);
  const long = pages.filter((page) => bolt.overflow(page) > 0);
  const chosen = new Set([...sample(branches, 3), ...sample(leaves, 4), ...sample(long, 4)]);
  for (const page of chosen) {
    const count = bolt.count(page);
    words.push(['clear-page', '--pageId', `${page}`]);
    const ranges = [
      [0, 1],
      [0, -1],
      [1, -1],
      [1, 2],
      [1, count - 1],
      [0, count],
      [count - 1, count],
      [Math.floor(count / 2), -1],
      [2, 5],
    ];
    for (const [from, to] of ranges) {
      const range = ['--from-index', `${from}`, '--to-index', `${to}`];
      words.push(['clear-page-elements', '--pageId', `${page}`, ...range]);
    }
    for (const other of sample([...chosen], 4)) {
      if (other !== page) words.push(['copy-page', '--from-page', `${page}`, '--to-page', `${other}`]);
    }
  }
  return words;
}

/** First, last, and some between. */
function sample<T>(list: readonly T[], n: number): T[] {
  if (list.length <= n) return [...list];
  return Array.from({ length: n }, (_, i) => list[Math.floor((i * (list.length - 1)) / (n - 1))] as T);
}

/**
 * What bbolt refuses though it could be done: files shorter than 4096 bytes, and pages with nearly as many overflow pages
 * as meta 0 knows pages.
 */
const NEEDLESS = /^only bbolt refuses it: .*(?:read Page size.*unexpected EOF|Interrupting to avoid risky OOM)/;

/** Whether the two agree, or differ in a way that is meant. */
export function isKnownDifference({ outcome }: Compared): boolean {
  return ['equal', REFUSED, CUT].includes(outcome) || NEEDLESS.test(outcome) || BEYOND.test(outcome);
}

/** A folder for the files of a comparison. */
export function surgeryFolder(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-surgery-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
