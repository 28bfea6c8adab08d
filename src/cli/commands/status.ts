/**
 * `status PATH`: what `etcdutl snapshot status` tells, and more, of any db.
 */
import { StatusJob } from '../../backend/status.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { noteUnreadable, runJob, withBackend } from '../open-backend.ts';
import { refuseDamaged } from '../refuse-damaged.ts';
import { type Form, statusForm } from '../render/etcd-forms.ts';
import { findingLine } from '../render/report.ts';
import { statusFields, statusText } from '../render/status.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, json, out, note } = invocation;
  const form = json ? 'json' : (options['write-out'] as Form | undefined);
  const minor = (options['etcd-version'] ?? '3.7') as EtcdMinor;
  return withBackend(invocation, async ({ file, path, kind, fields }) => {
    try {
      const status = await runJob(invocation, new StatusJob(file));
      const { findings, unreadable } = status;
      for (const finding of findings) if (finding.severity !== 'info') note(`${path}: ${findingLine(finding)}`);
      if (form === undefined) out.write(statusText(path, kind, status));
      else {
        const extra = { schema: 1, path, kind, ...statusFields(status), ...fields };
        out.write(statusForm(form, minor, { ...status, extra }));
      }
      noteUnreadable(invocation, unreadable);
      return unreadable.count === 0 ? EXIT.done : EXIT.problems;
    } catch (error) {
      const refused = refuseDamaged({ ...invocation, json: form === 'json' }, path, error, 'so it has no status');
      if (refused === undefined) throw error;
      return refused;
    }
  });
}
