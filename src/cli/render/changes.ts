/**
 * Changes of keys: for people by revision, and as JSON, one a line.
 */
import { isUtf8 } from 'node:buffer';
import type { Change } from '../../backend/change-log.ts';
import { base64 } from './base64.ts';
import { leaseText } from './lease-id.ts';
import { readableBytes } from './readable-bytes.ts';
import { counted } from './size.ts';

/** Lines for people, with one for each revision above its changes. */
export class ChangeText {
  readonly #marksMatches: boolean;
  #revision = -1n;

  /** `marksMatches`: changes that were asked for have a star, those that came with them none. */
  constructor(marksMatches: boolean) {
    this.#marksMatches = marksMatches;
  }

  lines(change: Change): string {
    const head = change.revision === this.#revision ? '' : `revision ${change.revision}\n`;
    this.#revision = change.revision;
    const mark = this.#marksMatches && change.matches ? '* ' : '  ';
    return `${head}${mark}${changeLine(change)}\n`;
  }
}

function changeLine({ key, type, version, createRevision, lease, valueLength }: Change): string {
  const words = `${type.padEnd(6)}  ${readableBytes(key)}`;
  if (type === 'delete') return words;
  return `${words}  (version ${version}, created ${createRevision}${leaseText(lease)}, ${counted(valueLength, 'byte')})`;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A change for JSON. */
export function changeJson(change: Change, wholeRevisions: boolean): Record<string, unknown> {
  const { revision, sub, key, type, version, createRevision, lease, valueLength, matches } = change;
  return {
    revision,
    sub,
    key: base64(key),
    keyText: isUtf8(key) ? decoder.decode(key) : null,
    type,
    version,
    createRevision,
    lease,
    valueSize: valueLength,
    ...(wholeRevisions ? { matches } : {}),
  };
}
