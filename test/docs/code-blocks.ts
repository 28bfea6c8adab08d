// Finds the fenced code blocks of a Markdown text, and compares what a command printed with what the text shows.

export interface CodeBlock {
  /** The first word after the fence: `ts`, `console` … */
  readonly language: string;
  /** The other words after the fence: `run`, `no-run` … */
  readonly flags: readonly string[];
  /** Line of the opening fence, from 1. */
  readonly line: number;
  readonly code: string;
}

/** One `$ ` line of a console block, with the lines shown below it. */
export interface ConsoleCommand {
  readonly command: string;
  /** What the text shows as its output; undefined when it shows none. */
  readonly output: string | undefined;
}

/** All fenced blocks, in order. An indented fence (in a list) has its indentation removed from every line. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = markdown.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const opening = /^(\s*)(`{3,}|~{3,})\s*([^`]*)$/.exec(lines[i] ?? '');
    if (opening === null) continue;
    const [, indent = '', fence = '', info = ''] = opening;
    const line = i + 1;
    const code: string[] = [];
    for (i++; i < lines.length && lines[i]?.trim() !== fence; i++) {
      code.push((lines[i] ?? '').replace(new RegExp(`^ {0,${indent.length}}`), ''));
    }
    const [language = '', ...flags] = info.trim().split(/\s+/);
    blocks.push({ language, flags, line, code: code.join('\n') });
  }
  return blocks;
}

/**
 * Splits a console block into its commands. A command goes on in lines that begin with `> `, as a shell shows them, and in the next line if it
 * ends in a backslash.
 */
export function consoleCommands(code: string): ConsoleCommand[] {
  const commands: { command: string; output: string | undefined }[] = [];
  let continued = false;
  for (const line of code.split('\n')) {
    const last = commands.at(-1);
    if (continued && last !== undefined) last.command += `\n${line}`;
    else if (last !== undefined && last.output === undefined && /^> |^>$/.test(line))
      last.command += `\n${line.slice(2)}`;
    else if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: undefined });
    else if (last !== undefined) last.output = last.output === undefined ? line : `${last.output}\n${line}`;
    else throw new Error(`a console block begins with output: ${line}`);
    continued = line.endsWith('\\') && (continued || line.startsWith('$ '));
  }
  return commands;
}

/**
 * Whether printed output is what the text shows. In the text `…` stands for anything within a line, and a line of just `…`
 * for any number of lines; times (`12 ms`, `0.4 s`, `"elapsedMs": 12`) are equal to one another; spaces at line ends and
 * empty lines at the end do not count.
 */
export function matches(shown: string, printed: string): boolean {
  const pattern = normalise(shown)
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*' : `${line.split('…').map(escapeRegExp).join('.*')}\\n`))
    .join('');
  return new RegExp(`^${pattern}$`).test(`${normalise(printed)}\n`);
}

function normalise(output: string): string {
  return output
    .replace(/\b\d+(?:\.\d+)?( ?)(?:ms|s)\b/g, '0$1s')
    .replace(/("elapsedMs": ?)\d+(?:\.\d+)?/g, '$10')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n+$/, '');
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
