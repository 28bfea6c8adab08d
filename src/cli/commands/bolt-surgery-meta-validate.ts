/**
 * `bolt surgery meta validate FILE`: says of both metas whether they are valid. Changes nothing and makes no copy.
 */
import { META_PROBLEMS } from '../../bolt/meta-problem.ts';
import { validateMetas } from '../../bolt/surgery/validate-metas.ts';
import { openFileSource } from '../../io/file-source.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonText } from '../render/json.ts';
import { metaFields } from '../render/meta.ts';
import { surgeryOptions } from '../surgery.ts';

/** Runs the command. */
export function run(invocation: Invocation): number {
  const { positionals, json, out } = invocation;
  const [path = ''] = positionals;
  const source = openFileSource(path);
  try {
    const { pageSize, metas, valid, current } = validateMetas(source, surgeryOptions(invocation));
    if (json) {
      const described = metas.map((meta) => ({ ...metaFields(meta), valid: meta.problem === undefined }));
      out.write(jsonText({ schema: 1, path, pageSize, valid, current: current ?? null, metas: described }));
    } else {
      for (const { page, problem } of metas) {
        if (problem === undefined) out.write(`The meta page ${page} is valid!\n`);
        else out.write(`WARNING: The meta page ${page} isn't valid: ${META_PROBLEMS[problem]}!\n`);
      }
    }
    return valid ? EXIT.done : EXIT.problems;
  } finally {
    source.close();
  }
}
