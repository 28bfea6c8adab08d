/**
 * `bolt page FILE ID…` and `bolt page FILE --all`: pages and what is on them.
 */
import { LogicalPage } from '../../bolt/logical-page.ts';
import { PageDetails } from '../../bolt/pages.ts';
import { type DatadirError, isDatadirError } from '../../errors.ts';
import { uint64Argument, usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT, exitCodeOfError } from '../exit-codes.ts';
import { errorJson } from '../failure.ts';
import { type RawPages, withRawPages } from '../open-bolt.ts';
import { Pace } from '../pace.ts';
import type { BytesFormat } from '../render/bytes-format.ts';
import { JsonList, jsonOf } from '../render/json.ts';
import { PAGE_SEPARATOR, pageJson, pageText } from '../render/page.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out } = invocation;
  const [path, ...texts] = positionals;
  const all = options['all'] === true;
  if (all && texts.length > 0) throw usageError('bolt page takes numbers of pages or --all, not both');
  if (!all && texts.length === 0) throw usageError('bolt page needs numbers of pages, or --all');
  // A number that is not exact is that of no page anyway.
  const asked = texts.map((text) => Number(uint64Argument('ID', text)));
  const format = (options['format-value'] ?? 'auto') as BytesFormat;
  const pace = new Pace(invocation);

  return withRawPages(invocation, async (pages) => {
    const list = json ? new JsonList(out, { schema: 1, path, pageSize: pages.pageSize }, 'pages') : undefined;
    let exitCode: number = EXIT.done;
    let separator = '';
    for (let i = 0, id = 0; all ? id < pages.highWaterMark : i < asked.length; i++) {
      if (!all) id = asked[i] as number;
      if (list === undefined) out.write(separator);
      else list.begin();
      separator = PAGE_SEPARATOR;
      let next = id + 1;
      let objectOpen = false;
      try {
        const page = new PageDetails(pages.loader, id);
        next += page.overflow;
        for (const piece of json ? pageJson(page, format === 'redacted') : pageText(page, format)) {
          out.write(piece);
          objectOpen = true;
          if (pace.due()) await pace.rest();
        }
      } catch (error) {
        // Inside a JSON object there is no way back; a text just goes on with the next page, as bbolt does.
        if (!isDatadirError(error) || error.code === 'ABORTED' || (json && objectOpen)) throw error;
        if (json) out.write(jsonOf({ id, error: errorJson(error) }));
        else out.write(`Prining page ${id} failed: ${failureText(pages, id, error)}. Continuing...\n`);
        exitCode = Math.max(exitCode, failureCode(error, all));
        next = id + 1;
      }
      id = next;
      if (pace.due()) await pace.rest();
    }
    list?.end();
    return exitCode;
  });
}

/** In a list of all pages there are always some that are not the start of a page; reading them is another matter. */
function failureCode({ code }: DatadirError, all: boolean): number {
  return all && code === 'BOLT_DAMAGED' ? EXIT.done : exitCodeOfError(code);
}

/** bbolt's own words (its spelling too) for a page with another page's number: healthy files have such among the free ones. */
function failureText({ loader }: RawPages, id: number, error: DatadirError): string {
  if (error.code !== 'BOLT_DAMAGED') return error.message;
  const page = new LogicalPage(loader);
  try {
    loader.load(id, page);
  } catch {
    return error.message;
  }
  if (page.storedId === BigInt(id)) return error.message;
  return `error: invalid value due to unexpected Page id: ${page.storedId} != ${id}`;
}
