/**
 * Peer URLs by etcd's rules, against what etcd 3.4.13, 3.5.33, 3.6.14 and 3.7.1 answered to the same texts.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { ETCD_MINORS } from '../../src/etcd-version.ts';
import { parsePeerUrls } from '../../src/membership/peer-urls.ts';
import { answerOf, recorded } from './recorded.ts';

/** What we add to etcd's words. */
const ADVICE =
  / \((?:the URL is empty|the scheme is missing: (?:write .*|a URL begins with http:\/\/ or https:\/\/))\)$/s;

describe('types.NewURLs', () => {
  test.each(ETCD_MINORS)('all recorded texts, as %s', (minor) => {
    for (const recordedCase of recorded.lists) {
      const { out, error } = answerOf(recordedCase, minor);
      const hint = JSON.stringify(recordedCase.in);
      if (error === undefined) expect(parsePeerUrls(recordedCase.in, minor), hint).toEqual(out);
      else expect(wordsOf(() => parsePeerUrls(recordedCase.in, minor)).replace(ADVICE, ''), hint).toBe(error[0]);
    }
  });
});

describe('a forgotten scheme', () => {
  const scheme = 'URL scheme must be http, https, unix, or unixs';
  test.each([
    ['test1.local:2380', `${scheme}: test1.local:2380 (the scheme is missing: write http://test1.local:2380)`],
    ['localhost:2380', `${scheme}: localhost:2380 (the scheme is missing: write http://localhost:2380)`],
    ['test1.local', `${scheme}: test1.local (the scheme is missing: write http://test1.local:2380)`],
    ['10.0.0.1', `${scheme}: 10.0.0.1 (the scheme is missing: write http://10.0.0.1:2380)`],
    ['//h:2380', `${scheme}: //h:2380 (the scheme is missing: write http://h:2380)`],
    ['/var/run/x', `${scheme}: /var/run/x (the scheme is missing: a URL begins with http:// or https://)`],
    [
      '10.0.0.1:2380',
      'parse "10.0.0.1:2380": first path segment in URL cannot contain colon (the scheme is missing: write http://10.0.0.1:2380)',
    ],
    [
      '[::1]:2380',
      'parse "[::1]:2380": first path segment in URL cannot contain colon (the scheme is missing: write http://[::1]:2380)',
    ],
    [':2380', 'parse ":2380": missing protocol scheme (the scheme is missing: write http://:2380)'],
    ['', `${scheme}:  (the URL is empty)`],
  ])('%s', (text, words) => {
    expect(wordsOf(() => parsePeerUrls([text], '3.6'))).toBe(words);
  });

  test.each(['ftp://h:2380', 'http://h', 'http:h:2380', 'http://h:x', 'HTTP://h:2380/'])(
    'is not spoken of for %s',
    (text) => {
      expect(wordsOf(() => parsePeerUrls([text], '3.6'))).not.toMatch(/scheme is missing|no error/);
    },
  );
});

property.prop([fc.array(fc.webAuthority({ withPort: true }), { minLength: 1 })])(
  'what was parsed is parsed to the same',
  (hosts) => {
    const texts = hosts.map((host) => `http://${/:\d*$/.test(host) ? host : `${host}:2380`}`);
    const urls = parsePeerUrls(texts, '3.6');
    expect(parsePeerUrls([...urls].reverse(), '3.6')).toEqual(urls);
    expect(
      [...urls]
        .map((url) => Buffer.from(url))
        .sort(Buffer.compare)
        .map(String),
    ).toEqual(urls);
  },
);

function wordsOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    expect(error).toMatchObject({ code: 'USAGE' });
    return (error as Error).message;
  }
  return 'no error';
}
