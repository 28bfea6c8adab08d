/**
 * `bolt compact -o DST SRC`: everything in a bolt file, in a new one without free pages.
 */
import { damageReport } from '../../bolt/compact.ts';
import { isDatadirError } from '../../errors.ts';
import { compactBoltFile } from '../../files/compact-bolt.ts';
import type { CheckReport } from '../../report.ts';
import { usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonText } from '../render/json.ts';
import { findingJson, findingLine } from '../render/report.ts';
import { counted } from '../render/size.ts';
import { visible } from '../render/visible.ts';
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
    const report = damageReport(error);
    if (report !== undefined) return refuse(invocation, path, report);
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

const MAX_LINES = 20;

function refuse({ out, json, note }: Invocation, path: string, report: CheckReport): number {
  const error = { code: 'BOLT_SOURCE_DAMAGED', message: `${path}: the file is damaged`, path };
  if (json) {
    out.write(jsonText({ schema: 1, path, error, check: { ...report, findings: report.findings.map(findingJson) } }));
  } else {
    const problems = report.findings.filter(({ severity }) => severity !== 'info');
    for (const finding of problems.slice(0, MAX_LINES)) out.write(`${findingLine(finding)}\n`);
    if (problems.length > MAX_LINES) out.write(`${counted(problems.length - MAX_LINES, 'more finding')} not listed\n`);
  }
  const words = `'etcd-datadir check ${path}' tells more; 'etcd-datadir help bolt surgery' lists what can be done by hand`;
  note(visible(`${path}: the file is damaged, and nothing was written; ${words}`));
  return EXIT.problems;
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
