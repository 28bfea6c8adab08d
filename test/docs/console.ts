// Runs the commands of a console block as one shell session, and compares what they print with what the text shows.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type ConsoleCommand, matches } from './code-blocks.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Between the outputs of two commands. */
const SEPARATOR = '--- next command, status ';

export const SHELL_PRELUDE = `
etcd-datadir() { ${quote(process.execPath)} ${quote(join(ROOT, 'dist', 'cli', 'bin.js'))} "$@"; }
npx() { [ "$1" = etcd-datadir ] || { echo "npx $1 is not among the examples' commands"; return 127; }; "$@"; }
exec 2>&1
`;

/** Runs them. `prelude`: what comes before the first. */
export function runCommands(commands: readonly ConsoleCommand[], cwd: string, prelude = '', timeoutMs = 25_000): void {
  // The status is put back after the separator, so that the next command can ask for it.
  const script = commands.map(
    ({ command }) => `${command}\n__status=$?; printf '\\n%s%d\\n' ${quote(SEPARATOR)} $__status; (exit $__status)\n`,
  );
  const printed = bash(`${SHELL_PRELUDE}${prelude}${script.join('')}true\n`, cwd, timeoutMs).split(
    new RegExp(`\n${SEPARATOR}(\\d+)\n`),
  );
  commands.forEach(({ command, output }, index) => {
    const actual = printed[index * 2] ?? '';
    if (output === undefined) expect(`status ${printed[index * 2 + 1]}\n${actual}`, command).toMatch(/^status 0\n/);
    else expectShown(output, actual);
  });
}

/** Runs a script and gives what it printed; throws with all of it when the script itself ends badly. */
export function bash(script: string, cwd: string, timeoutMs = 25_000): string {
  return execFileSync('bash', ['-c', script], {
    cwd,
    encoding: 'utf8',
    timeout: timeoutMs,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

export function expectShown(shown: string, printed: string): void {
  // A plain comparison fails with the difference as its message.
  if (!matches(shown, printed)) expect(printed.trimEnd()).toBe(shown.trimEnd());
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
