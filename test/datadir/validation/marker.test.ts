// The marker beside a data directory: three forms are read, one is written, and nothing in it is trusted.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  encodeMarker,
  type Marker,
  parseMarker,
  type RunMarker,
  type RunState,
} from '../../../src/datadir/validation/marker.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const RUN: RunMarker = {
  state: 'clean',
  runId: '7f0d2f9a',
  time: '2026-01-02T03:04:05.678Z',
  clusterId: 14841639068965178418n,
  memberId: 10276657743932975437n,
  exit: { signal: 'SIGTERM' },
  consistentIndex: 18446744073709551615n,
  revision: 53n,
};

describe('the numeric form', () => {
  test.each([
    ['0\n', 0],
    ['130\n', 130],
    ['143', 143],
    [' 2 \n', 2],
  ])('%j', (text, status) => {
    expect(parseMarker(bytes(text))).toEqual({ form: 'numeric', status });
  });
});

describe('the name of a signal', () => {
  test.each(['terminated', 'interrupt', 'killed', 'segmentation fault'])('%s', (signal) => {
    expect(parseMarker(bytes(signal))).toEqual({ form: 'signal', signal });
    expect(parseMarker(bytes(`\n ${signal}\r\n`))).toEqual({ form: 'signal', signal });
  });
});

describe('the form of our own', () => {
  test('is read as it was written, with ids beyond 2^53', () => {
    expect(parseMarker(bytes(encodeMarker(RUN)))).toEqual({ form: 'run', run: RUN });
  });

  test('has 64-bit numbers as text, and takes bare ones too', () => {
    expect(JSON.parse(encodeMarker(RUN))).toMatchObject({ format: 1, clusterId: '14841639068965178418' });
    const bare = encodeMarker(RUN).replaceAll(/"(\d{2,})"/g, '$1');
    expect(parseMarker(bytes(bare))).toEqual({ form: 'run', run: RUN });
  });

  test('what is not known is null', () => {
    const run: RunMarker = {
      ...RUN,
      clusterId: null,
      memberId: null,
      exit: null,
      consistentIndex: null,
      revision: null,
    };
    expect(parseMarker(bytes(encodeMarker(run)))).toEqual({ form: 'run', run });
  });

  test.each([
    ['another format', { format: 2 }],
    ['no format', { format: undefined }],
    ['a state that is none', { state: 'finished' }],
    ['an id that is none', { memberId: 'abc' }],
    ['an id beyond 64 bits', { clusterId: '18446744073709551616' }],
    ['a negative index', { consistentIndex: -1 }],
    ['a run id that is no text', { runId: 5 }],
    ['an exit that is none', { exit: {} }],
    ['an exit status beyond a byte', { exit: { status: 256 } }],
    ['an endless time', { time: 'x'.repeat(300) }],
  ])('with %s it is none', (_, change) => {
    const text = JSON.stringify({ ...JSON.parse(encodeMarker(RUN)), ...change });
    expect(parseMarker(bytes(text))).toMatchObject({ form: 'unknown' });
  });

  test('cut off anywhere it is none', () => {
    const whole = bytes(encodeMarker(RUN).trimEnd());
    for (let length = 0; length < whole.length; length++) {
      expect(parseMarker(whole.subarray(0, length)).form).toBe('unknown');
    }
  });

  property.prop([
    fc.record({
      state: fc.constantFrom<RunState>('validating', 'running', 'stopping', 'clean'),
      runId: fc.string({ maxLength: 64 }),
      time: fc.string({ maxLength: 64 }),
      clusterId: fc.option(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })),
      memberId: fc.option(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })),
      exit: fc.option(
        fc.oneof(
          fc.record({ status: fc.integer({ min: 0, max: 255 }) }),
          fc.record({ signal: fc.string({ maxLength: 20 }) }),
        ),
      ),
      consistentIndex: fc.option(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })),
      revision: fc.option(fc.bigInt({ min: 0n, max: (1n << 63n) - 1n })),
    }),
  ])('is read as it was written, whatever it says', (run) => {
    expect(parseMarker(bytes(encodeMarker(run)))).toEqual({ form: 'run', run });
  });
});

describe('anything else is none, and never throws', () => {
  test.each(['', ' \n', '0x10', '-1', '1000', 'exit 0', '[]', '{"format":1', 'x'.repeat(100_000)])('%.20s', (text) => {
    expect(parseMarker(bytes(text)).form).toBe('unknown');
  });

  property.prop([fc.uint8Array({ maxLength: 200 })])('any bytes', (raw) => {
    const forms: Marker['form'][] = ['numeric', 'signal', 'run', 'unknown'];
    expect(forms).toContain(parseMarker(raw).form);
  });
});
