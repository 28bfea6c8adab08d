/**
 * Tables as etcdctl and etcdutl draw them: heads in capitals and centred, cells at the right. From 3.7 on with lines of
 * their own characters, before that with `+`, `-` and `|`.
 */
import { compareMinors, type EtcdMinor } from '../../etcd-version.ts';

interface Lines {
  readonly across: string;
  readonly down: string;
  /** Corners and crossings: left, between, right. */
  readonly top: readonly [string, string, string];
  readonly middle: readonly [string, string, string];
  readonly bottom: readonly [string, string, string];
}

const DRAWN: Lines = {
  across: '─',
  down: '│',
  top: ['┌', '┬', '┐'],
  middle: ['├', '┼', '┤'],
  bottom: ['└', '┴', '┘'],
};

const PLAIN: Lines = {
  across: '-',
  down: '|',
  top: ['+', '+', '+'],
  middle: ['+', '+', '+'],
  bottom: ['+', '+', '+'],
};

/** Wider cells stick out: one very long name must not lengthen every row. */
const WIDEST = 1000;

/** A table with these heads, which are given as the tools name them, in any case. */
export function etcdTable(minor: EtcdMinor, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const drawn = compareMinors(minor, '3.7') >= 0;
  const lines = drawn ? DRAWN : PLAIN;
  const titles = heads.map((head) => head.toUpperCase());
  const body = rows.flatMap(cellLines);
  const widths = titles.map(textWidth);
  for (const cells of body) {
    cells.forEach((cell, i) => {
      widths[i] = Math.max(widths[i]!, Math.min(textWidth(cell), WIDEST));
    });
  }
  const rule = ([left, between, right]: Lines['top']): string =>
    `${left}${widths.map((width) => lines.across.repeat(width + 2)).join(between)}${right}\n`;
  const line = (cells: readonly string[]): string =>
    `${lines.down}${cells.map((cell) => ` ${cell} `).join(lines.down)}${lines.down}\n`;
  // The older tools draw the line below the heads of a table without rows too.
  const belowHeads = drawn && rows.length === 0 ? '' : rule(lines.middle);
  return [
    rule(lines.top),
    line(titles.map((title, i) => centred(title, widths[i]!))),
    belowHeads,
    ...body.map((cells) => line(cells.map((cell, i) => atRight(cell, widths[i]!)))),
    rule(lines.bottom),
  ].join('');
}

/** A row has as many lines as its highest cell. */
function cellLines(row: readonly string[]): string[][] {
  const split = row.map((cell) => cell.split('\n'));
  const height = Math.max(...split.map((cell) => cell.length));
  return Array.from({ length: height }, (_, at) => split.map((cell) => cell[at] ?? ''));
}

function atRight(text: string, width: number): string {
  return `${' '.repeat(Math.max(0, width - textWidth(text)))}${text}`;
}

/** A space that is left over goes to the right. */
function centred(text: string, width: number): string {
  const room = width - textWidth(text);
  const left = Math.floor(room / 2);
  return `${' '.repeat(left)}${text}${' '.repeat(room - left)}`;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cc}\p{Cf}]/u;

/** Columns that a text takes on a terminal: two for the characters of East Asia, none for marks. */
function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
