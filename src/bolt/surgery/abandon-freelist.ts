/**
 * `surgery freelist abandon`: forgets the stored freelist, so that the free pages are found by a walk over the trees.
 */
import type { ByteFile, ByteSource } from '../../io/byte-source.ts';
import { META_END, META_FREELIST_AT, NO_FREELIST } from '../format.ts';
import type { MetaProblem } from '../meta-problem.ts';
import { RawFile, type SurgeryOptions, type SurgeryPlan } from './raw-file.ts';
import { sealMeta } from './seal-meta.ts';

/** What `abandonFreelist` did. */
export interface AbandonedFreelist {
  readonly operation: 'abandon-freelist';
  /** The metas that name no freelist now, and the page that each named before (undefined: none). */
  readonly metas: readonly { readonly page: 0 | 1; readonly freelist: bigint | undefined }[];
  /** Metas that were left as they are, because they are not valid. */
  readonly skipped: readonly { readonly page: 0 | 1; readonly problem: MetaProblem }[];
}

/** Throws `BOLT_NO_META` when neither meta is valid. */
export function planAbandonFreelist(source: ByteSource, options: SurgeryOptions = {}): SurgeryPlan<AbandonedFreelist> {
  const raw = new RawFile(source, options);
  raw.requireCurrent();
  const metas: { page: 0 | 1; freelist: bigint | undefined }[] = [];
  const skipped: { page: 0 | 1; problem: MetaProblem }[] = [];
  const writes: { offset: number; bytes: Uint8Array }[] = [];
  for (const { page, problem, freelist } of raw.metas) {
    // A fresh checksum would make a torn meta valid, and its newer transaction number would make it the one in use.
    if (problem !== undefined) {
      skipped.push({ page, problem });
      continue;
    }
    metas.push({ page, freelist: freelist === NO_FREELIST ? undefined : freelist });
    const offset = page * raw.pageSize;
    const bytes = raw.read(offset, META_END);
    new DataView(bytes.buffer).setBigUint64(META_FREELIST_AT, NO_FREELIST, true);
    sealMeta(bytes);
    writes.push({ offset, bytes });
  }
  return {
    result: { operation: 'abandon-freelist', metas, skipped },
    apply(file) {
      for (const { offset, bytes } of writes) file.write(offset, bytes);
    },
  };
}

/** Makes both metas name no freelist. Programs that open the file for writing then find its free pages themselves. */
export function abandonFreelist(file: ByteFile, options: SurgeryOptions = {}): AbandonedFreelist {
  const plan = planAbandonFreelist(file, options);
  plan.apply(file);
  return plan.result;
}
