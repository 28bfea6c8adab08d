/**
 * Reads the db of an etcd again and again while it is written to. What each reading says belongs to one moment, which is known
 * afterwards by its revision.
 */
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { HashKvJob } from '../../src/backend/hash-kv.ts';
import { rangeJob } from '../../src/backend/range.ts';
import { StatusJob } from '../../src/backend/status.ts';
import { isDatadirError } from '../../src/errors.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { runSliced } from '../../src/io/job.ts';
import type { EtcdGateway } from '../support/etcd-gateway.ts';
import { askHash } from './backend-answers.ts';
import { lineOf } from './backend-compare.ts';
import type { History } from './backend-history.ts';

const ZERO = Uint8Array.of(0);

/** What one reading said; each part of it is of one moment. */
interface Reading {
  readonly revision: number;
  readonly keys: number;
  readonly rangeRevision: number;
  readonly lines: readonly string[];
  readonly hash: number;
  readonly hashRevision: number;
  readonly compactRevision: bigint;
}

/** Readings of a db, while another program writes to it. */
export class LiveReadings {
  readonly #path: string;
  readonly #readings: Reading[] = [];
  #changed = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads until `work` is done, and gives what it gives. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    work.then(over, over);
    while (!isOver) {
      await this.#read();
      await setTimeout(20);
    }
    return work;
  }

  async #read(): Promise<void> {
    const file = new BackendFile(openFileSource(this.#path));
    try {
      const { revisions, totalKey } = await runSliced(new StatusJob(file));
      const { hash, hashRevision, compactRevision } = await runSliced(new HashKvJob(file));
      const all = await runSliced(rangeJob(file, { key: ZERO, rangeEnd: ZERO }));
      this.#readings.push({
        revision: Number(revisions.current),
        keys: totalKey,
        rangeRevision: Number(all.revision),
        lines: Array.from(all.keyValues, lineOf),
        hash,
        hashRevision: Number(hashRevision),
        compactRevision,
      });
    } catch (error) {
      // The writer was faster each time.
      if (!isDatadirError(error, 'SOURCE_CHANGED')) throw error;
      this.#changed++;
    } finally {
      file.close();
    }
  }

  /** Compares them with what was done, and with the server where it can still tell. Says how many there were. */
  async compare(history: History, gateway: EtcdGateway): Promise<string> {
    expect(this.#readings.length).toBeGreaterThan(0);
    const states = new Map(history.states(1));
    let hashes = 0;
    for (const { revision, keys, rangeRevision, lines, hash, hashRevision, compactRevision } of this.#readings) {
      expect([revision, keys]).toEqual([revision, states.get(revision)?.length]);
      expect([rangeRevision, lines]).toEqual([rangeRevision, states.get(rangeRevision)]);
      if (compactRevision !== BigInt(history.compacted) || hashRevision <= history.compacted) continue;
      expect({ hash, compactRevision }).toEqual(await this.#asked(gateway, hashRevision));
      hashes++;
    }
    return `${this.#readings.length} times read while it was written to (${hashes} hashes compared), ${this.#changed} times it was too busy`;
  }

  async #asked(gateway: EtcdGateway, revision: number): Promise<object> {
    const { hash, compactRevision } = await askHash(gateway, revision);
    return { hash, compactRevision };
  }
}
