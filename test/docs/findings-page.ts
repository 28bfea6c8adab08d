/**
 * docs/findings.md, made from the tables of codes.
 */
import { findingTable } from '../../src/findings.ts';

const INTRODUCTION = `# Findings

What a check reports is a list of findings. Each has a stable code, a severity, the exact place, typed arguments, a
sentence and a remedy; under \`--json\` they are all there. This page is made from the tables in \`src/*/findings.ts\`.

A finding that follows from another one has \`causedBy\`: deal with the cause first. Each code of a bolt file is reported
at most once per page, each code of a log at most twice per segment, with the number of times in \`args.times\`.

## Severities

| severity | means | verdict | exit code of \`check\` |
| --- | --- | --- | --- |
| \`info\` | worth knowing; real programs leave it behind | \`healthy\` | 0 |
| \`repairable\` | something is damaged or missing, but every committed key is there: etcd gets over it by itself, or a repair without loss is known | \`repairable\` | 1 |
| \`stale\` | whole, but older than a backup | \`stale\` | 1 |
| \`unknown\` | could not be examined | \`undecided\` | 3 |
| \`refuse\` | whole in itself, but not to be used here | \`refused\` | 1 |
| \`corrupt\` | committed data is lost, wrong or unreadable, or will be lost by later writes, and no repair without loss is known | \`damaged\` | 1 |

The worst finding decides, in the order of this table. Two more verdicts have no severity: \`unreadable\` (the input could
not be opened, exit 3) and \`in-use\` (it was being written to all the time, exit 4).

Damage of a log is often harmless where no start reads it: such codes have a milder severity too, and the finding in the
report says which one it is.

"bbolt does not look" means that \`bbolt check\` (1.4.3 and 1.5.0) never reports this kind of damage, so the two can differ
there without either being wrong about what it looked at.

## Codes
`;

export function findingsPage(): string {
  const codes = Object.keys(findingTable);
  const table = codes.map((code) => `| [${code}](#${code.toLowerCase()}) | ${severities(code)} |`);
  const sections = codes.map((code) => section(code));
  return `${INTRODUCTION}\n| code | severity |\n| --- | --- |\n${table.join('\n')}\n\n${sections.join('\n')}`;
}

function severities(code: string): string {
  const { severity, milder } = findingTable[code]!;
  return milder === undefined ? severity : `${severity} or ${milder.severity}`;
}

function section(code: string): string {
  const { severity, meaning, remedy, peer, milder } = findingTable[code]!;
  const also = milder === undefined ? '' : ` \`${milder.severity}\` where ${milder.when}.`;
  const remedies =
    milder === undefined
      ? [`- What to do: ${remedy}.`]
      : [`- What to do: ${remedy}.`, `- What to do when it is \`${milder.severity}\`: ${milder.remedy}.`];
  const compared = code.startsWith('BOLT_') ? 'Compared with bbolt' : 'What etcd does';
  return `### ${code}\n\nSeverity: \`${severity}\`.${also}\n\n${meaning}\n\n${remedies.join('\n')}\n- ${compared}: ${peer}.\n`;
}
