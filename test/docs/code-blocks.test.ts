import { describe, expect, test } from 'vitest';
import { codeBlocks, consoleCommands, matches } from './code-blocks.ts';

describe('codeBlocks', () => {
  test('gives language, flags, line and code of each block', () => {
    expect(codeBlocks('text\n\n```ts no-run\nlet a;\n\nlet b;\n```\n\n```\nplain\n```\n')).toEqual([
      { language: 'ts', flags: ['no-run'], line: 3, code: 'let a;\n\nlet b;' },
      { language: '', flags: [], line: 9, code: 'plain' },
    ]);
  });

  test('removes the indentation of a block in a list', () => {
    expect(codeBlocks('- a\n\n  ```sh run\n  one\n    two\n  ```\n')[0]?.code).toBe('one\n  two');
  });

  test('keeps shorter fences inside a longer one', () => {
    expect(codeBlocks('````md\n```ts\n```\n````\n')).toEqual([
      { language: 'md', flags: [], line: 1, code: '```ts\n```' },
    ]);
  });
});

describe('consoleCommands', () => {
  test('gives each command with the output below it', () => {
    expect(consoleCommands('$ one\n$ two \\\n  more\nline 1\n\nline 2')).toEqual([
      { command: 'one', output: undefined },
      { command: 'two \\\n  more', output: 'line 1\n\nline 2' },
    ]);
  });

  test('goes on with a command in lines with the second prompt', () => {
    expect(consoleCommands('$ for n in 1; do\n>   echo $n\n> done\n1\n> no command')).toEqual([
      { command: 'for n in 1; do\n  echo $n\ndone', output: '1\n> no command' },
    ]);
  });

  test('refuses output without a command', () => {
    expect(() => consoleCommands('oops\n$ one')).toThrow('begins with output');
  });
});

describe('matches', () => {
  test.each([
    ['equal text', 'a\nb', 'a\nb\n'],
    ['an ellipsis in a line', 'took … of (x)', 'took anything of (x)'],
    ['an ellipsis for lines', 'a\n…\nz', 'a\nb\nc\nz'],
    ['an ellipsis for no lines', 'a\n…', 'a'],
    ['other times', 'done in 12 ms', 'done in 0.4 s'],
    ['another elapsedMs', '{ "elapsedMs": 1 }', '{ "elapsedMs": 20 }'],
  ])('accepts %s', (_, shown, printed) => {
    expect(matches(shown, printed)).toBe(true);
  });

  test.each([
    ['a missing line', 'a\nb', 'a'],
    ['a further line', 'a', 'a\nb'],
    ['other text', 'a.c', 'abc'],
    ['another number', '12 pages', '13 pages'],
  ])('refuses %s', (_, shown, printed) => {
    expect(matches(shown, printed)).toBe(false);
  });
});
