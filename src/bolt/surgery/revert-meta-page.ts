/**
 * `surgery revert-meta-page`: goes back to the state before the last transaction, by putting the older meta page in the
 * place of the newer one.
 */
import type { ByteFile, ByteSource } from '../../io/byte-source.ts';
import { PAGE_ID } from '../format.ts';
import type { Meta } from '../meta.ts';
import { META_PROBLEMS } from '../meta-problem.ts';
import { RawFile, type SurgeryOptions, type SurgeryPlan } from './raw-file.ts';

/** What `revertMetaPage` did. */
export interface RevertedMetaPage {
  readonly operation: 'revert-meta-page';
  /** The meta page that was copied, and the one that it was copied over. */
  readonly from: 0 | 1;
  readonly to: 0 | 1;
  /** The transaction that the file is at now, and the one that was in the page that is gone. */
  readonly txid: bigint;
  readonly previousTxid: bigint;
}

/** Finds out which page goes where. Throws `BOLT_NO_META` when there is no valid older meta to go back to. */
export function planRevertMetaPage(source: ByteSource, options: SurgeryOptions = {}): SurgeryPlan<RevertedMetaPage> {
  const raw = new RawFile(source, options);
  const { metas, pageSize } = raw;
  raw.requireCurrent();
  // As bbolt: by the transaction numbers as they stand, page 0 being the newer one when they are equal.
  const to = metas[0].txid < metas[1].txid ? 1 : 0;
  const from = to === 0 ? 1 : 0;
  const older = metas[from] as Meta;
  if (older.problem !== undefined) {
    // bbolt copies it over the valid one, which leaves a file that nothing can open.
    const words = `meta ${from} is not valid (${META_PROBLEMS[older.problem]}): there is no older state to go back to`;
    throw raw.error('BOLT_NO_META', words, from);
  }
  const page = raw.read(from * pageSize, pageSize);
  if (raw.pageCount < 2) throw raw.error('BOLT_DAMAGED', `the file is shorter than two pages of ${pageSize} bytes`);
  new DataView(page.buffer).setBigUint64(PAGE_ID, BigInt(to), true);
  const previousTxid = (metas[to] as Meta).txid;
  return {
    result: { operation: 'revert-meta-page', from, to, txid: older.txid, previousTxid },
    apply: (file) => file.write(to * pageSize, page),
  };
}

/** Goes back to the state before the last transaction. The tree of that state may have been overwritten: check the file. */
export function revertMetaPage(file: ByteFile, options: SurgeryOptions = {}): RevertedMetaPage {
  const plan = planRevertMetaPage(file, options);
  plan.apply(file);
  return plan.result;
}
