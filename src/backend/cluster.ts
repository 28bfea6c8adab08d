/**
 * Bucket `cluster`: the version that the members have agreed on, and whether a downgrade is under way.
 */
import type { BoltDb } from '../bolt/database.ts';
import { isDatadirError } from '../errors.ts';
import { parseGoStruct } from '../json/go-struct.ts';
import { CLUSTER } from './format.ts';
import { parseVersion } from './go-version.ts';
import { storedValue } from './stored-value.ts';
import { type Problem, UnreadableList, type UnreadableValues } from './unreadable.ts';

/** A downgrade that was asked for, or, if it is not enabled, one that was cancelled or has ended. */
export interface Downgrade {
  /** Empty if it is not enabled. */
  readonly targetVersion: string;
  readonly enabled: boolean;
}

/** What the cluster has agreed on. */
export interface Cluster {
  /** `3.6.0`; null until it was agreed on. */
  readonly version: string | null;
  /** Null if none was ever asked for. */
  readonly downgrade: Downgrade | null;
  /** Values that are none; they count as absent. */
  readonly unreadable: UnreadableValues;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads the bucket. Never throws for a bad value. */
export function readCluster(db: BoltDb): Cluster {
  const unreadable = new UnreadableList();
  const version = storedValue(db, 'cluster', CLUSTER.version, parseClusterVersion, unreadable);
  const downgrade = storedValue(db, 'cluster', CLUSTER.downgrade, parseDowngrade, unreadable);
  return { version, downgrade, unreadable };
}

/** Reads the value of `clusterVersion`. */
export function parseClusterVersion(value: Uint8Array): { readonly value: string } | Problem {
  const text = decoder.decode(value);
  return parseVersion(text) === undefined ? { problem: 'it is not a version' } : { value: text };
}

/** Reads the value of `downgrade`. */
export function parseDowngrade(value: Uint8Array): { readonly value: Downgrade } | Problem {
  try {
    const fields = parseGoStruct(value, { 'target-version': 'string', enabled: 'bool' }) ?? {};
    const downgrade = { targetVersion: fields['target-version'] ?? '', enabled: fields.enabled ?? false };
    if (downgrade.enabled && parseVersion(downgrade.targetVersion) === undefined) {
      return { problem: 'it is enabled, and its target is not a version' };
    }
    return { value: downgrade };
  } catch (error) {
    if (!isDatadirError(error, 'JSON_INVALID')) throw error;
    return { problem: `it is not the JSON of a downgrade: ${error.message}` };
  }
}
