import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { JWK } from 'jose';
import { errors, Provider, type Configuration } from 'oidc-provider';

import { readOrCreatePrivateFile } from '../data-dir/private-file.ts';
import { SIGNING_ALGORITHM } from './signing-key.ts';
import { statelessAdapter } from './stateless-adapter.ts';

/** The one client of the local authorization server. */
export interface Client {
  readonly id: string;
  readonly secret: string;
}

/** How the local authorization server is set up. */
export interface AuthorizationServerOptions {
  readonly host: string;
  /** 0 lets the system choose one. */
  readonly port: number;
  /** What `iss` says; by default the server's own address. */
  readonly issuer?: string | undefined;
  /** What `aud` says, and the resource that a client may name. A URI. */
  readonly audience: string;
  /** The private key that signs. */
  readonly key: JWK;
  readonly client: Client;
}

/** A running authorization server. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** Where it listens. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const TOKEN_LIFE_SECONDS = 3600;

/** The client, whose secret is made once for a data directory. */
export async function loadClient(dataDir: string): Promise<Client> {
  const createSecret = async (): Promise<string> => randomBytes(24).toString('base64url');
  return { id: 'local', secret: await readOrCreatePrivateFile(join(dataDir, 'authorization', 'client-secret'), createSecret) };
}

/**
 * Starts a real OAuth 2.0 server: discovery, key set, client credentials, resource indicators. Its access tokens are JWTs.
 * Rejects with the system's error where it cannot listen.
 */
export async function startAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const server = createServer();
  server.listen(options.port, options.host);
  await once(server, 'listening');
  // A server that listens on a port has this kind of address.
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
  const issuer = options.issuer ?? url;
  const answer = new Provider(issuer, configure(options)).callback();
  server.on('request', (req, res) => void answer(req, res));
  return { issuer, url, stop: () => closeServer(server) };
}

function configure({ audience, key, client }: AuthorizationServerOptions): Configuration {
  return {
    clients: [
      { client_id: client.id, client_secret: client.secret, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
    ],
    jwks: { keys: [{ ...key }] },
    adapter: statelessAdapter,
    ttl: { ClientCredentials: TOKEN_LIFE_SECONDS },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => {
          if (resource !== audience) throw new errors.InvalidTarget(`The resource is ${audience}.`);
          // Any scope may be asked for: what a scope allows is the services' matter.
          const scope = ctx.oidc.params?.['scope'];
          return {
            audience,
            scope: typeof scope === 'string' ? scope : '',
            accessTokenFormat: 'jwt',
            accessTokenTTL: TOKEN_LIFE_SECONDS,
            jwt: { sign: { alg: SIGNING_ALGORITHM, kid: key.kid } },
          };
        },
      },
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
