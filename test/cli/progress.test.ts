import { describe, expect, test } from 'vitest';
import { ProgressLine, showsProgress } from '../../src/cli/progress.ts';
import { CapturedStream } from './run.ts';

describe('progress', () => {
  test.each([
    ['on a terminal', true, {}, false, true],
    ['not when piped', false, {}, false, false],
    ['not with --quiet', true, {}, true, false],
    ['not in CI', true, { CI: 'true' }, false, false],
    ['where CI is set to nothing', true, { CI: '' }, false, true],
    ['not on a dumb terminal', true, { TERM: 'dumb' }, false, false],
  ])('%s', (_, isTTY, env, quiet, expected) => {
    expect(showsProgress(new CapturedStream(isTTY), env, quiet)).toBe(expected);
  });

  test('is drawn at most ten times a second, not at all for short work, and taken away at the end', () => {
    let now = 0;
    const stream = new CapturedStream(true, 80);
    const line = new ProgressLine(stream, () => now);
    const total = 2 * 2 ** 30;
    for (; now < 2000; now += 10) line.update({ done: (total * now) / 2000, total });
    const drawn = stream.text.split('\r\u001b[K').slice(1);
    expect(drawn.length).toBeGreaterThanOrEqual(17);
    expect(drawn.length).toBeLessThanOrEqual(18);
    expect(drawn[0]).toBe('[###.....................]  12%  256.0 MiB of 2.0 GiB  1.0 GiB/s');
    line.clear();
    line.clear();
    expect(stream.text.split('\r\u001b[K').slice(1).length).toBe(drawn.length + 1);
    expect(stream.text.endsWith('\r\u001b[K')).toBe(true);
  });

  test('short work shows nothing', () => {
    const stream = new CapturedStream(true, 80);
    const line = new ProgressLine(stream, () => 0);
    line.update({ done: 1, total: 2 });
    line.clear();
    expect(stream.text).toBe('');
  });

  test('a narrow terminal gets a shorter line, and a total of nothing does no harm', () => {
    let now = 0;
    const stream = new CapturedStream(true, 20);
    const line = new ProgressLine(stream, () => now);
    now = 1000;
    line.update({ done: 0, total: 0 });
    expect(stream.text).toBe('\r\u001b[K[..................');
  });
});
