/**
 * The newest state of the keys that matter, in columns under the number of each: no object for a key, since a range may hold very many.
 * Numbers are exact: 64 bits, as the file has them.
 */
import { Uint8Column, Uint32Column } from '../../backend/column.ts';
import { KeyIndex } from '../../backend/key-index.ts';

/** Signed numbers of 64 bits for the ids of a `KeyIndex`; 0 if never set. */
class Int64Column {
  readonly #high = new Uint32Column();
  readonly #low = new Uint32Column();

  get(id: number): bigint {
    const high = this.#high.get(id);
    const low = this.#low.get(id);
    if (high < 0x20_0000) return BigInt(high * 0x1_0000_0000 + low);
    return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
  }

  set(id: number, value: bigint): void {
    const bits = BigInt.asUintN(64, value);
    this.#high.set(id, Number(bits >> 32n));
    this.#low.set(id, Number(bits & 0xffff_ffffn));
  }

  /** The same for a number that is exact and not negative. */
  setNumber(id: number, value: number): void {
    this.#high.set(id, Math.floor(value / 0x1_0000_0000));
    this.#low.set(id, value >>> 0);
  }
}

/** What is known of one key, for taking changes back. */
export interface SavedState {
  readonly id: number;
  readonly live: number;
  readonly main: bigint;
  readonly sub: bigint;
  readonly create: bigint;
  readonly version: bigint;
  readonly lease: bigint;
  readonly record: number;
  readonly attached: number;
}

export class KeyStates {
  readonly keys: KeyIndex = new KeyIndex();
  /** 1: it exists. All else means nothing if not. */
  readonly live: Uint8Column = new Uint8Column();
  /** The revision of the newest put, and the number of the operation in it. */
  readonly main: Int64Column = new Int64Column();
  readonly sub: Int64Column = new Int64Column();
  readonly create: Int64Column = new Int64Column();
  readonly version: Int64Column = new Int64Column();
  /** As the record says, whether there is such a lease or not; 0 for none. */
  readonly lease: Int64Column = new Int64Column();
  /** 1 more than the number of the new record that has the value; 0: it is in the db. */
  readonly record: Uint32Column = new Uint32Column();
  /** 1: its lease has it among its keys. */
  readonly attached: Uint8Column = new Uint8Column();

  save(id: number): SavedState {
    return {
      id,
      live: this.live.get(id),
      main: this.main.get(id),
      sub: this.sub.get(id),
      create: this.create.get(id),
      version: this.version.get(id),
      lease: this.lease.get(id),
      record: this.record.get(id),
      attached: this.attached.get(id),
    };
  }

  restore({ id, ...saved }: SavedState): void {
    this.live.set(id, saved.live);
    this.main.set(id, saved.main);
    this.sub.set(id, saved.sub);
    this.create.set(id, saved.create);
    this.version.set(id, saved.version);
    this.lease.set(id, saved.lease);
    this.record.set(id, saved.record);
    this.attached.set(id, saved.attached);
  }
}

/** Bytes that a key takes in these columns and its index, next to its own: an estimate, rounded up. */
export const STATE_BYTES = 88;
