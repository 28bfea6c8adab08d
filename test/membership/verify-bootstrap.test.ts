/**
 * The checks before a data directory is made, against what etcdutl 3.5.33, 3.6.14 and 3.7.1 said to the same flags of a restore.
 */
import { describe, expect, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { parseInitialCluster } from '../../src/membership/initial-cluster.ts';
import { parsePeerUrls } from '../../src/membership/peer-urls.ts';
import { verifyBootstrap, verifyNoDuplicateUrls } from '../../src/membership/verify-bootstrap.ts';
import { recorded } from './recorded.ts';

const verify = (cluster: string, name: string, advertised: string, minor: EtcdMinor): void =>
  verifyBootstrap(parseInitialCluster(cluster, minor), name, parsePeerUrls(advertised.split(','), minor), minor);

describe.each(['3.5', '3.6', '3.7'] as const)('restore of %s', (minor) => {
  test.each(recorded.bootstraps)('$name in $cluster at $advertised', ({ cluster, name, advertised, answers }) => {
    const words = answers[minor]?.error?.[0];
    const call = () => verify(cluster, name, advertised, minor);
    if (words === undefined) expect(call).not.toThrow();
    else expect(call).toThrow(expect.objectContaining({ code: 'USAGE', message: words }));
  });
});

describe('names', () => {
  test('are the same only if they are written so', () => {
    expect(() => verify('a=http://h:1', 'a', 'http://h:1', '3.6')).not.toThrow();
    expect(() => verify('a=http://h:1', 'a', 'http://H:1', '3.6')).toThrow(
      '--initial-cluster has a=http://h:1 but missing from --initial-advertise-peer-urls=http://H:1 ' +
        '(names are not resolved here: "http://H:1" != "http://h:1")',
    );
  });

  test('beside addresses leave those equal', () => {
    expect(() => verify('a=http://h:1,a=http://[0::1]:1', 'a', 'http://[::1]:1,http://h:1', '3.6')).not.toThrow();
  });
});

test('3.4 says what was resolved from what', () => {
  expect(() => verify('a=http://10.0.0.1:01', 'a', 'http://10.0.0.2:1', '3.4')).toThrow(
    '--initial-cluster has a=http://10.0.0.1:01 but missing from --initial-advertise-peer-urls=http://10.0.0.2:1 ' +
      '("http://10.0.0.2:1"(resolved from "http://10.0.0.2:1") != "http://10.0.0.1:1"(resolved from "http://10.0.0.1:01"))',
  );
});

describe('without a local member', () => {
  test('a URL that comes twice is found', () => {
    expect(() => verifyNoDuplicateUrls(parseInitialCluster('b=http://h:1,a=http://h:1', '3.6'))).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: 'initial cluster a=http://h:1,b=http://h:1 has duplicate url',
      }),
    );
    expect(() => verifyNoDuplicateUrls(parseInitialCluster('b=http://h:1,a=http://H:1', '3.6'))).not.toThrow();
  });

  test('there must be members', () => {
    expect(() => verifyNoDuplicateUrls(new Map())).toThrow('initial cluster unset and no discovery endpoints found');
    expect(() => verifyNoDuplicateUrls(new Map(), '3.6')).toThrow('initial cluster unset and no discovery URL found');
  });
});
