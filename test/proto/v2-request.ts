// Requests of the v2 API as etcd writes them: every field, zero or not, but for the two that may be absent.
import { encodeMessage } from '../../src/proto/messages.ts';

export function v2Request(fields: Record<string, unknown>): Uint8Array {
  return encodeMessage('etcdserverpb.Request', {
    ID: 1n,
    Method: '',
    Path: '',
    Val: '',
    Dir: false,
    PrevValue: '',
    PrevIndex: 0n,
    Expiration: 0n,
    Wait: false,
    Since: 0n,
    Recursive: false,
    Sorted: false,
    Quorum: false,
    Time: 0n,
    Stream: false,
    ...fields,
  });
}
