import http from 'node:http';
import https from 'node:https';
import net, { type LookupFunction, type Socket } from 'node:net';
import tls from 'node:tls';

import { Agent, buildConnector } from 'undici';

import { AddressNotAllowed } from './address-not-allowed.ts';
import { allowAddresses, type AddressRule } from './address-rule.ts';
import { createGuardedLookup, type ResolveAll } from './guarded-lookup.ts';

/** Options of the network guard. */
export interface NetworkGuardOptions {
  /** Allowed networks besides public addresses: `10.0.0.0/8`, `::1`. */
  readonly allow: readonly string[];
  /** The system's, but for tests. */
  readonly resolveAll?: ResolveAll;
}

/** Target of a connection. */
export interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  /** If set, uses TLS; the server name defaults to the host. */
  readonly tls?: tls.ConnectionOptions;
}

/** Options of an agent, except its target. */
export type AgentOptions = Omit<Agent.Options, 'connect' | 'connectTimeout' | 'socketPath'> & {
  readonly connectTimeout?: number;
};

/** The only way to external systems: every connection goes to an allowed address. */
export interface NetworkGuard {
  /**
   * For clients that accept a lookup function. They must check hosts that are addresses with `isAllowedHost`: Node does not
   * look those up.
   */
  readonly lookup: LookupFunction;
  /** False for a host that is an address, and not an allowed one. A name is judged when it is looked up. */
  readonly isAllowedHost: (host: string) => boolean;
  /**
   * Returns a connecting socket, which fails by its `error` event: with AddressNotAllowed if the address is not allowed. For
   * clients that accept a socket factory.
   */
  readonly connect: (options: ConnectOptions) => Socket;
  /** For `http.request`, with keep-alive. */
  readonly httpAgent: http.Agent;
  /** For `https.request`, with keep-alive. */
  readonly httpsAgent: https.Agent;
  /** Creates an agent for `undici`, to be closed by the caller. */
  readonly createAgent: (options?: AgentOptions) => Agent;
  /** Closes the agents' idle connections. */
  readonly close: () => void;
}

/** Throws if an entry of `allow` is not a network. */
export function createNetworkGuard({ allow, resolveAll }: NetworkGuardOptions): NetworkGuard {
  const rule = allowAddresses(allow);
  const lookup = createGuardedLookup(rule, resolveAll);
  const isAllowedHost = (host: string): boolean => isHostAllowed(rule, host);
  const connect = ({ host, port, tls: tlsOptions }: ConnectOptions): Socket => {
    if (!isAllowedHost(host)) return refusedSocket(host);
    if (tlsOptions === undefined) return net.connect({ host, port, lookup });
    // An IP address is not a valid server name (RFC 6066).
    const servername = net.isIP(host) === 0 ? { servername: host } : {};
    return tls.connect({ ...servername, ...tlsOptions, host, port, lookup });
  };
  const createAgent = ({ connectTimeout = CONNECT_TIMEOUT_MS, ...options }: AgentOptions = {}): Agent => {
    const open = buildConnector({ lookup, timeout: connectTimeout });
    return new Agent({
      ...options,
      connect: (to, callback) => {
        if (isAllowedHost(to.hostname)) open(to, callback);
        else callback(new AddressNotAllowed(to.hostname), null);
      },
    });
  };
  const httpAgent = guardAgent(new http.Agent({ keepAlive: true, lookup }), isAllowedHost);
  const httpsAgent = guardAgent(new https.Agent({ keepAlive: true, lookup }), isAllowedHost);
  const close = (): void => {
    httpAgent.destroy();
    httpsAgent.destroy();
  };
  return { lookup, isAllowedHost, connect, createAgent, httpAgent, httpsAgent, close };
}

const CONNECT_TIMEOUT_MS = 10_000;

function isHostAllowed(rule: AddressRule, host: string): boolean {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return net.isIP(bare) === 0 || rule.isAllowed(bare);
}

/** Wraps an agent. Its lookup sees names only; hosts that are addresses, and paths of sockets, are checked here. */
function guardAgent<Agent extends http.Agent>(agent: Agent, isAllowedHost: (host: string) => boolean): Agent {
  const createConnection = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const host = options.host ?? 'localhost';
    const path = 'socketPath' in options && typeof options.socketPath === 'string' ? options.socketPath : undefined;
    if (path !== undefined) return refusedSocket(path);
    return isAllowedHost(host) ? createConnection(options, callback) : refusedSocket(host);
  };
  return agent;
}

function refusedSocket(host: string): Socket {
  const socket = new net.Socket();
  // The caller must be able to add a listener first.
  process.nextTick(() => socket.destroy(new AddressNotAllowed(host)));
  return socket;
}
