/**
 * The two requests of the v2 API that servers up to 3.5 make themselves, and that change the db: attributes of a member, and the
 * version of the cluster.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { DecodedMessage } from '../../proto/messages.ts';

/** etcd looks for this anywhere in the path. */
const MEMBER_ATTRIBUTES = /\/0\/members\/[0-9a-fA-F]{1,16}\/attributes/;
const CLUSTER_VERSION = '/0/version';

/** What a v2 request sets, with the value as it is there; undefined if it changes nothing in the db. */
export type V2Setting =
  | {
      readonly sets: 'attributes' /** Undefined: there is none where it should be. */;
      readonly id: bigint | undefined;
      readonly value: string;
    }
  | { readonly sets: 'version'; readonly value: string };

export function v2SettingOf(request: DecodedMessage, minor: EtcdMinor): V2Setting | undefined {
  const { Method: method = '', Path: path = '', Val: value = '' } = request as Record<string, string | undefined>;
  if (method !== 'PUT' || (minor !== '3.6' && isConditional(request))) return undefined;
  if (MEMBER_ATTRIBUTES.test(path)) return { sets: 'attributes', id: idIn(path), value };
  return path === CLUSTER_VERSION ? { sets: 'version', value } : undefined;
}

/** A put that depends on what is there goes to the v2 store only. 3.6 does not look at that. */
function isConditional(request: DecodedMessage): boolean {
  const {
    PrevExist: exist,
    PrevIndex: index = 0n,
    PrevValue: value = '',
  } = request as {
    PrevExist?: boolean;
    PrevIndex?: bigint;
    PrevValue?: string;
  };
  return exist !== undefined || index !== 0n || value !== '';
}

/** The id is the part before the last, whatever the path begins and ends with. */
function idIn(path: string): bigint | undefined {
  const part = path.split('/').at(-2) ?? '';
  return /^[0-9a-fA-F]{1,16}$/.test(part) ? BigInt(`0x${part}`) : undefined;
}
