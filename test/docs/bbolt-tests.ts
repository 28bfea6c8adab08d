// Reads the tables of docs/bbolt-tests.md.

/** Some tests of bbolt, with those of ours that ask for the same. */
export interface CounterpartRow {
  /** The heading above. */
  readonly section: string;
  readonly theirs: readonly string[];
  readonly ours: readonly { readonly file: string; readonly title: string }[];
  /** Why there are none of ours. */
  readonly leftOut: string | undefined;
}

/** All rows of all tables. Throws at one that it cannot read. */
export function readCounterparts(page: string): CounterpartRow[] {
  const rows: CounterpartRow[] = [];
  let section = '';
  for (const line of page.split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3);
    if (!line.startsWith('| `')) continue;
    const cells = /^\| (.+?) \| (.+) \|$/.exec(line);
    if (cells === null) throw new Error(`not a row of two cells: ${line}`);
    const theirs = cells[1].split(', ').map((name) => name.replace(/^`(\w+)`$/, '$1'));
    const leftOut = /^left out: (.+)$/.exec(cells[2])?.[1];
    const ours = leftOut === undefined ? cells[2].split('<br>').flatMap(parseEntry) : [];
    rows.push({ section, theirs, ours, leftOut });
  }
  return rows;
}

/** `file` › title, or a remark in italics, of which nothing is needed. */
function parseEntry(entry: string): { file: string; title: string }[] {
  if (/^\*.+\*$/.test(entry)) return [];
  const parts = /^`([\w/-]+)` › (.+)$/.exec(entry);
  if (parts === null) throw new Error(`neither a test nor a remark: ${entry}`);
  return [{ file: parts[1], title: parts[2] }];
}
