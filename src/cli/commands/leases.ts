/**
 * `leases PATH`: leases, and the keys attached to them.
 */
import type { AttachedKeys } from '../../backend/lease-attachments.ts';
import { type LeaseReport, leaseReportJob } from '../../backend/lease-report.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { noteUnreadable, runJob, withBackend } from '../open-backend.ts';
import { Pace } from '../pace.ts';
import { LeaseDocument, leaseLine, leasesHead, missingHead, missingLine } from '../render/leases.ts';
import { readableBytes } from '../render/readable-bytes.ts';
import { unreadableWords } from '../render/unreadable-values.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { json, note } = invocation;
  return withBackend(invocation, async ({ file, path, fields }) => {
    const report = await runJob(invocation, leaseReportJob(file));
    if (json) await printJson(invocation, report, { schema: 1, path, ...fields });
    else await printText(invocation, report, path);
    const words = unreadableWords(report.unreadable);
    if (words !== undefined) note(words);
    noteUnreadable(invocation, report.unreadableRecords);
    return EXIT.done;
  });
}

async function printText(invocation: Invocation, { leases, missing }: LeaseReport, path: string): Promise<void> {
  const { out } = invocation;
  const pace = new Pace(invocation);
  const printKeys = async (keys: AttachedKeys): Promise<void> => {
    for (const key of keys) {
      out.write(`    ${readableBytes(key)}\n`);
      if (pace.due()) await pace.rest();
    }
  };
  out.write(leasesHead(path, leases.length));
  for (const lease of leases) {
    out.write(leaseLine(lease));
    await printKeys(lease.keys);
    if (pace.due()) await pace.rest();
  }
  out.write(missingHead(missing.length));
  for (const lease of missing) {
    out.write(missingLine(lease));
    await printKeys(lease.keys);
    if (pace.due()) await pace.rest();
  }
}

async function printJson(
  invocation: Invocation,
  { leases, missing, unreadable, unreadableRecords }: LeaseReport,
  head: Readonly<Record<string, unknown>>,
): Promise<void> {
  const pace = new Pace(invocation);
  const document = new LeaseDocument(invocation.out, head);
  const printKeys = async (keys: AttachedKeys): Promise<void> => {
    for (const key of keys) {
      document.key(key);
      if (pace.due()) await pace.rest();
    }
    document.endLease();
  };
  for (const lease of leases) {
    document.lease(lease);
    await printKeys(lease.keys);
  }
  document.beginMissing();
  for (const lease of missing) {
    document.missing(lease);
    await printKeys(lease.keys);
  }
  document.end(unreadable, unreadableRecords.count);
}
