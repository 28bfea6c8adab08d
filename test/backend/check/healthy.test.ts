// Whatever a real etcd wrote is healthy: every db and snapshot file of every release, hot copies, restored and bumped ones.
import { describe, expect, test } from 'vitest';
import { checkBackend } from '../../../src/backend/check.ts';
import { createNodeSha256 } from '../../../src/checksum/node-sha256.ts';
import { describeFinding } from '../../../src/findings.ts';
import { listDbFixtures, readFixture } from '../../support/fixtures.ts';

const fixtures = listDbFixtures().filter(({ kind }) => kind === 'etcd');
const plain = listDbFixtures().filter(({ kind }) => kind === 'bolt');

describe.each(fixtures)('$name', (fixture) => {
  const bytes = (): Uint8Array => readFixture(fixture);

  test('has nothing above info, and all rules were applied', () => {
    const report = checkBackend(bytes(), { sha256: createNodeSha256 });
    const words = report.findings.map((f) => `${f.severity} ${f.code}: ${describeFinding(f).message}`).join('\n');
    expect(report.verdict, words).toBe('healthy');
    expect(report).toMatchObject({ kind: 'db', level: 'deep' });
    // A sha256 vouches for what bolt has no checksum of.
    const left = report.backend?.trailer === 'right' ? [] : ['values and free pages: bolt keeps no checksum of them'];
    expect(report.notExamined).toEqual(left);
    const snapshot = /\/snapshot(-2)?$/.test(fixture.name);
    expect(report.backend).toMatchObject({
      trailer: snapshot ? 'right' : 'missing',
      etcdVersion: fixture.version.slice(0, 3),
      bumps: fixture.name.endsWith('/bumped') ? 1 : 0,
    });
    expect(report.findings.some(({ code }) => code === 'BOLT_TRAILER')).toBe(false);
  });
});

test.each(plain)('$name is no db of etcd, and that is all that is said', (fixture) => {
  const report = checkBackend(readFixture(fixture));
  expect(report.findings.filter(({ code }) => code.startsWith('BACKEND_'))).toEqual([]);
  expect(report.backend).toBeUndefined();
  expect(report.examined).toContain('no buckets of etcd are there: there are no records to look at');
});

describe('the release that is to start', () => {
  const judge = (name: string, etcdVersion: '3.4' | '3.5' | '3.6' | '3.7') =>
    checkBackend(readFixture(`etcd/${name}/snapshot`), { etcdVersion, sha256: createNodeSha256 });

  test.each(['3.4.23/busy', '3.5.33/busy', '3.6.14/busy', '3.7.1/busy'])(
    '%s starts with its own and later ones',
    (name) => {
      for (const target of ['3.4', '3.5', '3.6', '3.7'] as const) {
        const { verdict, findings, backend } = judge(name, target);
        expect(verdict).toBe(target >= name.slice(0, 3) ? 'healthy' : 'refused');
        expect(backend?.etcdVersion).toBe(target);
        const codes = findings.filter(({ severity }) => severity === 'refuse').map(({ code }) => code);
        const older = target < name.slice(0, 3);
        const schema = older && name.startsWith('3.7') && target === '3.6';
        expect(codes).toEqual([
          ...(older ? ['BACKEND_CLUSTER_VERSION_NEWER'] : []),
          ...(schema ? ['BACKEND_STORAGE_VERSION_UNSUPPORTED'] : []),
        ]);
      }
    },
  );
});
