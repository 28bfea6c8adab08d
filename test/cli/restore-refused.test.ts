/**
 * What etcd's own tools refused to restore, of every release, given to our command with the same flags: it refuses it too, in their words
 * where it has no better ones, and leaves nothing behind. Where it differs on purpose, the table says how and why.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDataDir } from '../support/check-made.ts';
import { inFolder } from '../support/in-folder.ts';
import { argumentsOf, prepareFolder } from '../support/restore-cases.ts';
import { type RestoredCase, restoredCases } from '../support/restored-by-etcd.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './run.ts';

interface Difference {
  /** Names of recorded cases, and the releases for which it is so; default: all of them. */
  readonly cases: readonly string[];
  readonly minors?: readonly string[];
  /** How our command ends, and how its words begin; without words it makes the directory. */
  readonly code: number;
  readonly words?: string | RegExp;
  readonly why: string;
}

const HASH = /^SOURCE: expected sha256 [0-9a-f]{64}, got [0-9a-f]{64}: /;
const NO_META = 'SOURCE: no valid meta page: ';

/** Every difference that is meant. */
const DIFFERENCES: readonly Difference[] = [
  {
    cases: ['data-dir-empty'],
    minors: ['3.4'],
    code: 0,
    why: 'an empty data directory is filled for every release; 3.4 wants none at all',
  },
  {
    cases: ['no-data-dir', 'no-data-dir-named'],
    minors: ['3.5'],
    code: 0,
    why: '3.5 alone has no default for --data-dir',
  },
  {
    cases: ['url-ipv6-two-spellings', 'url-ipv4-in-ipv6'],
    minors: ['3.4'],
    code: 0,
    why: 'two spellings of an address are the same for every release; some of 3.4 compare texts',
  },
  {
    cases: ['advertised-other', 'advertised-other-port', 'advertised-other-scheme', 'order-urls-before-duplicates'],
    minors: ['3.4'],
    code: 2,
    words:
      /^--initial-cluster has n1=http:\/\/10\.0\.0\.1:2380 but missing from --initial-advertise-peer-urls=\S+ \("http.*"\(resolved from "http/,
    why: 'releases of 3.4 differ in the words in brackets',
  },
  {
    cases: ['url-ipv6-without-brackets'],
    minors: ['3.4'],
    code: 2,
    words: 'parse "http://::1:2380": invalid port "::1:2380" after host',
    why: 'that etcdctl was built with an older Go, which found it later',
  },
  {
    cases: [
      'data-dir-not-empty',
      'data-dir-with-empty-member',
      'data-dir-is-a-file',
      'order-data-dir-before-wal-dir',
      'order-data-dir-before-source',
    ],
    minors: ['3.4'],
    code: 3,
    words: 'data-dir "DATA" not empty or could not be read',
    why: 'the words of later releases: 3.4 says that it exists',
  },
  {
    cases: ['data-dir-below-a-file'],
    code: 3,
    words: 'A/DATA: a part of the path is not a directory',
    why: 'our own words for errors of the file system',
  },
  {
    cases: ['missing'],
    code: 3,
    words: 'SOURCE: no such file or directory',
    why: 'our own words for errors of the file system',
  },
  {
    cases: ['directory', 'directory-skipped'],
    code: 3,
    words: 'SOURCE: not a data directory, there is no member in it',
    why: 'a data directory can be restored from, any other cannot',
  },
  {
    cases: ['db-without-hash', 'cut-by-hash'],
    code: 1,
    words: 'SOURCE: snapshot missing hash but --skip-hash-check=false: ',
    why: "etcd's words behind the path, and advice behind them",
  },
  {
    cases: ['cut-by-one'],
    code: 1,
    words:
      /^SOURCE: the sha256 at its end is cut off: it has \d+ bytes, its pages end at \d+ and 32 bytes must follow; /,
    why: 'told apart from a file that never had one',
  },
  {
    cases: ['hash-wrong', 'content-changed'],
    code: 1,
    words: HASH,
    why: 'in hexadecimal digits, as sha256sum prints it, in place of a list of decimal numbers',
  },
  {
    cases: [
      'empty-file',
      'empty-file-skipped',
      'ten-bytes',
      'ten-bytes-skipped',
      '31-bytes-skipped',
      '32-bytes',
      '32-bytes-skipped',
    ],
    code: 3,
    words: NO_META,
    why: 'the db is looked at first: there is none',
  },
  {
    cases: ['no-db-skipped', 'both-metas-skipped'],
    code: 1,
    words: /^SOURCE: the file is cut off: it has \d+ bytes, its pages end at \d+$/,
    why: "etcd's tools crash",
  },
  {
    cases: ['blank-without-meta', 'blank-no-buckets', 'bump-blank-only-meta'],
    code: 0,
    why: 'buckets that are missing are made; from 3.5 on the tools die, and leave a directory that no server starts on',
  },
  {
    cases: ['bump-1000', 'bump-1', 'bump-0', 'bump-from-cluster', 'bump-blank', 'bump-blank-only-meta'],
    minors: ['3.4'],
    code: 0,
    why: 'flags that the tool of a release does not have yet work for it all the same',
  },
  {
    cases: [
      'bump-0-mark-compacted',
      'bump-without-mark-compacted',
      'mark-compacted-alone',
      'order-bump-before-members',
    ],
    minors: ['3.4'],
    code: 2,
    words: '--mark-compacted required if --revision-bump > 0',
    why: 'as later releases, of which these flags are',
  },
  {
    cases: ['bump-most-of-int64', 'bump-past-int64', 'bump-uint64', 'bump-past-uint64'],
    code: 1,
    words: /^revision 351 raised by \d+ is \d+; there must be room below 2\^62 /,
    why: 'etcd makes a cluster that can write next to nothing, or whose revisions are below 0',
  },
  {
    cases: ['bump-not-a-number'],
    code: 2,
    words: "--bump-revision must be a number or auto, not 'x'",
    why: 'there is auto besides',
  },
  {
    cases: ['no-source'],
    code: 2,
    words: 'restore needs SNAPSHOT: ',
    why: 'our own words for the command line',
  },
  {
    cases: ['two-sources'],
    code: 2,
    words: "restore takes no argument 'OTHER'",
    why: 'our own words for the command line',
  },
  {
    cases: ['unknown-flag'],
    code: 2,
    words: 'restore has no option --learner',
    why: 'our own words for the command line',
  },
];

/** The exit code by etcd's own words: what is in the way is 3, all else about flags is 2; its own is 1 for both, and 128 for some. */
const IN_THE_WAY = /^(?:data-dir|wal-dir) "/;

function differenceOf({ name, minor }: RestoredCase): Difference | undefined {
  return DIFFERENCES.find(({ cases, minors }) => cases.includes(name) && (minors?.includes(minor) ?? true));
}

const cases = restoredCases()
  .filter((one) => one.exit !== 0 || differenceOf(one) !== undefined)
  .map((one) => ({ label: `${one.minor} ${one.name}`, one, difference: differenceOf(one) }));

test('every difference is one of a recorded case', () => {
  const names = new Set(restoredCases().map(({ name }) => name));
  expect(DIFFERENCES.flatMap((each) => each.cases).filter((name) => !names.has(name))).toEqual([]);
});

test.each(cases.filter(({ difference }) => difference?.code !== 0))('$label', async ({ one, difference }) => {
  const folder = temporaryDirectory();
  prepareFolder(one, folder);
  const before = contentOf(folder);
  const dry = await inFolder(folder, () => run([...argumentsOf(one), '--dry-run']));
  const { code, stdout, stderr } = await inFolder(folder, () => run(argumentsOf(one)));
  const [line = ''] = stderr.split('\n');
  expect(line).toMatch(/^etcd-datadir: /);
  const words = line.slice('etcd-datadir: '.length);
  if (difference === undefined) {
    const theirs = one.words.replace(/^Error: /, '');
    // Advice may follow.
    expect(words.slice(0, theirs.length)).toBe(theirs);
    expect(words.slice(theirs.length)).toMatch(/^(?: \(.*\))?$/);
    expect(code).toBe(IN_THE_WAY.test(theirs) ? 3 : 2);
  } else {
    if (typeof difference.words === 'string') expect(words.slice(0, difference.words.length)).toBe(difference.words);
    else expect(words).toMatch(difference.words as RegExp);
    expect(code, difference.why).toBe(difference.code);
  }
  expect(stdout).toBe('');
  expect(dry).toEqual({ code, stdout, stderr, bytes: dry.bytes });
  expect(contentOf(folder)).toEqual(before);
});

const made = cases.filter(({ difference }) => difference?.code === 0);

test.each(made)('$label: made all the same, and the release starts on it', async ({ one }) => {
  const folder = temporaryDirectory();
  prepareFolder(one, folder);
  const { code, stderr } = await inFolder(folder, () => run(argumentsOf(one)));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const dataDir = one.flag('--data-dir') ?? `${one.flag('--name') ?? 'default'}.etcd`;
  await checkDataDir(join(folder, dataDir), one.minor);
});

/** Paths, and bytes of files. */
function contentOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    paths.map((path) => {
      const at = join(folder, path);
      return [path, lstatSync(at).isFile() ? readFileSync(at, 'base64') : ''];
    }),
  );
}
