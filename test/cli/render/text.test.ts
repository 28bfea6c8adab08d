import { describe, expect, test } from 'vitest';
import { Output } from '../../../src/cli/output.ts';
import { columns, wrapped } from '../../../src/cli/render/columns.ts';
import { JsonList, jsonText } from '../../../src/cli/render/json.ts';
import { counted, duration, exactSize, grouped, humanSize } from '../../../src/cli/render/size.ts';
import { CapturedStream } from '../run.ts';

describe('numbers', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1234567, '1,234,567'],
    [18446744073709551615n, '18,446,744,073,709,551,615'],
  ])('count %s', (value, text) => {
    expect(grouped(value)).toBe(text);
  });

  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1,023 bytes'],
    [1024, '1,024 bytes (1.0 KiB)'],
    [1536, '1,536 bytes (1.5 KiB)'],
    [1048575, '1,048,575 bytes (1.0 MiB)'],
    [2147483648, '2,147,483,648 bytes (2.0 GiB)'],
  ])('size %s', (value, text) => {
    expect(exactSize(value)).toBe(text);
  });

  test('the largest unit is not exceeded', () => {
    expect(humanSize(2 ** 70)).toBe('1024.0 EiB');
  });

  test('nouns and durations', () => {
    expect([counted(1, 'page'), counted(2000, 'page')]).toEqual(['1 page', '2,000 pages']);
    expect([duration(12.3), duration(3456), duration(125_000)]).toEqual(['12 ms', '3.5 s', '2 min 5 s']);
  });
});

describe('columns', () => {
  test('are as wide as their widest cell; the last one is not padded', () => {
    expect(
      columns([
        ['a', 'b', 'c'],
        ['long', '', 'd'],
      ]),
    ).toBe('  a     b  c\n  long     d\n');
  });

  test('wrapped text keeps words whole', () => {
    expect(wrapped('one two three', 9, 2)).toBe('  one two\n  three\n');
    expect(wrapped('extraordinarily', 5)).toBe('extraordinarily\n');
  });
});

describe('json', () => {
  test('64-bit values are decimal strings', () => {
    expect(JSON.parse(jsonText({ txid: 2n ** 64n - 1n, count: 3 }))).toEqual({
      txid: '18446744073709551615',
      count: 3,
    });
  });

  test('a long list is one document', async () => {
    const stream = new CapturedStream();
    const out = new Output(stream);
    const list = new JsonList(out, { schema: 1, missing: undefined }, 'items');
    list.item({ id: 1n });
    list.begin();
    out.write('[2]');
    list.end({ count: 2 });
    const empty = new JsonList(out, {}, 'items');
    await out.flush();
    expect(JSON.parse(stream.text.replace(/\{\n {2}"items": \[$/, ''))).toEqual({
      schema: 1,
      items: [{ id: '1' }, [2]],
      count: 2,
    });
    empty.end();
    await out.flush();
    expect(stream.text.endsWith('{\n  "items": []\n}\n')).toBe(true);
  });
});
