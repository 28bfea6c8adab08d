/**
 * `compact PATH --rev N -o OUT`: a copy whose history is compacted.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import { compactHistory } from '../../files/compact-history.ts';
import type { Invocation } from '../command.ts';
import { copyOptions, runEdit } from '../edit-copy.ts';
import { textOption } from '../new-members.ts';
import { editedJson, editedText } from '../render/edited.ts';
import { grouped } from '../render/size.ts';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  const [path = ''] = invocation.positionals;
  const revision = BigInt(textOption(invocation, 'rev') ?? 0);
  const etcdVersion = textOption(invocation, 'etcd-version') as EtcdMinor | undefined;
  const options = { ...copyOptions(invocation), etcdVersion };
  return runEdit(invocation, path, (output) => compactHistory(path, output, revision, options), {
    json: (made) => ({ ...editedJson(made), revision: made.revision }),
    text: (made) => editedText(path, made, [`compacted:  at revision ${grouped(made.revision)}`]),
  });
}
