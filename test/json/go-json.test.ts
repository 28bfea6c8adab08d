import { expect, test } from 'vitest';
import { goJson } from '../../src/json/go-json.ts';
import { parseJson } from '../../src/json/parse.ts';

test('a member as etcd writes it into a conf change', () => {
  const member = { id: 8090794222622201213n, peerURLs: ['http://10.0.0.1:2380'], name: 'n1', clientURLs: undefined };
  expect(goJson(member)).toBe('{"id":8090794222622201213,"peerURLs":["http://10.0.0.1:2380"],"name":"n1"}');
});

test('structs keep their order, maps are sorted', () => {
  expect(goJson({ b: null, a: true })).toBe('{"b":null,"a":true}');
  expect(
    goJson(
      new Map([
        ['b', null],
        ['10', null],
        ['9', null],
      ]),
    ),
  ).toBe('{"10":null,"9":null,"b":null}');
});

test('what has a meaning in HTML is escaped, in names too', () => {
  expect(goJson({ '<&>': 'a\u2028\u2029"\\\n\u0001é' })).toBe(
    '{"\\u003c\\u0026\\u003e":"a\\u2028\\u2029\\"\\\\\\n\\u0001é"}',
  );
});

test('reads back as it was', () => {
  const text = 'http://h/?a=1&b=<2>\u2028';
  expect(parseJson(goJson(text))).toBe(text);
});
