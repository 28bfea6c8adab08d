/**
 * The findings of a report as they are for one release: some rules depend on the release that is to start.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { AnyFinding } from '../../finding-table.ts';
import type { CheckReport } from '../../report.ts';

/** Those that hold for all releases, and those of `minor`, whichever the report was made for. */
export function findingsFor({ findings, dataDir }: CheckReport, minor: EtcdMinor): readonly AnyFinding[] {
  const versions = dataDir?.versions ?? [];
  const ofTarget = new Set(
    versions.find(({ version }) => version === dataDir?.etcdVersion)?.findings.map((finding) => nameOf(finding)),
  );
  const common = (findings as readonly AnyFinding[]).filter((finding) => !ofTarget.has(nameOf(finding)));
  const own = versions.find(({ version }) => version === minor)?.findings ?? [];
  return [...common, ...(own as readonly AnyFinding[])];
}

/** What makes a finding the same as another. */
function nameOf({ code, severity, file, args }: AnyFinding): string {
  return JSON.stringify([code, severity, file, args]);
}
