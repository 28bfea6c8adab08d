/**
 * The version of the cluster during a replay, and whether a downgrade is under way.
 */
import { readCluster } from '../../backend/cluster.ts';
import { CLUSTER } from '../../backend/format.ts';
import { compareMajorMinor, type EtcdVersion, parseVersion } from '../../backend/go-version.ts';
import type { BoltDb } from '../../bolt/database.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import { goJson } from '../../json/go-json.ts';
import type { DecodedMessage } from '../../proto/messages.ts';
import { BucketChanges } from '../rewrite/bucket-changes.ts';
import { type Applied, CHANGED, NOTHING_CHANGED, panics } from './applied.ts';
import { v2SettingOf } from './member-v2.ts';

const encoder = new TextEncoder();

export class ClusterState {
  readonly #changes = new BucketChanges('cluster');
  #version: string | null = null;
  /** The version that a downgrade which is under way leads to. */
  #downgradeTarget: string | undefined;

  /** The state of a db; without one, that of a cluster that has not agreed on a version. */
  static load(db: BoltDb | undefined): ClusterState {
    const state = new ClusterState();
    if (db === undefined) return state;
    const { version, downgrade } = readCluster(db);
    state.#version = version;
    if (downgrade?.enabled) state.#downgradeTarget = downgrade.targetVersion;
    return state;
  }

  private constructor() {}

  /** `3.6.0`; null until it was agreed on. */
  get version(): string | null {
    return this.#version;
  }

  /** The version that a downgrade leads to which is under way. */
  get downgradeTarget(): string | undefined {
    return this.#downgradeTarget;
  }

  /** Applies a request `cluster_version_set`. */
  applyVersion(request: DecodedMessage, minor: EtcdMinor): Applied {
    return this.#setVersion((request['ver'] as string | undefined) ?? '', minor);
  }

  /** Applies a request `downgrade_info_set`, which 3.4 does not know. */
  applyDowngrade(request: DecodedMessage): Applied {
    const { enabled = false, ver = '' } = request as { enabled?: boolean; ver?: string };
    const target = enabled ? ver : '';
    this.#downgradeTarget = enabled ? ver : undefined;
    this.#put(CLUSTER.downgrade, goJson({ 'target-version': target, enabled }));
    return CHANGED;
  }

  /** Applies a request of the v2 API: one that sets the version. All others change nothing here. */
  applyV2(request: DecodedMessage, minor: EtcdMinor): Applied {
    const setting = v2SettingOf(request, minor);
    return setting?.sets === 'version' ? this.#setVersion(setting.value, minor) : NOTHING_CHANGED;
  }

  changes(): BucketChanges[] {
    return [this.#changes];
  }

  #setVersion(text: string, minor: EtcdMinor): Applied {
    const version = parseVersion(text);
    if (version === undefined) return panics(unreadableVersion(text));
    const refused = this.#refuseVersion(version, minor);
    if (refused !== undefined) return panics(refused);
    this.#version = normalized(version);
    this.#put(CLUSTER.version, this.#version);
    return CHANGED;
  }

  /** Why a server does not go on with a version of the cluster: it is older than that. */
  #refuseVersion(version: EtcdVersion, minor: EtcdMinor): string | undefined {
    const own = parseVersion(`${minor}.0`) as EtcdVersion;
    const target = this.#downgradeTarget;
    if (minor === '3.5' && target !== undefined && target !== '') {
      // A downgrade counts for more than the version, and only a server of the release that it leads to goes on.
      if (normalized(own) === target) return undefined;
      return 'invalid downgrade; server version is not allowed to join when downgrade is enabled';
    }
    if (compareMajorMinor(own, version) >= 0) return undefined;
    return minor === '3.4'
      ? 'cluster cannot be downgraded'
      : 'invalid downgrade; server version is lower than determined cluster version';
  }

  #put(key: string, value: string): void {
    this.#changes.put(encoder.encode(key), encoder.encode(value));
  }
}

/** As it is written: without zeros in front of numbers. */
function normalized({ major, minor, patch, text }: EtcdVersion): string {
  return `${major}.${minor}.${patch}${text.replace(/^[\d.]+/, '')}`;
}

/** The words of the parser of versions, which ends the server. */
function unreadableVersion(text: string): string {
  const parts = text.split('.');
  return parts.length < 3 ? `${text} is not in dotted-tri format` : `${text} is not a version`;
}
