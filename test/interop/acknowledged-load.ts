/**
 * Load through several clients in which every write that was acknowledged is remembered: whatever happens to the servers, a majority has it.
 */
import { expect } from 'vitest';
import {
  type AnswerHeader,
  type EtcdGateway,
  fromBase64,
  type GatewayKeyValue,
  type RangeAnswer,
  toBase64,
} from '../support/etcd-gateway.ts';
import type { Choices } from '../support/writer-random.ts';

/** What a key must be; undefined: it was deleted. */
type Written = { readonly value: string; readonly revision: string; readonly lease: string } | undefined;

/** Clients at once. */
const WIDTH = 12;
/** Leases that keys are given. */
const LEASES = ['101', '102', '103'];

/** Load on members, to each of which some clients talk. */
export class AcknowledgedLoad {
  readonly #gateways: readonly EtcdGateway[];
  readonly #choices: Choices;
  readonly #written = new Map<string, Written>();
  /** Keys of requests that got no answer, or a bad one: they may have been written all the same. */
  readonly #inDoubt = new Set<string>();
  #over = false;

  constructor(gateways: readonly EtcdGateway[], choices: Choices) {
    this.#gateways = gateways;
    this.#choices = choices;
  }

  /** How many writes were acknowledged. */
  get acknowledged(): number {
    return this.#written.size;
  }

  async prepare(): Promise<void> {
    for (const ID of LEASES) await this.#gateways[0]!.ask('lease/grant', { ID, TTL: '86400' });
  }

  /** Writes until `end`, or until nobody answers. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: WIDTH }, (_, i) => this.#client(i)));
  }

  end(): void {
    this.#over = true;
  }

  async #client(number: number): Promise<void> {
    const gateway = this.#gateways[number % this.#gateways.length]!;
    for (let n = 0; !this.#over; n++) {
      const deletes = n > 0 && this.#choices.chance(0.15);
      const key = `client/${number}/${deletes ? this.#choices.below(n) : n}`;
      if (this.#inDoubt.has(key)) continue;
      this.#inDoubt.add(key);
      try {
        if (deletes) {
          const { message } = await gateway.call('kv/deleterange', { key: toBase64(key) });
          if (message === undefined) continue;
          this.#written.set(key, undefined);
        } else {
          const value = `${number} ${n} `.padEnd(this.#choices.below(600), 'x');
          const lease = this.#choices.chance(0.2) ? this.#choices.one(LEASES) : '0';
          const put = { key: toBase64(key), value: toBase64(value), lease };
          const { message } = await gateway.call<{ header: AnswerHeader }>('kv/put', put);
          if (message === undefined) continue;
          this.#written.set(key, { value, revision: message.header.revision!, lease });
        }
        this.#inDoubt.delete(key);
      } catch {
        // It was killed.
        return;
      }
    }
  }

  /** What is missing of all that was acknowledged, or is different; a line for each. */
  async missing(gateway: EtcdGateway): Promise<string[]> {
    const { kvs = [] } = await gateway.ask<RangeAnswer>('kv/range', {
      key: toBase64('client/'),
      range_end: toBase64('client0'),
    });
    const found = new Map(kvs.map((item) => [fromBase64(item.key), item]));
    return [...this.#written].flatMap(([key, written]) => {
      if (this.#inDoubt.has(key)) return [];
      const item = found.get(key);
      const [expected, actual] = [lineOf(written), lineOfItem(item)];
      return expected === actual ? [] : [`${key}: ${expected} was acknowledged, there is ${actual}`];
    });
  }

  /** Throws if anything is missing. */
  async expectAll(gateway: EtcdGateway): Promise<void> {
    expect(await this.missing(gateway)).toEqual([]);
  }
}

const lineOf = (written: Written): string =>
  written === undefined ? 'nothing' : `${written.revision} ${written.lease} ${written.value}`;

const lineOfItem = (item: GatewayKeyValue | undefined): string =>
  lineOf(
    item && {
      revision: item.mod_revision ?? '0',
      lease: item.lease ?? '0',
      value: fromBase64(item.value ?? ''),
    },
  );
