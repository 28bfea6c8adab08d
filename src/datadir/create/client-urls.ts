/**
 * Where the members of a new cluster can serve clients: at the hosts of their peer URLs, one port below. No two get the same address.
 */
import type { NewCluster } from '../../membership/new-cluster.ts';

/** The addresses that a member listens at and tells others. */
export interface MemberUrls {
  readonly listenPeer: readonly string[];
  readonly listenClient: string;
  readonly advertiseClient: string;
}

const CLIENT_PORT = 2379;
const PORTS = 65_536;
const STEP = 1000;

interface Place {
  readonly scheme: string;
  readonly host: string;
  readonly port: number | undefined;
}

/** The addresses of each member, by its id. */
export function memberUrls({ members }: NewCluster): ReadonlyMap<bigint, MemberUrls> {
  const taken = new Set(members.flatMap(({ peerUrls }) => peerUrls.map((url) => addressOf(placeOf(url)))));
  return new Map(
    members.map(({ id, peerUrls }) => {
      const place = placeOf(peerUrls[0] ?? '');
      let port = place.port === undefined || place.port < 2 ? CLIENT_PORT : place.port - 1;
      while (taken.has(addressOf({ ...place, port }))) port = ((port + STEP) % PORTS) + 1;
      const client = { ...place, port };
      taken.add(addressOf(client));
      const urls = {
        listenPeer: peerUrls.map((url) => bindable(url)),
        listenClient: bindable(urlOf(client)),
        advertiseClient: urlOf(client),
      };
      return [id, urls] as const;
    }),
  );
}

/** Sockets serve no clients from outside: those members get an address of their own. */
function placeOf(url: string): Place {
  const [, scheme = 'http', host = '', port] =
    /^(https?):\/\/(?:[^/@]*@)?(.*?)(?::(\d*))?(?:[/?#].*)?$/.exec(url) ?? [];
  if (host === '' && !/^https?:/.test(url)) return { scheme: 'http', host: 'localhost', port: undefined };
  return { scheme, host, port: port === undefined || port === '' ? undefined : Number(port) };
}

const addressOf = ({ host, port }: Place): string => `${host}:${port ?? ''}`;
const urlOf = ({ scheme, host, port }: Place): string => `${scheme}://${host}:${port}`;

/** A server listens at addresses only: a name is no address, so it listens at all that the machine has. */
function bindable(url: string): string {
  if (!/^https?:/.test(url)) return url;
  const { scheme, host, port } = placeOf(url);
  const isAddress = host === '' || host === 'localhost' || /^\[.*\]$|^\d+\.\d+\.\d+\.\d+$/.test(host);
  return isAddress ? url : `${scheme}://0.0.0.0:${port ?? ''}`;
}
