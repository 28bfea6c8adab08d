/**
 * What the path of a key of Kubernetes tells: the kind of the object, and the namespace it is in.
 *
 *     /registry/pods/default/web-1                               kind pods, namespace default
 *     /registry/services/specs/default/web                       kind services/specs, namespace default
 *     /registry/minions/node-1                                   kind minions, no namespace
 *     /registry/apiextensions.k8s.io/customresourcedefinitions/x kind apiextensions.k8s.io/customresourcedefinitions, none
 *     /registry/cilium.io/ciliumendpoints/default/web-1          kind cilium.io/ciliumendpoints, namespace default
 *
 * An API server puts its own kinds right below the root, without their group, and those of other servers and of custom resources below their
 * group, which always has a dot: the names of kinds have none. Services and their endpoints have a step of their own in between. Behind the kind
 * come namespace and name, or, of an object in no namespace, the name alone; no name has a slash in it. So what is behind the kind tells
 * whether there is a namespace, and nothing has to be known of the kinds.
 */
import { hasPrefix, SLASH, stepEnd } from './key-path.ts';

const DOT = 0x2e;

const encoder = new TextEncoder();
const SERVICES = encoder.encode('services');
const SERVICE_STEPS = ['specs', 'endpoints'].map((step) => encoder.encode(step));

/** Where API servers keep their keys unless told otherwise: those of Kubernetes, and those of OpenShift. */
export const KUBERNETES_ROOTS: readonly Uint8Array[] = ['/registry/', '/kubernetes.io/', '/openshift.io/'].map((root) =>
  encoder.encode(root),
);

/** The parts of a path. The same object serves for any number of keys: what it says is valid until the next one. */
export class KubernetesPath {
  /** The kind: `bytes[kindStart, kindEnd)`. */
  kindStart = 0;
  kindEnd = 0;
  /** The namespace; of an object in none, `hasNamespace` is false. */
  hasNamespace = false;
  namespaceStart = 0;
  namespaceEnd = 0;
  readonly #roots: readonly Uint8Array[];

  /** `roots`: what keys begin with; a slash behind it is taken for part of it. */
  constructor(roots: readonly Uint8Array[] = KUBERNETES_ROOTS) {
    this.#roots = roots;
  }

  /** Reads the path `bytes[start, end)`. False if it is none of Kubernetes: it lies below no root, or ends with it. */
  parse(bytes: Uint8Array, start: number, end: number): boolean {
    const root = this.#roots.find((each) => hasPrefix(bytes, start, end, each));
    if (root === undefined) return false;
    const kindStart = start + root.length + (bytes[start + root.length] === SLASH ? 1 : 0);
    if (kindStart >= end) return false;
    let kindEnd = stepEnd(bytes, kindStart, end);
    if (kindEnd === kindStart) return false;
    if (kindEnd < end && this.#goesOn(bytes, kindStart, kindEnd, end)) kindEnd = stepEnd(bytes, kindEnd + 1, end);
    this.kindStart = kindStart;
    this.kindEnd = kindEnd;
    this.namespaceStart = Math.min(kindEnd + 1, end);
    this.namespaceEnd = stepEnd(bytes, this.namespaceStart, end);
    // Without a slash behind it, it is a name.
    this.hasNamespace = this.namespaceEnd < end && this.namespaceEnd > this.namespaceStart;
    return true;
  }

  /** Whether the next step belongs to the kind as well. */
  #goesOn(bytes: Uint8Array, start: number, end: number, keyEnd: number): boolean {
    for (let i = start; i < end; i++) if (bytes[i] === DOT) return true;
    if (end - start !== SERVICES.length || !hasPrefix(bytes, start, end, SERVICES)) return false;
    const next = end + 1;
    const nextEnd = stepEnd(bytes, next, keyEnd);
    return SERVICE_STEPS.some((step) => nextEnd - next === step.length && hasPrefix(bytes, next, nextEnd, step));
  }
}
