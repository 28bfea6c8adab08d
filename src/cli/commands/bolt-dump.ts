/**
 * `bolt dump FILE ID…`: single pages of the file in hex.
 */
import { uint64Argument } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { notThere, type RawPages, withRawPages } from '../open-bolt.ts';
import { Pace } from '../pace.ts';
import { hexOf } from '../render/bytes-format.ts';
import { JsonList } from '../render/json.ts';
import { PAGE_SEPARATOR } from '../render/page.ts';

const LINE = 16;

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, json, out } = invocation;
  const [path, ...texts] = positionals;
  const ids = texts.map((text) => uint64Argument('ID', text));
  const pace = new Pace(invocation);
  return withRawPages(invocation, async (pages) => {
    const list = json ? new JsonList(out, { schema: 1, path, pageSize: pages.pageSize }, 'pages') : undefined;
    let separator = '';
    for (const id of ids) {
      const { bytes, offset } = readPage(pages, id);
      if (list !== undefined) list.item({ id: Number(id), offset, hex: hexOf(bytes) });
      else {
        out.write(separator);
        separator = PAGE_SEPARATOR;
        for (const line of dumpLines(bytes, offset)) {
          out.write(line);
          if (pace.due()) await pace.rest();
        }
      }
      if (pace.due()) await pace.rest();
    }
    list?.end();
    return EXIT.done;
  });
}

function readPage({ source, pageSize }: RawPages, id: bigint): { bytes: Uint8Array; offset: number } {
  const offset = Number(id) * pageSize;
  if (offset >= source.size)
    throw notThere('BOLT_PAGE_OUT_OF_RANGE', `page ${id} lies behind the end of the file (${source.size} bytes)`);
  const bytes = new Uint8Array(Math.min(pageSize, source.size - offset));
  return { bytes: bytes.subarray(0, source.readInto(bytes, offset)), offset };
}

function* dumpLines(bytes: Uint8Array, start: number): Generator<string> {
  let previous = '';
  let skipped = false;
  for (let at = 0; at < bytes.length; at += LINE) {
    const line = hexOf(bytes.subarray(at, at + LINE));
    const last = at + LINE >= bytes.length;
    const offset = (start + at).toString(16).padStart(7, '0');
    if (line === previous && !last) {
      if (!skipped) yield `${offset} *\n`;
      skipped = true;
    } else {
      yield `${offset} ${line.replace(/.{4}(?=.)/g, '$& ')}\n`;
      skipped = false;
    }
    previous = line;
  }
  yield '\n';
}
