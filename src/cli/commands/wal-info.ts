/**
 * `wal info PATH`: what a log holds, at a glance.
 */
import { runSliced } from '../../io/job.ts';
import { type WalInfo, WalInfoJob } from '../../wal/info.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withWal } from '../open-wal.ts';
import { jsonText } from '../render/json.ts';
import { walInfoText } from '../render/wal-info.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, json, out, signal, showProgress } = invocation;
  return withWal(invocation, async ({ wal, directory, nameOf }) => {
    const found = await runSliced(new WalInfoJob(wal), { signal, onProgress: showProgress });
    showProgress(undefined);
    const info = withNames(found, nameOf);
    out.write(json ? jsonText({ schema: 1, path: positionals[0], ...info }) : walInfoText(directory, info));
    return info.damage === null ? EXIT.done : EXIT.problems;
  });
}

/** The same with the names of the files. */
function withNames(info: WalInfo, nameOf: (segment: string) => string): WalInfo {
  const { segments, damage } = info;
  return {
    ...info,
    segments: segments.map((segment) => ({ ...segment, name: nameOf(segment.name) })),
    damage: damage === null ? null : { ...damage, segment: nameOf(damage.segment) },
  };
}
