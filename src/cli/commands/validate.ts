/**
 * `validate DIR`: may etcd start on this data directory?
 */
import type { ExpectedHashKv } from '../../datadir/validation/hash-check.ts';
import type { ValidationMode } from '../../datadir/validation/mode.ts';
import type { ValidationReport } from '../../datadir/validation/report.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import { validate } from '../../files/validate.ts';
import { MAX_FINDINGS } from '../../report.ts';
import { integerOption, uint64Argument, usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT, exitCodeOfVerdict } from '../exit-codes.ts';
import { reportJson } from '../render/report.ts';
import { validationText } from '../render/validation.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out, color, signal, showProgress, env } = invocation;
  const [path = ''] = positionals;
  const text = (name: string): string | undefined => options[name] as string | undefined;
  const report = await validate(path, {
    path,
    mode: text('mode') as ValidationMode | 'auto' | undefined,
    marker: text('marker'),
    updateMarker: options['update-marker'] === true,
    guard: text('guard'),
    guardValue: text('guard-value') ?? env['POD_NAMESPACE'],
    createGuard: options['create-guard'] === true,
    etcdVersion: text('etcd-version') as EtcdMinor | undefined,
    store: text('store'),
    failBelowRevision: revisionOption(text('fail-below-revision')),
    replay: options['replay'] === true,
    memberId: idOption('--expect-member-id', text('expect-member-id')),
    clusterId: idOption('--expect-cluster-id', text('expect-cluster-id')),
    expectHashKv: hashOption(text('expect-hashkv')),
    multiNode: options['multi-node'] === true,
    othersReachable: yesOrNo(text('others-reachable')),
    inCluster: yesOrNo(text('in-cluster')),
    allowMissing: options['allow-missing'] === true,
    referenceActions: options['reference-actions'] === true,
    lockTimeoutMs: integerOption(options['lock-timeout'], 0) * 1000,
    walDir: text('wal-dir'),
    maxFindings: integerOption(options['max-findings'], MAX_FINDINGS),
    signal,
    onProgress: showProgress,
  });
  showProgress(undefined);
  out.write(json ? reportJson(report) : validationText(report, color));
  return exitCodeOf(report);
}

/** 0 says that etcd may start; a verdict of `healthy` beside another recommendation must not. */
function exitCodeOf({ recommendation, verdict }: ValidationReport): number {
  if (recommendation === 'start') return EXIT.done;
  const code = exitCodeOfVerdict(verdict);
  return code === EXIT.done ? EXIT.problems : code;
}

function yesOrNo(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value === 'yes';
}

function revisionOption(value: string | undefined): bigint | undefined {
  return value === undefined ? undefined : uint64Argument('--fail-below-revision', value);
}

/** etcd prints ids in up to 16 hexadecimal digits; what is longer and has no letters is decimal, as in its JSON. */
function idOption(name: string, value: string | undefined): bigint | undefined {
  if (value === undefined) return undefined;
  const hex = /^(?:0x)?([\da-f]{1,16})$/i.exec(value)?.[1];
  return hex === undefined ? uint64Argument(name, value) : BigInt(`0x${hex}`);
}

function hashOption(value: string | undefined): ExpectedHashKv | undefined {
  if (value === undefined) return undefined;
  const match = /^(\d{1,10})@(\d{1,19})(?:\/(-1|\d{1,19}))?$/.exec(value);
  const hash = Number(match?.[1]);
  if (match === null || hash > 0xffff_ffff)
    throw usageError(`--expect-hashkv must be HASH@REV or HASH@REV/COMPACT, not '${value}'`);
  const [, , revision = '', compact] = match;
  return {
    hash,
    revision: BigInt(revision),
    ...(compact === undefined ? {} : { compactRevision: BigInt(compact) }),
  };
}
