import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../src/cli/arguments.ts';
import { COMMANDS, GLOBAL_OPTIONS, GROUPS } from '../../src/cli/commands.ts';
import { run } from './run.ts';

describe('arguments', () => {
  test('options may stand anywhere, before the command and behind its arguments', () => {
    for (const args of [
      ['--json', 'bolt', 'keys', '-f', 'hex', 'a.db', 'key'],
      ['bolt', '--format=hex', 'keys', 'a.db', '--json', 'key'],
      ['-f', 'hex', 'bolt', 'keys', 'a.db', 'key', '--json'],
    ]) {
      const { command, positionals, options } = parseArguments(args);
      expect(command?.words).toEqual(['bolt', 'keys']);
      expect(positionals).toEqual(['a.db', 'key']);
      expect({ ...options }).toEqual({ json: true, format: 'hex' });
    }
  });

  test('what follows -- is an argument, whatever it looks like', () => {
    const { positionals, options } = parseArguments(['bolt', 'get', 'a.db', '--', '--json', '-k']);
    expect(positionals).toEqual(['a.db', '--json', '-k']);
    expect(options).toEqual({});
  });

  test('some options may have a single dash, as in programs written in Go', () => {
    for (const args of [
      ['wal', 'dump', '-start-index', '5', '-raw', 'a'],
      ['-start-index=5', 'wal', 'dump', 'a', '-raw'],
      ['wal', 'dump', '--from', '5', '--raw', 'a'],
    ]) {
      const { command, positionals, options } = parseArguments(args);
      expect({ words: command?.words, positionals, options: { ...options } }).toEqual({
        words: ['wal', 'dump'],
        positionals: ['a'],
        options: { from: '5', raw: true },
      });
    }
    expect(parseArguments(['wal', 'dump', '--', '-raw']).positionals).toEqual(['-raw']);
    expect(() => parseArguments(['wal', 'dump', '-startindex', '5'])).toThrow('wal dump has no option -s');
    expect(() => parseArguments(['wal', 'dump', '-from', '5'])).toThrow('wal dump has no option -f');
  });

  test('arguments that are named like a command do not name another one', () => {
    expect(parseArguments(['bolt', 'keys', 'check', 'bolt']).positionals).toEqual(['check', 'bolt']);
  });

  test('whether an option takes a value is up to the command, wherever the option stands', () => {
    const get = { words: ['get'], positionals: ['a.db', 'k'], options: { prefix: true } };
    const log = { words: ['log'], positionals: ['a.db'], options: { prefix: 'k' } };
    const dump = { words: ['wal', 'dump'], positionals: ['a'], options: { prefix: 'get', raw: true } };
    for (const [args, expected] of [
      [['get', 'a.db', '--prefix', 'k'], get],
      [['get', '--prefix', 'a.db', 'k'], get],
      [['--prefix', 'get', 'a.db', 'k'], get],
      [['get', 'a.db', 'k', '--prefix'], get],
      [['log', 'a.db', '--prefix', 'k'], log],
      [['log', '--prefix', 'k', 'a.db'], log],
      [['--prefix', 'k', 'log', 'a.db'], log],
      [['--prefix=k', 'log', 'a.db'], log],
      // A value that is named like a command does not make it one.
      [['wal', '--prefix', 'get', 'dump', '-raw', 'a'], dump],
      [['--prefix', 'get', 'wal', 'dump', 'a', '--raw'], dump],
    ] as const) {
      const { command, positionals, options } = parseArguments(args);
      expect({ args, words: command?.words, positionals, options: { ...options } }).toEqual({ args, ...expected });
    }
    expect(() => parseArguments(['--prefix', 'k', 'get', 'a.db', 'k'])).toThrow('--prefix takes no value');
    expect(() => parseArguments(['log', 'a.db', '--prefix'])).toThrow('--prefix needs a value');
    expect(parseArguments(['--prefix', 'log', 'a.db']).command).toBeUndefined();
  });

  test('a switch can be switched on and off, as those of Go programs', () => {
    const options = (...flags: string[]) => parseArguments(['restore', 'a.db', ...flags]).options;
    expect(options('--skip-hash-check=true')).toEqual({ 'skip-hash-check': true });
    expect(options('--skip-hash-check=false')).toEqual({});
    expect(options('--json=true', '--dry-run=false', '--name=n1')).toEqual({ json: true, name: 'n1' });
    for (const value of ['yes', '1', 'TRUE', '']) {
      expect(() => options(`--skip-hash-check=${value}`), value).toThrow('--skip-hash-check takes no value');
    }
  });

  test('some choices may be written in capitals or not', () => {
    for (const order of ['DESCEND', 'descend', 'Descend']) {
      expect(parseArguments(['get', 'a.db', '--order', order]).options['order']).toBe('DESCEND');
    }
    expect(() => parseArguments(['get', 'a.db', '--order', 'down'])).toThrow('--order must be one of ASCEND, DESCEND');
    expect(() => parseArguments(['check', 'a', '--level', 'FULL'])).toThrow('--level must be one of');
  });

  test.each([
    [['chekc', 'x'], "there is no command 'chekc'; did you mean check?"],
    [['bolt', 'chek', 'x'], "there is no command 'bolt chek'; did you mean bolt check?"],
    [['nonsense'], "there is no command 'nonsense'"],
    [['bolt'], 'a command of bolt is needed'],
    [
      ['check'],
      'check needs PATH: a data directory, a bolt db or snapshot file, the directory of a log, a segment, a .snap file or a snap folder',
    ],
    [['check', 'a', 'b'], "check takes no argument 'b'"],
    [['check', 'a', '--levle', 'full'], 'check has no option --levle; did you mean --level?'],
    [['check', 'a', '--level'], '--level needs a value: one of sanity, full, deep'],
    [['check', 'a', '--level', '--json'], '--level needs a value: one of sanity, full, deep'],
    [['check', 'a', '--level', 'medium'], "--level must be one of sanity, full, deep, not 'medium'"],
    [['check', 'a', '--max-findings', '-1'], '--max-findings needs a value'],
    [['check', 'a', '--max-findings=-1'], "--max-findings must be a number, not '-1'"],
    [['check', 'a', '--max-findings', '1e3'], "--max-findings must be a number, not '1e3'"],
    [['check', 'a', '--json=yes'], '--json takes no value'],
    [['check', 'a', '-x'], 'check has no option -x'],
    [['--nonsense'], 'there is no option --nonsense'],
    [['bolt', 'keys', 'a.db'], 'bolt keys needs BUCKET: name of the bucket, after those of the buckets it lies in'],
    [['bolt', 'get', 'a.db', 'b'], 'bolt get needs KEY: the key'],
    [['bolt', 'page', 'a.db'], 'bolt page needs numbers of pages, or --all'],
    [['bolt', 'page', 'a.db', '--all', '1'], 'bolt page takes numbers of pages or --all, not both'],
    [['bolt', 'page', 'a.db', 'x'], "ID must be a decimal number, not 'x'"],
    [['bolt', 'page', 'a.db', '18446744073709551616'], 'ID must be below 2^64, not 18446744073709551616'],
    [
      ['bolt', 'page-item', 'a.db', '1', '0', '--key-only', '--value-only'],
      '--key-only and --value-only exclude each other',
    ],
    [
      ['bolt', 'get', 'a.db', 'b', 'abc', '--parse-format', 'hex'],
      "KEY must be hex with an even number of digits, not 'abc'",
    ],
    [['bolt', 'get', 'a.db', 'b', ''], 'KEY must not be empty'],
    [['bolt', 'dump', 'a.db', '0x2'], "ID must be a decimal number, not '0x2'"],
    [['get', 'a.db', 'k', '--prefix', '--from-key'], '--prefix and --from-key exclude each other'],
    [['get', 'a.db', 'k', 'l', '--prefix'], 'there is no END with --prefix and --from-key'],
    [['get', 'a.db', ''], 'KEY must not be empty'],
    [['get', 'a.db', '', 'b'], 'KEY must not be empty'],
    [['get', 'a.db', 'k', '--rev', 'new'], "--rev must be a decimal number, not 'new'"],
    [['get', 'a.db', 'k', '-w', 'table'], 'table not supported as output format'],
    [['get', 'a.db', 'k', '--hex', '--json'], '--hex is only for -w simple'],
    [['get', 'a.db', 'k', '--keys-only', '--count-only'], '--keys-only and --count-only exclude each other'],
    [
      ['get', 'a.db', 'k', '--keys-only', '--print-value-only'],
      '--keys-only and --print-value-only exclude each other',
    ],
    [
      ['get', 'a.db', 'abc', '--key-format', 'base64'],
      "KEY must be base64, not 'abc': base64 of 3 digits, not a multiple of 4",
    ],
    [['history', 'a.db', ''], 'KEY must not be empty'],
    [['log', 'a.db', '--whole-revisions'], '--whole-revisions is only for --prefix'],
    [['completion', 'tcsh'], "SHELL must be one of bash, zsh, fish, not 'tcsh'"],
    [['help', 'nonsense'], "there is no command 'nonsense'"],
  ])('%j is refused with exit 2', async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toContain(`etcd-datadir: ${message}\n`);
    expect(stderr).toMatch(/'etcd-datadir.* --help' tells how it is used\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('the table of commands', () => {
  const all = COMMANDS.flatMap(({ options }) => Object.entries(options));

  test('a letter has one meaning', () => {
    const letters = new Map(Object.entries(GLOBAL_OPTIONS).map(([name, { short }]) => [short, name]));
    for (const [name, { short }] of all) {
      if (short === undefined) continue;
      expect([short, letters.get(short) ?? name]).toEqual([short, name]);
      letters.set(short, name);
    }
  });

  test('no command has an option of the name of a global one', () => {
    expect(all.filter(([name]) => GLOBAL_OPTIONS[name] !== undefined)).toEqual([]);
  });

  test('names are unique, and every group is described', () => {
    const names = COMMANDS.map(({ words }) => words.join(' '));
    expect(new Set(names).size).toBe(names.length);
    const groups = new Set(
      COMMANDS.flatMap(({ words }) => words.slice(1).map((_, i) => words.slice(0, i + 1).join(' '))),
    );
    expect(Object.keys(GROUPS).sort()).toEqual([...groups].sort());
    expect(names.filter((name) => groups.has(name))).toEqual([]);
  });

  test('at most one argument repeats, and nothing optional comes before something required', () => {
    for (const { arguments: specs } of COMMANDS) {
      expect(specs.filter(({ repeat }) => repeat).length).toBeLessThanOrEqual(1);
      const optional = specs.map((spec) => spec.optional === true);
      expect(optional).toEqual([...optional].sort());
    }
  });
});
