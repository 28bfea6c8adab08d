/**
 * `du PATH`: what takes the space in a db.
 */
import { type UsageBy, usageJob } from '../../backend/du.ts';
import { integerOption, usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { noteUnreadable, runJob, withBackend } from '../open-backend.ts';
import { Pace } from '../pace.ts';
import { usageJson, usageText } from '../render/du.ts';
import { jsonText } from '../render/json.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, json, out } = invocation;
  const by = (options['by'] ?? 'prefix') as UsageBy;
  const prefix = options['prefix'];
  if (by === 'bucket' && prefix !== undefined) throw usageError('--prefix says nothing of buckets');
  return withBackend(invocation, async ({ file, path, kind, fields }) => {
    const job = usageJob(file, {
      by,
      prefix: typeof prefix === 'string' ? new TextEncoder().encode(prefix) : undefined,
      depth: integerOption(options['depth'], 2),
      top: integerOption(options['top'], 10),
      maxNames: integerOption(options['max-names'], 10_000),
    });
    const usage = await runJob(invocation, job);
    if (json) {
      const asked = { prefix: typeof prefix === 'string' ? prefix : '' };
      out.write(jsonText({ schema: 1, path, kind, ...asked, ...usageJson(usage), ...fields }));
    } else {
      const pace = new Pace(invocation);
      for (const text of usageText(usage, path)) {
        out.write(text);
        if (pace.due()) await pace.rest();
      }
    }
    noteUnreadable(invocation, usage.unreadable);
    return EXIT.done;
  });
}
