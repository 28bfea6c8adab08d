/**
 * Values of --initial-cluster, against what etcd 3.4.13, 3.5.33, 3.6.14 and 3.7.1 made of the same texts.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { ETCD_MINORS } from '../../src/etcd-version.ts';
import { initialClusterText, parseInitialCluster } from '../../src/membership/initial-cluster.ts';
import { answerOf, recorded } from './recorded.ts';

describe('types.NewURLsMap', () => {
  test.each(ETCD_MINORS)('all recorded texts, as %s', (minor) => {
    for (const recordedCase of recorded.clusters) {
      const { out, error } = answerOf(recordedCase, minor);
      const hint = JSON.stringify(recordedCase.in);
      try {
        const cluster = parseInitialCluster(recordedCase.in, minor);
        const text = initialClusterText(cluster);
        expect({ members: Object.fromEntries(cluster), text }, hint).toEqual(out);
        expect([...cluster.keys()], hint).toEqual([...cluster.keys()].sort(byBytes));
      } catch (thrown) {
        if (!isDatadirError(thrown, 'USAGE')) throw thrown;
        const words = thrown.message;
        expect(
          error?.some((each) => words === each || words.startsWith(`${each} (the `)),
          `${hint}: ${words}`,
        ).toBe(true);
      }
    }
  });
});

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('initial cluster', () => {
  test('an empty text has no members, and is no error yet', () => {
    expect(parseInitialCluster('', '3.6')).toEqual(new Map());
    expect(initialClusterText(new Map())).toBe('');
  });

  test('of several wrong members the first is named', () => {
    expect(() => parseInitialCluster('z=http://h,a=http://g', '3.6')).toThrow('"host:port": http://h');
  });

  const name = fc.string({ unit: 'binary', maxLength: 5 }).filter((text) => !/[,=]/.test(text));
  const url = fc.tuple(fc.ipV4(), fc.nat(65535)).map(([host, port]) => `http://${host}:${port}`);
  property.prop([fc.dictionary(name, fc.array(url, { minLength: 1, maxLength: 3 }), { noNullPrototype: true })])(
    'its text parses to the same',
    (members) => {
      const text = Object.entries(members)
        .flatMap(([key, urls]) => urls.map((each) => `${key}=${each}`))
        .join(',');
      const cluster = parseInitialCluster(text, '3.6');
      expect([...parseInitialCluster(initialClusterText(cluster), '3.6')]).toEqual([...cluster]);
    },
  );
});
