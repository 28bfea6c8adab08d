/**
 * A meta page as bbolt prints it, and as JSON.
 */
import { NO_FREELIST } from '../../bolt/format.ts';
import type { Meta } from '../../bolt/meta.ts';

/** The lines of `bbolt page` for a meta page. */
export function metaText(meta: Meta): string {
  return [
    `Version:    ${meta.version}`,
    `Page Size:  ${meta.pageSize} bytes`,
    `Flags:      ${meta.flags.toString(16).padStart(8, '0')}`,
    `Root:       <pgid=${meta.root}>`,
    `Freelist:   <pgid=${meta.freelist}>`,
    `HWM:        <pgid=${meta.highWaterMark}>`,
    `Txn ID:     ${meta.txid}`,
    `Checksum:   ${meta.checksum.toString(16).padStart(16, '0')}`,
    '\n',
  ].join('\n');
}

/** The fields of a meta for JSON; `problem` is null when it is valid. */
export function metaFields(meta: Meta): Record<string, unknown> {
  return {
    page: meta.page,
    problem: meta.problem ?? null,
    version: meta.version,
    pageSize: meta.pageSize,
    flags: meta.flags,
    root: meta.root,
    sequence: meta.sequence,
    freelist: meta.freelist === NO_FREELIST ? null : meta.freelist,
    highWaterMark: meta.highWaterMark,
    txid: meta.txid,
    checksum: meta.checksum.toString(16).padStart(16, '0'),
  };
}
