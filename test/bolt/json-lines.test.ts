// One line of JSON lines: what an entry looks like, and every way in which a line can be wrong.
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { BuildEntry } from '../../src/bolt/build.ts';
import { EntryLines } from '../../src/bolt/entry-lines.ts';
import { errorLine, lineHead, PAIR_MARKS, parseLine, sequenceTail } from '../../src/bolt/json-lines.ts';
import { DatadirError, isDatadirError } from '../../src/errors.ts';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const text = (...parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString('latin1');
const parse = (line: string): BuildEntry => parseLine(bytes(line), 7);

function errorOf(work: () => unknown): DatadirError {
  try {
    work();
  } catch (error) {
    if (isDatadirError(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a line', () => {
  test('of a bucket', () => {
    const bucket = [bytes('key'), new Uint8Array([0xff, 0])];
    const line = text(lineHead(bucket), sequenceTail((1n << 64n) - 1n));
    expect(line).toBe('{"bucket":["a2V5","/wA="],"sequence":"18446744073709551615"}\n');
    expect(parse(line.trimEnd())).toEqual({ bucket, sequence: (1n << 64n) - 1n });
  });

  test('of a pair', () => {
    const line = text(lineHead([bytes('key')]), PAIR_MARKS.key, bytes('Zm9v'), PAIR_MARKS.value, PAIR_MARKS.end);
    expect(line).toBe('{"bucket":["a2V5"],"key":"Zm9v","value":""}\n');
    expect(parse(line.trimEnd())).toEqual({ bucket: [bytes('key')], key: bytes('foo'), value: new Uint8Array(0) });
  });

  test('of another program: other order of fields, blanks, escapes, no sequence', () => {
    expect(parse(' {\t"value" : "Zg==" ,"key":"Zm9v", "bucket" :[ "a2V5" , "/w==" ] } \r')).toEqual({
      bucket: [bytes('key'), new Uint8Array([0xff])],
      key: bytes('foo'),
      value: bytes('f'),
    });
    expect(parse('{"\\u0062ucket":["\\/w\\u003d\\u003D"]}')).toEqual({ bucket: [new Uint8Array([0xff])] });
    expect(parse('{"bucket":[],"sequence":"0"}')).toEqual({ bucket: [], sequence: 0n });
  });

  test.each([
    ['', 1, 'the line ends here; expected: the line of an entry begins with {'],
    ['[]', 1, 'found [; expected: the line of an entry begins with {'],
    ['\u00ef\u00bb\u00bf{}', 1, 'found byte 0xef; expected: the line of an entry begins with {'],
    ['{}', 3, 'bucket is missing'],
    ['{"bucket":["a2V5"]', 19, 'the line ends here; expected: a comma or }'],
    ['{"bucket":["a2V5"]}x', 20, 'the entry ended before this'],
    ['{"bucket":["a2V5"]}{', 20, 'the entry ended before this'],
    ['{"bucket":["a2V5"],}', 20, 'found }; expected: the name of a field'],
    ['{"bucket":["a2V5",]}', 19, 'found ]; expected: the name of a bucket in base64, as text'],
    ['{"bucket":["a2V5"', 18, 'the line ends here; expected: a comma or ]'],
    ['{"bucket":"a2V5"}', 11, 'found "; expected: a list of names, ['],
    ['{"bucket":[null]}', 12, 'found n; expected: the name of a bucket in base64, as text'],
    ['{"bucket":["a2V"]}', 16, 'the name of a bucket: base64 of 3 digits, not a multiple of 4'],
    ['{"bucket":["a2_5"]}', 15, 'the name of a bucket: not a digit of base64'],
    ['{"bucket":["a2V5', 17, 'the line ends in the middle of a text'],
    ['{"bucket":["a2V\\', 17, 'the line ends in the middle of a text'],
    ['{"bucket":["a2V\\"', 18, 'the line ends in the middle of a text'],
    ['{"bucket":["a2V\\n"]}', 16, 'an escape that stands for no digit of base64'],
    ['{"bucket":["a2V\\u1234"]}', 16, 'an escape that stands for no digit of base64'],
    ['{"bucket":["a2V\\u00"]}', 16, 'an escape that stands for no digit of base64'],
    ['{"bucket":["a\\/V"]}', 13, 'the name of a bucket: base64 of 3 digits, not a multiple of 4'],
    ['{"bucket":[],"bucket":[]}', 14, 'bucket is given twice'],
    ['{"bucket":[],"keys":""}', 14, 'there is no field "keys"'],
    ['{"bucket":[],"__proto__":""}', 14, 'there is no field "__proto__"'],
    ['{"bucket":[],"toString":""}', 14, 'there is no field "toString"'],
    ['{"bucket":[] "key":""}', 14, 'found "; expected: a comma or }'],
    ['{"bucket" []}', 11, 'found [; expected: a colon'],
    ['{"bucket":[],"key":"Zg=="}', 27, 'there is a key, but no value'],
    ['{"bucket":[],"value":"Zg=="}', 29, 'there is a value, but no key'],
    ['{"bucket":[],"key":"Zg==","value":"","sequence":"1"}', 53, 'a key has no sequence'],
    ['{"bucket":[],"key":5,"value":""}', 20, 'found 5; expected: key in base64, as text'],
    ['{"bucket":[],"key":"Zg==","value":"Zh=="}', 37, 'value: base64 whose last digit has bits that belong to no byte'],
    ['{"bucket":[],"sequence":1}', 25, 'found 1; expected: sequence: a decimal number as text'],
    ['{"bucket":[],"sequence":"-1"}', 25, 'sequence is "-1", not a decimal number below 2^64'],
    ['{"bucket":[],"sequence":""}', 25, 'sequence is "", not a decimal number below 2^64'],
    [
      '{"bucket":[],"sequence":"18446744073709551616"}',
      25,
      'sequence is "18446744073709551616", not a decimal number below 2^64',
    ],
  ])('that is wrong is refused with its place: %s', (line, column, words) => {
    expect(errorOf(() => parse(line))).toMatchObject({
      code: 'LINE_INVALID',
      message: `line 7, column ${column}: ${words}`,
      line: 7,
      column,
    });
  });

  test('of an export that failed says so', () => {
    const line = text(errorLine(new DatadirError('BOLT_SOURCE_DAMAGED', 'page 7: "x"')));
    expect(JSON.parse(line)).toEqual({ error: { code: 'BOLT_SOURCE_DAMAGED', message: 'page 7: "x"' } });
    expect(errorOf(() => parse(line.trimEnd())).message).toBe(
      'line 7, column 1: the export that made this was not finished: {"code":"BOLT_SOURCE_DAMAGED","message":"page 7: \\"x\\""}',
    );
  });

  test.prop([fc.string({ unit: 'binary' })])('of any text: an entry or LINE_INVALID', (line) => {
    for (const each of [line, `{"bucket":["${line}`, `{"bucket":[],"key":"","value":"${line}"}`]) {
      try {
        parse(each);
      } catch (error) {
        expect(isDatadirError(error, 'LINE_INVALID')).toBe(true);
      }
    }
  });

  test.prop([fc.string({ unit: 'binary', minLength: 1 }), fc.nat(), fc.nat(3)])(
    'with any change is refused, or JSON too takes it',
    (inserted, at, removed) => {
      const line = '{"bucket":["a2V5","/w=="],"key":"Zm9v","value":"Zg=="}';
      const index = at % line.length;
      const changed = Buffer.from(line.slice(0, index) + inserted + line.slice(index + removed), 'latin1').toString(
        'latin1',
      );
      let entry: BuildEntry;
      try {
        entry = parse(changed);
      } catch (error) {
        expect(isDatadirError(error, 'LINE_INVALID')).toBe(true);
        return;
      }
      const parsed = JSON.parse(changed);
      expect(parsed.bucket).toEqual(entry.bucket.map((name) => Buffer.from(name).toString('base64')));
      if (entry.key !== undefined) expect(parsed.value).toBe(Buffer.from(entry.value).toString('base64'));
    },
  );
});

describe('lines in chunks', () => {
  const LINES = [
    '{"bucket":["YQ=="]}',
    '',
    '{"bucket":["YQ=="],"key":"Yg==","value":"Yw=="}',
    ' \t\r',
    '{"bucket":["Yg=="]}',
  ];

  function read(chunks: Iterable<Uint8Array>): { entry: BuildEntry; line: number }[] {
    const lines = new EntryLines();
    const entries = [...chunks].flatMap((chunk) => {
      const reused = chunk.slice();
      const found = [...lines.push(reused)];
      reused.fill(0x78);
      return found;
    });
    const last = lines.end();
    return last === undefined ? entries : [...entries, last];
  }

  test.prop([fc.array(fc.nat(12), { maxLength: 200 }), fc.boolean(), fc.boolean()])(
    'boundaries do not matter, nor the last line feed, nor blank lines, but these count',
    (sizes, lastFeed, carriageReturns) => {
      const all = bytes(LINES.join(carriageReturns ? '\r\n' : '\n') + (lastFeed ? '\n' : ''));
      const chunks: Uint8Array[] = [];
      let at = 0;
      for (const size of sizes) {
        chunks.push(all.slice(at, at + size));
        at += size;
      }
      chunks.push(all.slice(at));
      expect(read(chunks)).toEqual([1, 3, 5].map((line) => ({ entry: parse(LINES[line - 1] as string), line })));
    },
  );

  test('an error has the number of its line', () => {
    expect(errorOf(() => read([bytes('{"bucket":[]}\n\n{"bucket"'), bytes(':[}\n')])).message).toBe(
      'line 3, column 12: found }; expected: the name of a bucket in base64, as text',
    );
  });

  test('what is no line at all is found out before its end', () => {
    const lines = new EntryLines();
    expect(errorOf(() => [...lines.push(new Uint8Array(5000))]).message).toBe(
      'line 1, column 1: found byte 0x0; expected: the line of an entry begins with {',
    );
  });
});
