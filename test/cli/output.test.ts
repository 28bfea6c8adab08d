import { describe, expect, test } from 'vitest';
import { Output, OutputClosed, type OutputStream } from '../../src/cli/output.ts';
import { isDatadirError } from '../../src/errors.ts';
import { CapturedStream } from './run.ts';

describe('output', () => {
  test('keeps the order of text and bytes, and copies bytes', async () => {
    const stream = new CapturedStream();
    const out = new Output(stream);
    const bytes = new Uint8Array([0xff, 0x00]);
    out.write('a');
    out.write('é');
    out.write(bytes);
    bytes.fill(1);
    out.write('b');
    expect(stream.bytes.length).toBe(0);
    await out.flush();
    expect(Buffer.from(stream.bytes).toString('hex')).toBe('61c3a9ff0062');
  });

  test('is full at 64 KiB, and empty after a flush that waits for the stream', async () => {
    let finish: (() => void) | undefined;
    const stream: OutputStream = {
      write: (_, done) => {
        finish = () => done?.();
        return false;
      },
    };
    const out = new Output(stream);
    out.write('x'.repeat(65_535));
    expect(out.full).toBe(false);
    out.write('x');
    expect(out.full).toBe(true);
    let flushed = false;
    const flush = out.flush().then(() => {
      flushed = true;
    });
    expect(out.full).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
    expect(flushed).toBe(false);
    finish?.();
    await flush;
    expect(flushed).toBe(true);
  });

  test('nothing written is nothing flushed', async () => {
    const out = new Output({ write: () => expect.fail('written to') });
    expect(out.began).toBe(false);
    await out.flush();
  });

  test('a reader that has gone away is told from a disk that is full', async () => {
    const failing = (code: string): Output => {
      const stream: OutputStream = {
        write: (_, done) => {
          queueMicrotask(() => done?.(Object.assign(new Error(code), { code })));
          return true;
        },
      };
      const out = new Output(stream);
      out.write('x');
      return out;
    };
    await expect(failing('EPIPE').flush()).rejects.toBeInstanceOf(OutputClosed);
    const error = await failing('ENOSPC')
      .flush()
      .catch((thrown: unknown) => thrown);
    expect(isDatadirError(error, 'IO_FAILED') && error.systemCode).toBe('ENOSPC');
  });
});
