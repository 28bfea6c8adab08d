/**
 * `bolt info FILE`: the page size, as bbolt prints it; everything that the metas say under `--json`.
 */
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withBolt } from '../open-bolt.ts';
import { jsonText } from '../render/json.ts';
import { metaFields } from '../render/meta.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  return withBolt(invocation, (db) => {
    if (!invocation.json) invocation.out.write(`Page Size: ${db.pageSize}\n`);
    else {
      const { freelistPage = null, ...info } = db.info();
      invocation.out.write(jsonText({ schema: 1, ...info, freelistPage, metas: db.metas.map(metaFields) }));
    }
    return EXIT.done;
  });
}
