/**
 * Real members of one cluster, started the ordinary way, that end together: by `kill -9`, or as an operator stops them.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import { bootstrapFlags, type EtcdPlace, EtcdServer, etcdPlace } from '../support/etcd-server.ts';

/** Running members. */
export class ServerGroup {
  readonly program: string;
  readonly places: readonly EtcdPlace[];
  readonly #flags: readonly string[];
  servers: readonly EtcdServer[] = [];

  private constructor(program: string, places: readonly EtcdPlace[], flags: readonly string[]) {
    this.program = program;
    this.places = places;
    this.#flags = flags;
  }

  /** A new cluster of `size` members, with a directory for each in `folder`. */
  static async start(
    program: string,
    folder: string,
    size: number,
    flags: readonly string[] = [],
  ): Promise<ServerGroup> {
    const places: EtcdPlace[] = [];
    for (let i = 1; i <= size; i++) places.push(await etcdPlace(`m${i}`, join(folder, `m${i}`)));
    const group = new ServerGroup(program, places, flags);
    group.servers = places.map((place) =>
      EtcdServer.launch(program, place, { flags: [...flags, ...bootstrapFlags(places, place, 'new')] }),
    );
    await Promise.all(group.servers.map((server) => server.ready()));
    await group.servers[0]!.settled();
    return group;
  }

  /** A member more, which was told to the cluster before; it begins with nothing. */
  async join(place: EtcdPlace, isLearner: boolean): Promise<EtcdServer> {
    const flags = [...this.#flags, ...bootstrapFlags([...this.places, place], place, 'existing')];
    const server = await EtcdServer.start(this.program, place, { flags, isLearner });
    this.servers = [...this.servers, server];
    return server;
  }

  /** The member that leads. */
  async leader(): Promise<EtcdServer> {
    for (const server of this.servers) {
      const { leader, header } = await server.gateway.ask<{ leader?: string; header: { member_id: string } }>(
        'maintenance/status',
      );
      if (leader === header.member_id) return server;
    }
    throw new Error('no member says that it leads');
  }

  async kill(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.kill()));
  }

  /** Waits until all have applied the same; then stops them, whoever leads last: it has nobody to hand over to, and does not wait. */
  async stop(): Promise<void> {
    const applied = async (): Promise<number> => {
      const indexes = this.servers.map(async ({ gateway }) => {
        const { raftIndex, raftAppliedIndex } = await gateway.ask<Record<string, string>>('maintenance/status');
        return raftAppliedIndex === undefined ? `${raftIndex}` : `${raftIndex} ${raftAppliedIndex}`;
      });
      return new Set(await Promise.all(indexes)).size;
    };
    await expect.poll(applied, { timeout: 30_000, interval: 50 }).toBe(1);
    const leader = await this.leader();
    await Promise.all(this.servers.filter((server) => server !== leader).map((server) => server.stop()));
    await leader.stop();
  }
}
