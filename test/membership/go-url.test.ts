/**
 * URLs as Go has them, against what Go 1.26 answered to the same texts.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { goUrlText, parseGoUrl } from '../../src/membership/go-url.ts';
import { recorded } from './recorded.ts';

const again = (text: string): string => goUrlText(parseGoUrl(text));

describe('Go’s url.Parse and URL.String', () => {
  test('all recorded texts', () => {
    const answers = recorded.parsed.map(({ in: text, error }) => {
      try {
        return { in: text, out: again(text) };
      } catch (thrown) {
        expect(isDatadirError(thrown, 'USAGE'), `${text}: ${error}: ${thrown}`).toBe(true);
        return { in: text, error: [(thrown as Error).message] };
      }
    });
    expect(answers).toEqual(recorded.parsed);
  });

  test('there are enough of them', () => {
    expect(recorded.parsed.length).toBeGreaterThan(400);
  });

  const piece = fc.oneof(
    fc.constantFrom('http', 'unix', '://', ':', '/', '//', '?', '#', '@', '[', ']', '%', '%25', '%41', '%c3%a9', '::1'),
    fc.constantFrom('10.0.0.1', 'h', ':2380', ' ', 'é', '\u{1f600}', '\0', 'fe80::1', '.', '*'),
    fc.string({ maxLength: 3, unit: 'binary' }),
  );
  const url = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));

  property.prop([fc.oneof(url, fc.string({ unit: 'binary' }))])('any text is a URL or an error of ours', (text) => {
    try {
      again(text);
    } catch (error) {
      expect(isDatadirError(error, 'USAGE')).toBe(true);
    }
  });

  property.prop([fc.webUrl({ withFragments: true, withQueryParameters: true })])(
    'a proper URL stays as it is, but for the sign of a fragment without any',
    (text) => {
      expect(again(text)).toBe(text.replace(/#$/, ''));
    },
  );
});
