/**
 * Opens the FILE of a `bolt` command, by the meta that `--meta` names, and closes it whatever happens.
 */
import { type BoltDb, openReadable } from '../bolt/database.ts';
import { META_MAGIC } from '../bolt/format.ts';
import { locateMetas } from '../bolt/locate.ts';
import { PageLoader } from '../bolt/page-loader.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { openFileSource } from '../io/file-source.ts';
import type { Invocation } from './command.ts';

type Use<Opened> = (opened: Opened) => Promise<number> | number;

/** Opens the database for a command that reads buckets. */
export async function withBolt(invocation: Invocation, use: Use<BoltDb>): Promise<number> {
  return withSource(invocation, async (source) => use(await openDatabase(source, invocation)));
}

/** The pages of a file, those behind the high water mark included. */
export interface RawPages {
  readonly source: ByteSource;
  readonly pageSize: number;
  /** The high water mark of the current meta, or else the number of pages in the file. */
  readonly highWaterMark: number;
  /** Takes every page that lies in the file. */
  readonly loader: PageLoader;
}

/**
 * Opens the file for a command that looks at single pages. These are what is needed when the metas are damaged, so any page
 * of the file can be had as long as it looks like a bolt file at all.
 */
export async function withRawPages(invocation: Invocation, use: Use<RawPages>): Promise<number> {
  return withSource(invocation, async (source) => {
    const { metas, pageSize } = locateMetas(source);
    const inFile = Math.ceil(source.size / pageSize);
    let highWaterMark = inFile;
    try {
      highWaterMark = (await openDatabase(source, invocation)).highWaterMark;
    } catch (error) {
      const known = metas.some(({ magic }) => magic === META_MAGIC);
      if (!known || !isDatadirError(error, 'BOLT_NO_META', 'BOLT_DAMAGED')) throw error;
      invocation.note(`${error.message}; going by pages of ${pageSize} bytes`);
    }
    return use({ source, pageSize, highWaterMark, loader: new PageLoader(source, pageSize, inFile) });
  });
}

async function withSource(invocation: Invocation, use: Use<ByteSource>): Promise<number> {
  const source = openFileSource(invocation.positionals[0] ?? '');
  try {
    return await use(source);
  } finally {
    source.close();
  }
}

async function openDatabase(source: ByteSource, { options, positionals }: Invocation): Promise<BoltDb> {
  const meta = options['meta'];
  try {
    return openReadable(source, meta === undefined ? {} : { meta: meta === '0' ? 0 : 1 });
  } catch (error) {
    if (!isDatadirError(error, 'BOLT_NO_META')) throw error;
    // Something else altogether, such as a compressed file, gets a clearer word than its missing metas.
    const { detectKind } = await import('../datadir/detect-kind.ts');
    detectKind(source, positionals[0]);
    throw error;
  }
}

/** An error for something that is not there. */
export function notThere(
  code: 'BOLT_KEY_NOT_FOUND' | 'BOLT_PAGE_OUT_OF_RANGE' | 'BOLT_INCOMPATIBLE_VALUE',
  message: string,
): DatadirError {
  return new DatadirError(code, message);
}
