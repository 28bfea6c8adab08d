/**
 * What the `bolt surgery` commands have in common: the copy, the words about it, and what to do next.
 */
import type { SurgeryOptions, SurgeryPlan } from '../bolt/surgery/raw-file.ts';
import { applyToCopy } from '../files/operate-on-copy.ts';
import type { ByteSource } from '../io/byte-source.ts';
import type { CheckReport } from '../report.ts';
import type { Invocation } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { jsonText } from './render/json.ts';
import { findingJson, findingLine, verdictText } from './render/report.ts';
import { visible } from './render/visible.ts';

/** What a command says of what it did. */
export interface SurgeryWords {
  /** What was done; the first line is bbolt's own. */
  readonly done: readonly string[];
  readonly warnings: readonly string[];
  /** Whether the freelist should be abandoned next. */
  readonly abandonNext?: boolean;
  /** The facts, for JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The options that all operations take. */
export function surgeryOptions({ options }: Invocation): SurgeryOptions {
  const pageSize = options['page-size'];
  return typeof pageSize === 'string' ? { pageSize: Number(pageSize) } : {};
}

/** Plans an operation on FILE, applies it to a copy at `--output`, checks that, and says all of it. */
export async function runSurgery<Result>(
  invocation: Invocation,
  plan: (source: ByteSource, options: SurgeryOptions) => SurgeryPlan<Result>,
  describe: (result: Result) => SurgeryWords,
): Promise<number> {
  const { positionals, options, json, out, signal, showProgress, block, command } = invocation;
  const [path = ''] = positionals;
  const output = `${options['output']}`;
  const { prepareWriting } = await import('./writing.ts');
  prepareWriting(invocation, output);
  const surgery = surgeryOptions(invocation);
  const { result, report } = await applyToCopy(path, output, (source) => block(() => plan(source, surgery)), {
    ...surgery,
    signal,
    onProgress: showProgress,
  });
  showProgress(undefined);
  const { done, warnings: own, abandonNext = false, fields } = describe(result);
  const warnings = [...own, ...trailerWarning(report)];
  const next = [
    ...(abandonNext ? [`etcd-datadir bolt surgery freelist abandon ${shellWord(output)} --output NEW`] : []),
    `etcd-datadir bolt check ${shellWord(output)}`,
  ];
  if (json) {
    const operation = command.words.slice(2).join(' ');
    const check = {
      verdict: report.verdict,
      counts: report.counts,
      worst: report.findings[0] === undefined ? null : findingJson(report.findings[0]),
    };
    out.write(jsonText({ schema: 1, path, output, operation, ...fields, warnings, check, next }));
    return EXIT.done;
  }
  for (const line of done) out.write(`${line}\n`);
  for (const line of warnings) out.write(`WARNING: ${line}\n`);
  out.write(`\n${visible(output)}: ${verdictText(report.verdict)}\n`);
  const [worst] = report.findings;
  if (worst !== undefined) out.write(`${worst.severity}: ${findingLine(worst)}\n`);
  for (const line of next) out.write(`next: ${visible(line)}\n`);
  return EXIT.done;
}

/** The words about pages that are neither in use nor free. */
export const ABANDONED_PAGES = 'pages that are no longer in use are not in the freelist; it should be abandoned';

/** The sha256 of a snapshot file is that of the bytes before. */
function trailerWarning({ findings }: CheckReport): string[] {
  if (!findings.some(({ code }) => code === 'BOLT_TRAILER')) return [];
  return ['the sha256 at the end of the snapshot is that of the input; a restore needs --skip-hash-check'];
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
