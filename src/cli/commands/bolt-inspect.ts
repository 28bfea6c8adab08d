/**
 * `bolt inspect FILE`: the tree of buckets as JSON, laid out as bbolt does it.
 */
import type { BucketTree } from '../../bolt/inspect.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withBolt } from '../open-bolt.ts';
import { Pace } from '../pace.ts';
import { hexOf } from '../render/bytes-format.ts';
import { goJsonString } from '../render/go-json.ts';

const INDENT = '    ';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { json, out } = invocation;
  const pace = new Pace(invocation);
  return withBolt(invocation, async (db) => {
    const tree = invocation.block(() => db.inspect());
    for (const text of treeText(tree, json)) {
      out.write(text);
      if (pace.due()) await pace.rest();
    }
    return EXIT.done;
  });
}

/** With an explicit stack: buckets can be nested deeper than calls. */
function* treeText(root: BucketTree, json: boolean): Generator<string> {
  const stack: { readonly buckets: readonly BucketTree[]; next: number }[] = [];
  let tree: BucketTree | undefined = root;
  while (tree !== undefined) {
    // The braces of a bucket at depth d are indented by 2d, its fields by one more.
    const margin = INDENT.repeat(stack.length * 2);
    const schema = json && stack.length === 0 ? `${margin}${INDENT}"schema": 1,\n` : '';
    const hex = json ? `${margin}${INDENT}"nameHex": "${hexOf(tree.name)}",\n` : '';
    yield `${margin}{\n${schema}${margin}${INDENT}"name": ${goJsonString(tree.name)},\n${hex}${margin}${INDENT}"keyN": ${tree.keyN}`;
    if (tree.buckets.length > 0) {
      yield `,\n${margin}${INDENT}"buckets": [\n`;
      stack.push({ buckets: tree.buckets, next: 1 });
      tree = tree.buckets[0];
      continue;
    }
    yield `\n${margin}}`;
    tree = undefined;
    for (let top = stack.at(-1); top !== undefined && tree === undefined; top = stack.at(-1)) {
      tree = top.buckets[top.next++];
      if (tree !== undefined) yield ',\n';
      else {
        stack.pop();
        const outer = INDENT.repeat(stack.length * 2);
        yield `\n${outer}${INDENT}]\n${outer}}`;
      }
    }
  }
  yield '\n';
}
