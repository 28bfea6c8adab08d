/**
 * Under which name of the tree the space of a key is counted.
 */
import {
  addFigures,
  largestFirst,
  noFigures,
  TOP,
  type UsageFigures,
  type UsageNode,
  type UsageTree,
} from './du-tree.ts';
import { hasPrefix, SLASH, stepEnd } from './key-path.ts';
import { KUBERNETES_ROOTS, KubernetesPath } from './kubernetes-path.ts';

/** Finds the node of the key `bytes[start, end)`; asked once for each key. */
export type Grouping = (bytes: Uint8Array, start: number, end: number) => number;

/** What is longer is no name: each takes memory of its own, and keys may have megabytes. */
const MAX_NAME = 4096;

/** By prefix: a name ends with a slash, and a key is counted under the longest of at most `depth` names that it has behind `prefix`. */
export function byPrefix(tree: UsageTree, prefix: Uint8Array, depth: number): Grouping {
  return (bytes, start, end) => {
    let node = TOP;
    let at = start + prefix.length;
    for (let level = 0; level < depth; level++) {
      // A slash at the very start parts nothing: /registry/pods/ is registry/, and pods/ in it.
      const from = level === 0 && at < end && bytes[at] === SLASH ? at + 1 : at;
      const slash = stepEnd(bytes, from, end);
      if (slash === end || slash - start >= MAX_NAME) break;
      node = tree.child(node, bytes, at, slash + 1);
      at = slash + 1;
    }
    return node;
  };
}

/**
 * By namespace, and in it by kind. Keys of Kubernetes are those below its usual roots; a `prefix` outside of these is taken for the root.
 */
export function byNamespace(tree: UsageTree, prefix: Uint8Array): Grouping {
  const inRoot = KUBERNETES_ROOTS.some(
    (root) => hasPrefix(prefix, 0, prefix.length, root) || hasPrefix(root, 0, root.length, prefix),
  );
  const path = new KubernetesPath(inRoot ? KUBERNETES_ROOTS : [prefix]);
  return (bytes, start, end) => {
    if (!path.parse(bytes, start, end) || path.namespaceStart - start > MAX_NAME) return tree.rest(TOP, 'other-keys');
    if (path.hasNamespace && path.namespaceEnd - start > MAX_NAME) return tree.rest(TOP, 'other-keys');
    const namespace = path.hasNamespace
      ? tree.child(TOP, bytes, path.namespaceStart, path.namespaceEnd)
      : tree.rest(TOP, 'no-namespace');
    return tree.child(namespace, bytes, path.kindStart, path.kindEnd);
  };
}

/** What each kind takes in all namespaces of a tree by namespace. */
export function kindsOf({ children: namespaces }: UsageNode): UsageNode[] {
  const kinds = new Map<string, UsageNode & UsageFigures>();
  for (const { rest, children } of namespaces) {
    if (rest === 'other-keys') continue;
    for (const kind of children) {
      const name = kind.rest ?? `=${latin1.decode(kind.name)}`;
      let sum = kinds.get(name);
      if (sum === undefined) {
        sum = { ...kind, ...noFigures(), children: [] };
        kinds.set(name, sum);
      }
      addFigures(sum, kind);
    }
  }
  return [...kinds.values()].sort(largestFirst);
}

/** Tells all bytes apart. */
const latin1 = new TextDecoder('latin1');
