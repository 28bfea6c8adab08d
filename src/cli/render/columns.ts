/**
 * Rows of text in aligned columns, and text wrapped to a width.
 */

/** Pads every column but the last to its widest cell; `indent` and `gap` in spaces. */
export function columns(rows: readonly (readonly string[])[], indent = 2, gap = 2): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  }
  const lines = rows.map((row) => {
    const cells = row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd((widths[i] ?? 0) + gap)));
    return `${' '.repeat(indent)}${cells.join('')}`.trimEnd();
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** Breaks text at spaces so that no line is wider than `width`, words that are longer excepted. */
export function wrapped(text: string, width = 80, indent = 0): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((each) => `${' '.repeat(indent)}${each}\n`).join('');
}
