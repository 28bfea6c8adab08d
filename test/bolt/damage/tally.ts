/**
 * How much of which damage was found, as a table: rows are what was damaged, columns how.
 */
import type { Outcome } from './judge.ts';

interface Cell {
  total: number;
  found: number;
  noted: number;
}

export class Tally {
  readonly #rows = new Map<string, Map<string, Cell>>();
  readonly #columns: readonly string[];

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  add(row: string, column: string, outcome: Outcome): void {
    const cells = this.#rows.get(row) ?? new Map<string, Cell>();
    this.#rows.set(row, cells);
    const cell = cells.get(column) ?? { total: 0, found: 0, noted: 0 };
    cells.set(column, cell);
    cell.total++;
    if (outcome === 'found') cell.found++;
    if (outcome === 'noted') cell.noted++;
  }

  get rows(): string[] {
    return [...this.#rows.keys()];
  }

  /** A Markdown table; `rows` gives their order, `remark` the last column. */
  markdown(heading: string, rows: readonly string[], remark?: (row: string) => string): string {
    const heads = [heading, ...this.#columns, ...(remark === undefined ? [] : [''])];
    const lines = rows.map((row) => {
      const cells = this.#columns.map((column) => cellText(this.#rows.get(row)?.get(column)));
      return [row, ...cells, ...(remark === undefined ? [] : [remark(row)])];
    });
    const rule = heads.map(() => '---');
    return [heads, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }
}

function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  const { total, found, noted } = cell;
  const note = noted === 0 ? '' : `, noted ${percent(noted, total)}`;
  return `${percent(found, total)}${note} of ${total}`;
}

/** Never 100 % unless it is all, never 0 % unless it is none. */
function percent(part: number, whole: number): string {
  if (part === 0 || part === whole) return part === 0 ? '0 %' : '100 %';
  return `${Math.min(99, Math.max(1, Math.round((100 * part) / whole)))} %`;
}
