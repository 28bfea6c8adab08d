/**
 * `surgery meta validate`: both metas, and whether they are valid.
 */
import { type Input, toSource } from '../../io/input.ts';
import { currentMeta, type Meta } from '../meta.ts';
import { findMetas, type SurgeryOptions } from './raw-file.ts';

/** What `validateMetas` found. */
export interface MetaValidation {
  /** The size that pages have, or, when neither meta is valid, the best guess. */
  readonly pageSize: number;
  readonly metas: readonly [Meta, Meta];
  /** Whether both are valid. */
  readonly valid: boolean;
  /** The one in use; undefined when neither is valid. */
  readonly current: 0 | 1 | undefined;
}

/** Looks at both metas, valid or not. Does not throw for anything that the bytes say. */
export function validateMetas(input: Input, options: SurgeryOptions = {}): MetaValidation {
  const { metas, pageSize } = findMetas(toSource(input), options);
  const valid = metas.every(({ problem }) => problem === undefined);
  return { pageSize, metas, valid, current: currentMeta(metas)?.page };
}
