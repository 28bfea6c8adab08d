import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS, GLOBAL_OPTIONS } from '../../src/cli/commands.ts';
import { EXIT, EXIT_MEANINGS } from '../../src/cli/exit-codes.ts';
import { cliPage, exitCodesPage } from './manual.ts';
import { run } from './run.ts';
import { workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
/** A text as a pattern that matches nothing else. */
const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const named = COMMANDS.map((command) => ({ name: command.words.join(' '), command }));

describe('help', () => {
  test.each(['--help', '-h', 'help'])('%s lists every command and every exit code', async (word) => {
    const { code, stdout, stderr } = await run([word]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { name, command } of named)
      expect(stdout).toMatch(new RegExp(`^  ${name} +${literal(command.summary.slice(0, 20))}`, 'm'));
    for (const meaning of Object.values(EXIT_MEANINGS)) expect(stdout).toContain(meaning);
  });

  test('without a command it goes to standard error, with exit 2', async () => {
    const { code, stdout, stderr } = await run([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe((await run(['--help'])).stdout);
  });

  test.each(named)('of $name names its arguments and options', async ({ command }) => {
    const { code, stdout } = await run([...command.words, '--help']);
    expect(code).toBe(0);
    expect((await run(['help', ...command.words])).stdout).toBe(stdout);
    for (const { name, summary } of command.arguments)
      expect(stdout).toMatch(new RegExp(`${name}.*${literal(summary)}`));
    for (const name of Object.keys({ ...command.options, ...GLOBAL_OPTIONS })) expect(stdout).toContain(`--${name}`);
  });

  test('of a group lists its commands', async () => {
    const { stdout } = await run(['bolt', '--help']);
    expect((await run(['help', 'bolt'])).stdout).toBe(stdout);
    expect(stdout).toContain('bolt page-item');
    expect(stdout).not.toMatch(/^ {2}check/m);
  });

  test('of a group in a group lists what is in it, and no more', async () => {
    for (const group of [
      ['bolt', 'surgery'],
      ['bolt', 'surgery', 'meta'],
    ]) {
      const { code, stdout } = await run([...group, '--help']);
      expect(code).toBe(0);
      expect((await run(['help', ...group])).stdout).toBe(stdout);
      expect(stdout).toContain('bolt surgery meta update');
      expect(stdout).not.toContain('bolt page');
      expect(stdout.includes('bolt surgery copy-page')).toBe(group.length === 2);
    }
  });

  test('names the options that must be given', async () => {
    const { stdout } = await run(['help', 'bolt', 'surgery', 'clear-page']);
    expect(stdout).toContain('usage: etcd-datadir bolt surgery clear-page --output PATH --pageId ID [OPTIONS] FILE\n');
  });

  test('is given however wrong the arguments are', async () => {
    expect((await run(['bolt', 'page', '--help', 'a', 'b', 'c'])).code).toBe(0);
    expect((await run(['check', '--help'])).code).toBe(0);
  });

  test('--version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `etcd-datadir ${version}\n` });
  });
});

// Made anew with `npx vitest run test/cli/help.test.ts -u`.
describe('documentation', () => {
  test('docs/cli.md says what the table says', async () => {
    await expect(cliPage()).toMatchFileSnapshot('../../docs/cli.md');
  });

  test('docs/exit-codes.md says what the table says', async () => {
    await expect(exitCodesPage()).toMatchFileSnapshot('../../docs/exit-codes.md');
    expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.keys(EXIT));
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('the script for %s names every command and option', async (shell) => {
    const { code, stdout } = await run(['completion', shell]);
    expect(code).toBe(0);
    for (const { command } of named) {
      expect(stdout).toContain(command.words.at(-1));
      for (const name of Object.keys(command.options))
        expect(stdout).toContain(shell === 'fish' ? `-l ${name}` : `--${name}`);
    }
    const path = [`/usr/bin/${shell}`, `/bin/${shell}`].find(existsSync);
    if (path !== undefined) execFileSync(path, ['-n', writeWorkFile(folder, shell, stdout)]);
  });

  test.each([
    [
      ['etcd-datadir', ''],
      ['check', 'bolt', 'completion', 'help', '--json'],
    ],
    [
      ['etcd-datadir', 'bolt', 'page'],
      ['pages', 'page', 'page-item'],
    ],
    [['etcd-datadir', 'bolt', 'keys', '--f'], ['--format']],
    [
      ['etcd-datadir', 'bolt', 'keys', '--format', 'a'],
      ['auto', 'ascii-encoded'],
    ],
    [
      ['etcd-datadir', '--json', 'check', '--level', ''],
      ['sanity', 'full', 'deep'],
    ],
    [['etcd-datadir', 'completion', 'b'], ['bash']],
    [['etcd-datadir', 'bolt', 'sur'], ['surgery']],
    [
      ['etcd-datadir', 'bolt', 'surgery', ''],
      ['revert-meta-page', 'copy-page', 'freelist', 'meta'],
    ],
    [
      ['etcd-datadir', 'bolt', 'surgery', 'freelist', ''],
      ['abandon', 'rebuild'],
    ],
    [['etcd-datadir', 'bolt', 'surgery', 'meta', 'update', '--fi'], ['--fields']],
    [['etcd-datadir', 'bolt', 'surgery', 'clear-page', '--page'], ['--pageId']],
  ])('bash completes %j', async (words, expected) => {
    const { stdout: script } = await run(['completion', 'bash']);
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _etcd_datadir; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const answer = execFileSync('bash', ['--norc', '-c', `${script}\n${ask}`])
      .toString()
      .split('\n')
      .filter(Boolean);
    expect(answer).toEqual(expect.arrayContaining(expected));
  });
});
