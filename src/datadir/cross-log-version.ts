/**
 * The release whose log it is, as far as its entries tell: the lowest that understands them. For a directory whose db does not say.
 */
import { ETCD_MINORS, type EtcdMinor } from '../etcd-version.ts';
import { decodeEntryPayload } from '../proto/entry-payload.ts';
import { MinimumVersion } from '../wal/minimum-version.ts';
import type { SegmentInput } from '../wal/segment-input.ts';
import { EntryPass } from './cross-entries.ts';

export class LogVersion {
  readonly #version = new MinimumVersion();
  readonly #pass: EntryPass;

  constructor(segments: readonly SegmentInput[]) {
    this.#pass = new EntryPass(segments, ({ type, dataStart, dataEnd }, bytes) => {
      const data = dataStart < 0 ? undefined : bytes.subarray(dataStart, dataEnd);
      this.#version.add(decodeEntryPayload({ type, data }));
      return true;
    });
  }

  step(): boolean {
    return this.#pass.step();
  }

  /** Undefined if the entries tell none, or one that is older than any known here. */
  get result(): EtcdMinor | undefined {
    const { result } = this.#version;
    return ETCD_MINORS.find((minor) => minor === result);
  }
}
