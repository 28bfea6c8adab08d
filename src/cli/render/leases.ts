/**
 * Leases for people and in JSON, a lease and a key at a time: either may be very many.
 */
import type { LeaseWithKeys, MissingLease } from '../../backend/lease-report.ts';
import type { Lease } from '../../backend/leases.ts';
import type { UnreadableValues } from '../../backend/unreadable.ts';
import type { Output } from '../output.ts';
import { jsonOf } from './json.ts';
import { byteFields } from './json-bytes.ts';
import { counted, grouped } from './size.ts';
import { unreadableFields } from './unreadable-values.ts';
import { visible } from './visible.ts';

/** As etcdctl writes ids of leases. */
const hex = (id: bigint): string => BigInt.asUintN(64, id).toString(16).padStart(16, '0');

/** The first lines. */
export function leasesHead(path: string, count: number): string {
  const hint = count === 0 ? '' : ' (when they end is not stored)';
  return `${visible(path)}\nleases:   ${count === 0 ? 'none' : grouped(count)}${hint}\n`;
}

/** A lease; its keys follow. */
export function leaseLine({ id, ttl, remainingTtl, canonical, keys }: LeaseWithKeys): string {
  const rest = remainingTtl === null ? '' : `, ${grouped(remainingTtl)} s left at the last checkpoint`;
  const place = canonical ? '' : ', stored under another id';
  return `  ${hex(id)}  granted for ${grouped(ttl)} s${rest}${place}, ${counted(keys.length, 'key')}\n`;
}

/** The line above leases that are not there. */
export function missingHead(count: number): string {
  return count === 0 ? '' : `missing:  ${grouped(count)} (keys name them, and never expire)\n`;
}

/** A lease that is not there; its keys follow. */
export function missingLine({ id, keys }: MissingLease): string {
  return `  ${hex(id)}  ${counted(keys.length, 'key')}\n`;
}

/** The JSON document, written as it goes: leases, each with its keys, then those that are missing. */
export class LeaseDocument {
  readonly #out: Output;
  #leases = 0;
  #keys = 0;

  constructor(out: Output, fields: Readonly<Record<string, unknown>>) {
    this.#out = out;
    const head = Object.entries(fields).map(([name, value]) => `  ${JSON.stringify(name)}: ${jsonOf(value)},\n`);
    out.write(`{\n${head.join('')}  "leases": [`);
  }

  /** Begins a lease. */
  lease({ id, ttl, remainingTtl, canonical }: Lease): void {
    this.#begin({ id, idHex: hex(id), ttl, remainingTtl, canonical });
  }

  /** Ends the leases. */
  beginMissing(): void {
    this.#endList();
    this.#out.write(',\n  "missing": [');
  }

  /** Begins a lease that is not there. */
  missing({ id }: MissingLease): void {
    this.#begin({ id, idHex: hex(id) });
  }

  #begin(fields: Readonly<Record<string, unknown>>): void {
    const separator = this.#leases++ === 0 ? '' : ',';
    this.#out.write(`${separator}\n    ${jsonOf(fields).slice(0, -1)},"keys":[`);
    this.#keys = 0;
  }

  /** A key of the lease that was begun last. */
  key(key: Uint8Array): void {
    this.#out.write(`${this.#keys++ === 0 ? '' : ','}${jsonOf(byteFields('key', key))}`);
  }

  endLease(): void {
    this.#out.write(']}');
  }

  #endList(): void {
    this.#out.write(this.#leases === 0 ? ']' : '\n  ]');
    this.#leases = 0;
  }

  /** Ends the document; `records` is how many of bucket `key` could not be read. */
  end(unreadable: UnreadableValues, records: number): void {
    this.#endList();
    const fields = jsonOf(unreadableFields(unreadable));
    this.#out.write(`,\n  "unreadable": ${fields},\n  "unreadableRecords": ${records}\n}\n`);
  }
}
