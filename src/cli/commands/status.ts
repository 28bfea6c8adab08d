/**
 * `status PATH`: what `etcdutl snapshot status` tells, and more, of any db.
 */
import { StatusJob } from '../../backend/status.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { Finding, Severity } from '../../findings.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { noteUnreadable, runJob, withBackend } from '../open-backend.ts';
import type { Form } from '../render/etcd-forms.ts';
import { statusFields, statusText } from '../render/status.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, json, out, note } = invocation;
  const form = json ? 'json' : (options['write-out'] as Form | undefined);
  const minor = (options['etcd-version'] ?? '3.7') as EtcdMinor;
  return withBackend(invocation, async ({ file, path, kind, fields }) => {
    try {
      const status = await runJob(invocation, new StatusJob(file));
      const { unreadable } = status;
      const findings = await describe(status.findings);
      for (const { severity, line } of findings) if (severity !== 'info') note(`${path}: ${line}`);
      if (form === undefined) out.write(statusText(path, kind, status));
      else {
        const { statusForm } = await import('../render/etcd-forms.ts');
        const told = { findings: findings.map(({ json: fields }) => fields) };
        const extra = { schema: 1, path, kind, ...statusFields(status), ...told, ...fields };
        out.write(statusForm(form, minor, { ...status, extra }));
      }
      noteUnreadable(invocation, unreadable);
      return unreadable.count === 0 ? EXIT.done : EXIT.problems;
    } catch (error) {
      const { refuseDamaged } = await import('../refuse-damaged.ts');
      const refused = refuseDamaged({ ...invocation, json: form === 'json' }, path, error, 'so it has no status');
      if (refused === undefined) throw error;
      return refused;
    }
  });
}

/** The words for findings are loaded when there are any. */
async function describe(findings: readonly Finding[]): Promise<readonly Described[]> {
  if (findings.length === 0) return [];
  const { findingJson, findingLine } = await import('../render/report.ts');
  return findings.map((finding) => ({
    severity: finding.severity,
    line: findingLine(finding),
    json: findingJson(finding),
  }));
}

interface Described {
  readonly severity: Severity;
  readonly line: string;
  readonly json: unknown;
}
