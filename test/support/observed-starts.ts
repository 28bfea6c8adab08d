/**
 * What real servers did with every damaged data directory (variant 0), put together from the three files that hold it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIXTURES } from './fixtures.ts';

/** One start of a server of that version. */
export interface ObservedStart {
  /** `timeout`: it ran, but never got to serve clients. `started, then died`: within 1.3 s. */
  readonly outcome: 'started' | 'exited' | 'timeout' | 'started, then died';
  /** Exit code, if it ended; 2 is a panic. */
  readonly exit?: number;
  /** Its fatal, panic and error lines and talk of repairs. */
  readonly words: readonly string[];
  /** Whether revision, keys and hash are those of the undamaged directory. Not known for `auth` and `underload`. */
  readonly sameAsHealthy?: boolean;
  readonly revision?: number;
  readonly keys?: number;
  /** What became of a put: `visible` right after, or how it was refused. */
  readonly put?: string;
  /** Paths that the server itself made or removed. */
  readonly filesAdded?: readonly string[];
  readonly filesRemoved?: readonly string[];
}

type Rows = Record<string, Record<string, ObservedStart>>;

let joined: Rows | undefined;

/** [etcd version][recipe]; `none-SCENARIO` is without damage. */
export function observedStarts(): Readonly<Record<string, Readonly<Record<string, ObservedStart>>>> {
  joined ??= readAll();
  return joined;
}

function readAll(): Rows {
  const all: Rows = {};
  for (const name of ['damaged-dir-observed', 'damaged-log-observed', 'damaged-backend-observed']) {
    type Stored = Omit<ObservedStart, 'words'> & { readonly words?: string | readonly string[] };
    const text = readFileSync(join(FIXTURES, `${name}.json`), 'utf8');
    for (const [version, rows] of Object.entries(JSON.parse(text) as Record<string, Record<string, Stored>>)) {
      all[version] ??= {};
      for (const [recipe, { words = [], ...row }] of Object.entries(rows)) {
        // Rows of snapshot files: no server was started on these.
        if (row.outcome === undefined) continue;
        all[version][recipe] = { ...row, words: typeof words === 'string' ? [words] : words };
      }
    }
  }
  return all;
}
