/**
 * One table: what every code of findings means for a start of etcd.
 */
import type { AnyFinding } from '../../finding-table.ts';
import { type EffectRule, NONE } from './effect.ts';
import { backendEffects } from './effects-backend.ts';
import { boltEffects } from './effects-bolt.ts';
import { dirEffects } from './effects-dir.ts';
import { snapEffects, walEffects } from './effects-log.ts';

const effects: Readonly<Record<string, EffectRule>> = {
  ...boltEffects,
  ...backendEffects,
  ...walEffects,
  ...snapEffects,
  ...dirEffects,
};

/** Codes that the table has. */
export const effectCodes: readonly string[] = Object.keys(effects);

/** What the code of a finding means for a start. Findings about other things than the directory mean nothing. */
export function ruleOf({ code }: AnyFinding): EffectRule {
  return effects[code] ?? NONE;
}
