/**
 * `bolt pages FILE`: the table of pages, as bbolt prints it.
 */
import type { BoltDb } from '../../bolt/database.ts';
import type { PageRow } from '../../bolt/pages.ts';
import { isDatadirError } from '../../errors.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withBolt } from '../open-bolt.ts';
import { Pace } from '../pace.ts';
import { JsonList } from '../render/json.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, json, out } = invocation;
  const pace = new Pace(invocation);
  return withBolt(invocation, async (db) => {
    const { rows, first } = startRows(invocation, db);
    const { pageSize } = db;
    const list = json ? new JsonList(out, { schema: 1, path: positionals[0], pageSize }, 'pages') : undefined;
    if (!json) out.write('ID       TYPE       ITEMS  OVRFLW\n======== ========== ====== ======\n');
    for (let row = first; row.done !== true; row = rows.next()) {
      if (list === undefined) out.write(rowText(row.value));
      else list.item(row.value);
      if (pace.due()) await pace.rest();
    }
    list?.end();
    return EXIT.done;
  });
}

type Rows = Generator<PageRow, void, undefined>;

/** The first row takes the reading of the freelist, or, where none is stored, a walk over all trees. */
function startRows({ block, note }: Invocation, db: BoltDb): { rows: Rows; first: IteratorResult<PageRow, void> } {
  const rows = db.pages();
  try {
    return { rows, first: block(() => rows.next()) };
  } catch (error) {
    if (!db.freelistStored || !isDatadirError(error, 'BOLT_DAMAGED')) throw error;
    note(`the freelist cannot be read (${error.message}): pages that no bucket uses are shown as free`);
    const others = db.pages({ ignoreFreelist: true });
    return { rows: others, first: block(() => others.next()) };
  }
}

function rowText({ id, type, items, overflow }: PageRow): string {
  const count = type === 'free' ? '' : `${items}`;
  const more = overflow > 0 ? `${overflow}` : '';
  return `${`${id}`.padEnd(8)} ${type.padEnd(10)} ${count.padEnd(6)} ${more.padEnd(6)}\n`;
}
