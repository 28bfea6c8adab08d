/**
 * What etcd says of a change of membership that it does not carry out, and of one that it cannot.
 */
import type { EtcdMinor } from '../../etcd-version.ts';

export const ID_REMOVED = 'membership: ID removed';
export const ID_EXISTS = 'membership: ID exists';
export const ID_NOT_FOUND = 'membership: ID not found';
export const PEER_URL_EXISTS = 'membership: peerURL exists';
export const NOT_A_LEARNER = 'membership: can only promote a learner member';
export const TOO_MANY_LEARNERS = 'membership: too many learner members in cluster';

/** Attributes of a member that there is not and never was. */
export function memberUnknown(minor: EtcdMinor, id: bigint): string {
  if (minor === '3.4') return `error updating attributes of unknown member ${id.toString(16)}`;
  return `failed to update; member unknown ${JSON.stringify({ 'unknown-remote-peer-id': id.toString(16) })}`;
}

/** The path of a v2 request does not have the id of a member where it should be. */
export function idUnreadable(minor: EtcdMinor): string {
  return minor === '3.4' ? 'unexpected parse member id error' : 'failed to parse member id from key';
}

/** The value of a v2 request is not the JSON of attributes. */
export function attributesUnreadable(minor: EtcdMinor): string {
  return minor === '3.4' ? 'unmarshal should never fail' : 'failed to unmarshal';
}
