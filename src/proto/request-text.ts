/**
 * What `etcd-dump-logs` (up to 3.6) prints of an entry in its last column. Secrets are left out, see `secrets.ts`; the real
 * tool hides some of them only.
 */
import { compactText, VALUE_REMOVED } from './compact-text.ts';
import type { EntryPayload } from './entry-payload.ts';
import { goQuote } from './go-quote.ts';
import type { DecodedMessage } from './messages.ts';
import { ENUMS } from './schema.ts';
import { isSecretV2Path } from './secrets.ts';

const UNDECODABLE = '???';

/** The data column of `etcd-dump-logs` for an entry's payload. */
export function payloadText(payload: EntryPayload): string {
  switch (payload.kind) {
    case 'noop':
      return '';
    case 'internal':
      return compactText('etcdserverpb.InternalRaftRequest', payload.message);
    case 'v2':
      return v2Text(payload.request);
    case 'conf-change': {
      const { type = 0, nodeId = 0n } = payload.change;
      return `method=${ENUMS['raftpb.ConfChangeType']?.[type] ?? type} id=${nodeId.toString(16)}`;
    }
    case 'conf-change-v2':
    case 'undecodable':
      return UNDECODABLE;
  }
}

function v2Text(request: DecodedMessage): string {
  const {
    Method: method = '',
    Path: path = '',
    Val: value = '',
    Time: time = 0n,
  } = request as {
    Method?: string;
    Path?: string;
    Val?: string;
    Time?: bigint;
  };
  if (method === '') return 'noop';
  if (method === 'SYNC') return `method=SYNC time="${goTime(time)}"`;
  const head = `method=${method} path=${excerpt(path, 64, 64)}`;
  if (method === 'QGET' || method === 'DELETE') return head;
  return `${head} val=${isSecretV2Path(path) ? goQuote(new TextEncoder().encode(VALUE_REMOVED)) : excerpt(value, 128, 0)}`;
}

/** A text in quotes, of a long one the first and last bytes. */
function excerpt(text: string, first: number, last: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length < first + last) return goQuote(bytes);
  return `${goQuote(bytes.subarray(0, first))}...${goQuote(bytes.subarray(bytes.length - last))}`;
}

/** Nanoseconds since 1970 as Go prints a time in UTC: `2026-11-02 03:04:05.5 +0000 UTC`. */
function goTime(nanoseconds: bigint): string {
  const fraction = BigInt.asUintN(64, ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n);
  // 64 bits of nanoseconds are 292 years either way: always a year of four digits.
  const seconds = Number((nanoseconds - fraction) / 1_000_000_000n);
  const text = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const digits = fraction === 0n ? '' : `.${fraction.toString().padStart(9, '0').replace(/0+$/, '')}`;
  return `${text}${digits} +0000 UTC`;
}
