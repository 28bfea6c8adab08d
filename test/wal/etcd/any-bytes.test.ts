// Whatever the bytes, every part of the simulation gives an answer, and how a source serves them does not matter.
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { ETCD_MINORS } from '../../../src/etcd-version.ts';
import { memorySource } from '../../../src/io/byte-source.ts';
import { simulateStart } from '../../../src/wal/etcd/start.ts';
import { faultySource } from '../../support/faulty.ts';
import { systematicLog } from '../damage/systematic-cases.ts';
import { ourAnswers } from './answers.ts';
import { RawLog, record } from './raw-log.ts';

const minor = fc.constantFrom(...ETCD_MINORS);
const NAMES = systematicLog().map(({ name }) => name);

describe('any bytes', () => {
  test.prop([minor, fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 3 })])(
    'as segments have an answer',
    (etcd, contents) => {
      const segments = contents.map((bytes, i) => ({ name: NAMES[i]!, bytes }));
      for (const answer of ourAnswers({ id: '', segments }, etcd)) expect(typeof answer).toBe('string');
      const start = simulateStart(
        segments.map(({ name, bytes }) => ({ name, source: memorySource(bytes) })),
        etcd,
      );
      expect(start.outcome).toMatch(/^(starts|repairs|refuses|panics)$/);
    },
  );

  test.prop([minor, fc.integer({ min: 1, max: 5 }), fc.uint8Array({ maxLength: 200 }), fc.bigInt(0n, 9n)])(
    'in a record with a right checksum have an answer',
    (etcd, type, data, consistentIndex) => {
      const { segments } = RawLog.started().add(type, data).ending();
      const files = segments.map(({ name, bytes }) => ({ name, source: memorySource(bytes) }));
      expect(simulateStart(files, etcd, { consistentIndex }).version).toBe(etcd);
    },
  );

  test.prop([minor, fc.uint8Array({ maxLength: 200 })])('as a record have an answer', (etcd, body) => {
    const { segments } = RawLog.started()
      .body((crc) => Uint8Array.from([...record(2, crc), ...body]))
      .ending();
    for (const answer of ourAnswers({ id: '', segments }, etcd)) expect(typeof answer).toBe('string');
  });
});

test.prop([minor, fc.nat(), fc.nat({ max: 2000 }), fc.nat({ max: 255 })])(
  'a source that serves few bytes at a time gives the same answer',
  (etcd, seed, at, value) => {
    const log = systematicLog().map(({ name, bytes }) => ({ name, bytes: bytes.slice() }));
    const target = log[at % log.length]!.bytes;
    target[at % target.length] = value;
    const whole = simulateStart(
      log.map(({ name, bytes }) => ({ name, source: memorySource(bytes) })),
      etcd,
    );
    const bits = log.map(({ name, bytes }) => ({
      name,
      source: faultySource(memorySource(bytes), { shortReads: seed }),
    }));
    expect(simulateStart(bits, etcd)).toEqual(whole);
  },
);

test.prop([minor, fc.nat({ max: 1200 }), fc.integer({ min: 1, max: 600 })])(
  'a place that cannot be read ends in a refusal, or was never read',
  (etcd, start, length) => {
    const files = systematicLog().map(({ name, bytes }) => ({
      name,
      source: faultySource(memorySource(bytes), { failAt: [[start, start + length]] }),
    }));
    const { outcome, words } = simulateStart(files, etcd);
    if (outcome === 'refuses') expect(words).toContain('input/output error');
    else expect(outcome).toBe('starts');
  },
);
