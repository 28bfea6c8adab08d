/**
 * Random damage that the checksums do not give away: messages changed byte by byte or made of random fields, in records
 * with a right chain. Shows where the parsers of the releases part. The same seed gives the same logs.
 */
import { buildLog } from '../../support/small-log.ts';
import { concat, type RecordToWrite, SegmentEdit, varint } from '../../support/wal-edit.ts';
import { systematicLog } from '../damage/systematic-cases.ts';
import type { JudgedCase } from './answers.ts';
import { frame, RawLog, record } from './raw-log.ts';

/** Numbers below a limit, from a seed. */
export function randomNumbers(seed: number): (limit: number) => number {
  let a = seed >>> 0;
  return (limit) => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** One to three bytes changed, taken out or put in. */
export function mutated(bytes: Uint8Array, random: (limit: number) => number): Uint8Array {
  let result = [...bytes];
  for (let i = random(3); i >= 0; i--) {
    const at = random(Math.min(result.length, 40) + 1);
    const byte = random(2) === 0 ? random(256) : [0, 1, 2, 7, 8, 0x10, 0x12, 0x1a, 0x22, 0x7f, 0x80, 0xff][random(12)]!;
    const kind = random(4);
    if (kind === 0) result = result.toSpliced(at, 1);
    else if (kind === 1) result = result.toSpliced(at, 0, byte);
    else if (at < result.length) result[at] = byte;
  }
  return Uint8Array.from(result);
}

/** Fields of any number and wire type, mostly well formed. */
export function randomFields(random: (limit: number) => number): Uint8Array {
  const parts: number[][] = [];
  for (let i = random(5); i >= 0; i--) {
    const field = random(6) === 0 ? random(2 ** 31) : random(7);
    const wire = random(8);
    parts.push(varint(BigInt(field) * 8n + BigInt(wire)));
    const filler = (length: number): number[] => Array.from({ length }, () => random(256));
    if (wire === 0) parts.push(random(5) === 0 ? filler(random(12)) : varint(random(300)));
    else if (wire === 1) parts.push(filler(random(8) === 0 ? 7 : 8));
    else if (wire === 5) parts.push(filler(random(8) === 0 ? 3 : 4));
    else if (wire === 2) {
      const length = random(6);
      parts.push(varint(random(8) === 0 ? length + random(3) : length), filler(length));
    } else if (wire === 3 && random(3) > 0) parts.push(varint(BigInt(field) * 8n + 4n));
  }
  return Uint8Array.from(parts.flat());
}

/** `count` cases of each kind. */
export function* randomCases(seed: number, count: number): Generator<JudgedCase> {
  const random = randomNumbers(seed);
  const log = systematicLog();
  const plans = log.map(({ name, bytes }) => {
    const [, ...records] = new SegmentEdit({ bytes, size: bytes.length }).frames;
    return { name, records: records as readonly RecordToWrite[] };
  });
  const places = plans.flatMap(({ records }, segment) => records.map((_, n) => ({ segment, n })));
  const withData = (change: (data: Uint8Array) => Uint8Array) => {
    const { segment, n } = places[random(places.length)]!;
    const changed = plans.map((plan, i) =>
      i !== segment
        ? plan
        : {
            name: plan.name,
            records: plan.records.map((one, k) => (k === n ? { type: one.type, data: change(one.data!) } : one)),
          },
    );
    return buildLog(changed, 40);
  };
  for (let i = 0; i < count; i++) {
    yield { id: `random:${seed}:payload:${i}`, segments: withData((data) => mutated(data, random)) };
    yield { id: `random:${seed}:fields:${i}`, segments: withData(() => randomFields(random)) };
    // The record itself: its checksum is right as long as its data is still what it was.
    const raw = RawLog.started();
    const data = randomFields(random);
    raw.body((crc) => {
      const body = record(random(6), crc, random(4) === 0 ? undefined : data);
      return random(2) === 0 ? mutated(body, random) : concat([body, randomFields(random)]);
    }, data);
    if (random(3) === 0) raw.raw(frame(randomFields(random)));
    yield { id: `random:${seed}:record:${i}`, segments: raw.ending().segments, at: [{ index: 0n, term: 0n }] };
  }
}
