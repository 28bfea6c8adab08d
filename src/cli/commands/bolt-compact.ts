/**
 * `bolt compact -o DST SRC`: everything in a bolt file, in a new one without free pages.
 */
import { isDatadirError } from '../../errors.ts';
import { compactBoltFile } from '../../files/compact-bolt.ts';
import { usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { refuseDamaged } from '../refuse-damaged.ts';
import { jsonText } from '../render/json.ts';
import { findingJson, findingLine } from '../render/report.ts';
import { prepareWriting } from '../writing.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out, signal, showProgress } = invocation;
  const [path = ''] = positionals;
  const output = `${options['output']}`;
  const fillPercent = fillOption(options['fill-percent']);
  const pageSize = typeof options['page-size'] === 'string' ? Number(options['page-size']) : undefined;
  const freelist = options['freelist'];
  prepareWriting(invocation, output);
  try {
    const { findings, txid, ...facts } = await compactBoltFile(path, output, {
      pageSize,
      fillPercent,
      freelistStored: freelist === undefined ? undefined : freelist === 'stored',
      noSync: options['no-sync'] === true,
      signal,
      onProgress: showProgress,
    });
    showProgress(undefined);
    const gain = facts.sourceSize / facts.size;
    for (const finding of findings) {
      if (finding.severity !== 'info') invocation.note(`${path}: ${findingLine(finding)}`);
    }
    if (json) {
      const all = findings.map(findingJson);
      out.write(jsonText({ schema: 1, path, output, ...facts, txid: `${txid}`, gain, findings: all }));
    } else out.write(`${facts.sourceSize} -> ${facts.size} bytes (gain=${gain.toFixed(2)}x)\n`);
    return EXIT.done;
  } catch (error) {
    showProgress(undefined);
    const refused = refuseDamaged(invocation, path, error, 'and nothing was written');
    if (refused !== undefined) return refused;
    if (isDatadirError(error, 'BOLT_NO_META')) await tellKind(path);
    throw error;
  }
}

/** A fraction, as bbolt has it; 90 would be taken for 1. */
function fillOption(value: string | true | undefined): number | undefined {
  if (typeof value !== 'string') return undefined;
  const fill = Number(value);
  if (/^\d*\.?\d+$/.test(value) && fill >= 0.1 && fill <= 1) return fill;
  throw usageError(`--fill-percent must be a number from 0.1 to 1, not '${value}'`);
}

/** Something else altogether, such as a compressed file, gets a clearer word than its missing metas. */
async function tellKind(path: string): Promise<void> {
  const { detectKind } = await import('../../datadir/detect-kind.ts');
  const { openFileSource } = await import('../../io/file-source.ts');
  const source = openFileSource(path);
  try {
    detectKind(source, path);
  } finally {
    source.close();
  }
}
