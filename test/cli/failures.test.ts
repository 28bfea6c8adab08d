/**
 * How commands end when something goes wrong: words, exit codes, and what becomes of standard output.
 */
import { describe, expect, test } from 'vitest';
import { exitCodeOfError, exitCodeOfVerdict } from '../../src/cli/exit-codes.ts';
import { describeFailure, errorText } from '../../src/cli/failure.ts';
import { main } from '../../src/cli/main.ts';
import type { OutputStream } from '../../src/cli/output.ts';
import { DatadirError } from '../../src/errors.ts';
import { CapturedStream, run } from './run.ts';
import { unpackFixture, workFolder } from './work-files.ts';

const folder = workFolder();
const file = unpackFixture(folder, 'bolt/mixed-1024');

function failing(code: string): OutputStream {
  return {
    write: (_, done) => {
      queueMicrotask(() => done?.(Object.assign(new Error(code), { code })));
      return true;
    },
  };
}

describe('exit codes', () => {
  test('of verdicts', () => {
    const codes = [
      'healthy',
      'repairable',
      'stale',
      'damaged',
      'refused',
      'undecided',
      'unreadable',
      'in-use',
    ] as const;
    expect(codes.map(exitCodeOfVerdict)).toEqual([0, 1, 1, 1, 1, 3, 3, 4]);
  });

  test('of errors', () => {
    const codes = [
      'USAGE',
      'BOLT_BUCKET_NOT_FOUND',
      'BOLT_KEY_NOT_FOUND',
      'NOT_FOUND',
      'BOLT_NO_META',
      'IO_FAILED',
      'INTERNAL',
    ] as const;
    expect(codes.map(exitCodeOfError)).toEqual([2, 1, 1, 3, 3, 3, 5]);
  });
});

describe('an error', () => {
  test('is told with its place, once', () => {
    const place = { path: '/a/db', offset: 4096, pageId: 1 };
    expect(errorText(new DatadirError('IO_FAILED', 'read gave EIO', place))).toBe(
      '/a/db, page 1, byte 4096 (0x1000): read gave EIO',
    );
    expect(errorText(new DatadirError('IO_FAILED', '/a/db: read at offset 4096 of page 1 gave EIO', place))).toBe(
      '/a/db: read at offset 4096 of page 1 gave EIO',
    );
  });

  test('has its fields under --json', async () => {
    const ran = await run(['bolt', 'info', `${file}.none`, '--json']);
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stdout)).toEqual({
      schema: 1,
      error: {
        code: 'NOT_FOUND',
        message: expect.stringContaining('no such file'),
        path: `${file}.none`,
        systemCode: 'ENOENT',
      },
    });
    expect(ran.stderr).toMatch(/^etcd-datadir: .*no such file or directory\n$/);
  });

  test('that nobody expected is our bug, and says how to report it', () => {
    const failure = describeFailure(new TypeError('x is not a function'), undefined);
    expect(failure.exitCode).toBe(5);
    expect(failure.message).toMatch(
      /^etcd-datadir: this is a bug of etcd-datadir, and says nothing about your data:\n\nTypeError: x is not/,
    );
    expect(failure.message).toMatch(/etcd-datadir \d+\.\d+\.\d+, Node v\d+/);
    expect(failure.message).toContain('Do not attach the file itself');
    // Names of folders on the user's machine stay there.
    expect(failure.message).not.toContain(import.meta.dirname.replace(/\/test\/cli$/, ''));
    expect(JSON.parse(failure.json)).toEqual({
      schema: 1,
      error: { code: 'INTERNAL', message: 'x is not a function' },
    });
    expect(describeFailure('a string', undefined).exitCode).toBe(5);
    expect(describeFailure(new DatadirError('INTERNAL', 'read at offset -1'), undefined).exitCode).toBe(5);
  });

  test('that nobody expected ends main with 5, whatever it was', async () => {
    const stderr = new CapturedStream();
    const stdout: OutputStream = {
      write: () => {
        throw new RangeError('from inside');
      },
    };
    expect(await main(['--version'], { stdout, stderr, env: {} })).toBe(5);
    expect(stderr.text).toContain('RangeError: from inside');
  });
});

describe('standard output', () => {
  test('that is closed early ends a command quietly: with its verdict, or with 0', async () => {
    for (const [args, expected] of [
      [['--help'], 0],
      [['bolt', 'pages', file], 0],
      [['bolt', 'check', '--from-page', '9999', file], 1],
    ] as const) {
      const stderr = new CapturedStream();
      expect(await main(args, { stdout: failing('EPIPE'), stderr, env: {} })).toBe(expected);
      expect(stderr.text).toBe('');
    }
  });

  test('that cannot be written to is an error', async () => {
    const stderr = new CapturedStream();
    expect(await main(['--version'], { stdout: failing('ENOSPC'), stderr, env: {} })).toBe(3);
    expect(stderr.text).toBe('etcd-datadir: standard output cannot be written to: ENOSPC\n');
  });
});

describe('a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('%s stops a command with %d', async (name, expected) => {
    const controller = new AbortController();
    controller.abort(name);
    for (const args of [
      ['check', file],
      ['bolt', 'check', file, '--json'],
    ]) {
      expect(await run(args, { signal: controller.signal })).toEqual({
        code: expected,
        stdout: '',
        bytes: Buffer.alloc(0),
        stderr: `etcd-datadir: stopped by ${name}\n`,
      });
    }
  });

  test('is heard while nobody reads standard output', async () => {
    const controller = new AbortController();
    const stdout: OutputStream = {
      write: () => {
        setImmediate(() => controller.abort('SIGINT'));
        return false;
      },
    };
    const streams = { stdout, stderr: new CapturedStream(), env: {} };
    expect(await main(['bolt', 'page', file, '--all'], streams, { signal: controller.signal })).toBe(130);
  });
});
