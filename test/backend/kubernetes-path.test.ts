/**
 * Kind and namespace from the path of a key.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { KUBERNETES_ROOTS, KubernetesPath } from '../../src/backend/kubernetes-path.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `[kind, namespace]`, the latter null for an object in none; undefined if it is no path. */
function parsed(key: string, roots?: readonly string[]): readonly [string, string | null] | undefined {
  const path = new KubernetesPath(roots?.map((root) => encoder.encode(root)));
  // Bytes around the key must not matter.
  const bytes = encoder.encode(`/${key}/x`);
  if (!path.parse(bytes, 1, bytes.length - 2)) return undefined;
  const text = (start: number, end: number): string => decoder.decode(bytes.subarray(start, end));
  const namespace = path.hasNamespace ? text(path.namespaceStart, path.namespaceEnd) : null;
  return [text(path.kindStart, path.kindEnd), namespace];
}

describe('kind and namespace', () => {
  test.each([
    ['/registry/pods/default/web-1', 'pods', 'default'],
    ['/registry/events/kube-system/web.17a0', 'events', 'kube-system'],
    ['/registry/leases/kube-node-lease/node-1', 'leases', 'kube-node-lease'],
    ['/registry/secrets/team.a/token', 'secrets', 'team.a'],
    ['/registry/services/specs/default/kubernetes', 'services/specs', 'default'],
    ['/registry/services/endpoints/default/kubernetes', 'services/endpoints', 'default'],
    ['/registry/cilium.io/ciliumendpoints/default/web-1', 'cilium.io/ciliumendpoints', 'default'],
    ['/kubernetes.io/pods/default/web-1', 'pods', 'default'],
    ['/openshift.io/routes/default/web', 'routes', 'default'],
  ])('%s', (key, kind, namespace) => {
    expect(parsed(key)).toEqual([kind, namespace]);
  });

  test.each([
    ['/registry/minions/node-1', 'minions'],
    ['/registry/namespaces/default', 'namespaces'],
    ['/registry/clusterroles/system:controller:x', 'clusterroles'],
    ['/registry/masterleases/10.0.0.1', 'masterleases'],
    ['/registry/ranges/serviceips', 'ranges'],
    [
      '/registry/apiextensions.k8s.io/customresourcedefinitions/x.cilium.io',
      'apiextensions.k8s.io/customresourcedefinitions',
    ],
    ['/registry/apiregistration.k8s.io/apiservices/v1.apps', 'apiregistration.k8s.io/apiservices'],
    ['/registry/health', 'health'],
    ['/registry/pods/', 'pods'],
    ['/registry/pods//web', 'pods'],
    // A step that only looks like those of services.
    ['/registry/services/specsx', 'services'],
    ['/registry/services/other', 'services'],
  ])('in no namespace: %s', (key, kind) => {
    expect(parsed(key)).toEqual([kind, null]);
  });

  test('other steps below services are namespaces', () => {
    expect(parsed('/registry/services/specifications/web')).toEqual(['services', 'specifications']);
  });

  test.each([
    '',
    '/',
    'compact_rev_key',
    '/registry',
    '/registry/',
    '/registry//',
    '/registryx/pods/default/x',
    'registry/pods/a/b',
  ])('no path of Kubernetes: %j', (key) => {
    expect(parsed(key)).toBeUndefined();
  });

  test('other roots, with and without a slash at the end', () => {
    expect(parsed('/tenant-1/pods/default/web', ['/tenant-1/'])).toEqual(['pods', 'default']);
    expect(parsed('/tenant-1/pods/default/web', ['/tenant-1'])).toEqual(['pods', 'default']);
    expect(parsed('pods/default/web', [''])).toEqual(['pods', 'default']);
    expect(parsed('/registry/pods/default/web', ['/tenant-1/'])).toBeUndefined();
  });

  const step = fc.stringMatching(/^[a-z0-9-]{1,12}$/).filter((text) => text !== 'services');
  property.prop([fc.constantFrom(...KUBERNETES_ROOTS), step, step, step])(
    'any names',
    (root, kind, namespace, name) => {
      const top = decoder.decode(root);
      expect(parsed(`${top}${kind}/${namespace}/${name}`)).toEqual([kind, namespace]);
      expect(parsed(`${top}${kind}/${name}`)).toEqual([kind, null]);
      expect(parsed(`${top}group.example/${kind}/${namespace}/${name}`)).toEqual([`group.example/${kind}`, namespace]);
    },
  );

  property.prop([fc.uint8Array({ maxLength: 40 })])(
    'any bytes: parts lie within the key, one behind the other',
    (bytes) => {
      const path = new KubernetesPath([new Uint8Array()]);
      if (!path.parse(bytes, 0, bytes.length)) return;
      const { kindStart, kindEnd, namespaceStart, namespaceEnd } = path;
      const places = [0, kindStart, kindEnd, namespaceStart, namespaceEnd, bytes.length];
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(kindEnd).toBeGreaterThan(kindStart);
    },
  );
});
