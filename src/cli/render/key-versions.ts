/**
 * Versions of keys: a line each for people, and as JSON.
 */
import type { KeyVersion } from '../../backend/key-version.ts';
import { base64 } from './base64.ts';
import { leaseText } from './lease-id.ts';
import { readableBytes } from './readable-bytes.ts';
import { counted } from './size.ts';

/** So much of a value is shown to people. */
const VALUE_SHOWN = 60;

/** A version of a key that is known, for people. */
export function versionLine({ modRevision, version, createRevision, lease, value, deleted }: KeyVersion): string {
  const head = `revision ${modRevision}`.padEnd(16);
  if (deleted) return `${head} delete\n`;
  const numbers = `version ${version}, created ${createRevision}${leaseText(lease)}`;
  const shown = value.length === 0 ? '' : `: ${readableBytes(value, VALUE_SHOWN)}`;
  return `${head} put     ${numbers}, ${counted(value.length, 'byte')}${shown}\n`;
}

/** The same for JSON. */
export function versionJson(item: KeyVersion): Record<string, unknown> {
  const { modRevision, sub, createRevision, version, lease, deleted, value } = item;
  return { modRevision, sub, createRevision, version, lease, deleted, value: base64(value) };
}
