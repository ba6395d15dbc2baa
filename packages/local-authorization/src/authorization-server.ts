import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { JWK } from 'jose';
import type { AccessToken, ClientCredentials, ClientMetadata, Configuration, Grant, KoaContextWithOIDC } from 'oidc-provider';

import { readOrCreatePrivateFile } from './private-file.ts';
import { createMemoryAdapter } from './memory-adapter.ts';
import { deviceCodePage, deviceConfirmPage, logoutPage, messagePage, type Page } from './pages.ts';
import { answerSignIn, isSignInRequest } from './sign-in.ts';
import { SIGNING_ALGORITHM } from './signing-key.ts';

/** A client that gets tokens for itself. */
export interface Client {
  readonly id: string;
  readonly secret: string;
}

/** Options of the local authorization server. */
export interface AuthorizationServerOptions {
  readonly host: string;
  /** 0 lets the system choose one. */
  readonly port: number;
  /** Value of `iss`; by default the server's own address. */
  readonly issuer?: string | undefined;
  /** Value of `aud`, and the resource that a client may name. A URI. */
  readonly audience: string;
  /** The private key that signs. */
  readonly key: JWK;
  readonly client: Client;
  /** The claim that names the namespace; `sub` by default, which every token has. */
  readonly namespaceClaim?: string | undefined;
  /** The gateway, which calls the executor on behalf of others. */
  readonly gatewayClient?: Client;
  /** Origins of the console; empty for no console. */
  readonly consoleOrigins?: readonly string[];
}

/** A running authorization server. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** Address of the server. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const TOKEN_LIFE_SECONDS = 3600;
/** A browser renews its token as long as its session lasts. */
const CONSOLE_TOKEN_LIFE_SECONDS = 600;
const SESSION_LIFE_SECONDS = 12 * 3600;
const SIGN_IN_LIFE_SECONDS = 1800;
const CONSOLE_CLIENT_ID = 'console';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
/** A public client on the user's machine; its redirect URI may have any port (RFC 8252, 7.3). */
const COMMAND_LINE: ClientMetadata = {
  client_id: 'cli',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
  response_types: ['code'],
  redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
};

/** Clients with refresh tokens for the length of the session. */
const RENEWED = new Set([CONSOLE_CLIENT_ID, COMMAND_LINE.client_id]);

/** Loads the client, whose secret is generated once per data directory. */
export async function loadClient(dataDir: string): Promise<Client> {
  return { id: 'local', secret: await loadSecret(dataDir, 'client-secret') };
}

/** Loads the gateway's client, whose secret is generated in the same way. */
export async function loadGatewayClient(dataDir: string): Promise<Client> {
  return { id: 'gateway', secret: await loadSecret(dataDir, 'gateway-client-secret') };
}

async function loadSecret(dataDir: string, file: string): Promise<string> {
  return readOrCreatePrivateFile(join(dataDir, 'authorization', file), async () => randomBytes(24).toString('base64url'));
}

/**
 * Starts a real OAuth 2.0 server: discovery, key set, client credentials, resource indicators, and for the console
 * authorization code with PKCE, renewal and sign-out, for the command line the same with a local port, and device codes. Its
 * access tokens are JWTs. Rejects with the system's error if it cannot listen.
 */
export async function startAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const server = createServer();
  server.listen(options.port, options.host);
  await once(server, 'listening');
  // A server that listens on a port has this kind of address.
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
  const issuer = options.issuer ?? url;
  // Loaded on demand: it is most of this room's start, and who only signs tokens needs none of it.
  const { Provider } = await import('oidc-provider');
  const provider = new Provider(issuer, configure(options));
  const answer = provider.callback();
  server.on('request', (req, res) => {
    if (isSignInRequest(req))
      answerSignIn(provider, req, res, { namespaceClaim: options.namespaceClaim ?? 'sub' }).catch(() => res.destroy());
    else void answer(req, res);
  });
  return { issuer, url, stop: () => closeServer(server) };
}

function configure({
  audience,
  key,
  client,
  gatewayClient,
  namespaceClaim = 'sub',
  consoleOrigins = [],
}: AuthorizationServerOptions): Configuration {
  return {
    clients: [
      ...[client, ...(gatewayClient === undefined ? [] : [gatewayClient])].map(describeClient),
      ...(consoleOrigins.length === 0 ? [] : [describeConsole(consoleOrigins)]),
      COMMAND_LINE,
    ],
    jwks: { keys: [{ ...key }] },
    adapter: createMemoryAdapter(),
    ttl: {
      AccessToken: CONSOLE_TOKEN_LIFE_SECONDS,
      AuthorizationCode: 60,
      ClientCredentials: TOKEN_LIFE_SECONDS,
      DeviceCode: SIGN_IN_LIFE_SECONDS,
      Grant: SESSION_LIFE_SECONDS,
      IdToken: CONSOLE_TOKEN_LIFE_SECONDS,
      Interaction: SIGN_IN_LIFE_SECONDS,
      RefreshToken: SESSION_LIFE_SECONDS,
      Session: SESSION_LIFE_SECONDS,
    },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    // The subject entered on the sign-in page.
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    extraTokenClaims: (ctx, token) => describeNamespace(ctx, token, namespaceClaim),
    loadExistingGrant: (ctx) => grantWhatIsRequested(ctx, audience),
    issueRefreshToken: async (_ctx, { grantTypes }) => grantTypes?.includes('refresh_token') ?? false,
    clientBasedCORS: (_ctx, origin) => consoleOrigins.includes(origin),
    renderError: async (ctx, { error, error_description: description }) => {
      showPage(ctx, messagePage('This does not work', description ?? error));
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: async (ctx, form, _out, problem) => showPage(ctx, deviceCodePage(form, problem !== undefined)),
        userCodeConfirmSource: async (ctx, form, client, _device, userCode) =>
          showPage(ctx, deviceConfirmPage(form, { client: client.clientId, userCode })),
        successSource: async (ctx) => showPage(ctx, messagePage('Signed in', 'Go back to your device: it goes on by itself.')),
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) => showPage(ctx, logoutPage(form, consoleOrigins)),
        postLogoutSuccessSource: async (ctx) => showPage(ctx, messagePage('Signed out', 'Your session has ended.')),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: async (ctx, resource, { clientId }) => {
          const { errors } = await import('oidc-provider');
          if (resource !== audience) throw new errors.InvalidTarget(`The resource is ${audience}.`);
          return {
            audience,
            scope: requestedScope(ctx),
            accessTokenFormat: 'jwt',
            accessTokenTTL: RENEWED.has(clientId) ? CONSOLE_TOKEN_LIFE_SECONDS : TOKEN_LIFE_SECONDS,
            jwt: { sign: { alg: SIGNING_ALGORITHM, kid: key.kid } },
          };
        },
      },
    },
  };
}

/** A client that gets tokens for itself. */
function describeClient({ id, secret }: Client): ClientMetadata {
  return { client_id: id, client_secret: secret, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };
}

/** A public client: browsers cannot keep a secret, so it uses PKCE. */
function describeConsole(origins: readonly string[]): ClientMetadata {
  return {
    client_id: CONSOLE_CLIENT_ID,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: origins.map((origin) => `${origin}/console/callback`),
    post_logout_redirect_uris: origins.map((origin) => `${origin}/console/signed-out`),
  };
}

/** Grants any requested scope without consent: the services decide what a scope allows. */
async function grantWhatIsRequested(ctx: KoaContextWithOIDC, audience: string): Promise<Grant | undefined> {
  const { client, session, provider } = ctx.oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid');
  grant.addResourceScope(audience, requestedScope(ctx));
  await grant.save();
  return grant;
}

/** Returns the namespace chosen at sign-in, which the session keeps; a client that gets tokens for itself has one of its own. */
function describeNamespace({ oidc }: KoaContextWithOIDC, token: AccessToken | ClientCredentials, claim: string): Record<string, unknown> {
  if (claim === 'sub') return {};
  const { AuthorizationCode: code, DeviceCode: device, RefreshToken: renewal } = oidc.entities;
  const [namespace = 'accountId' in token ? token.accountId : token.clientId] = (code ?? device ?? renewal)?.amr ?? [];
  return { [claim]: namespace };
}

/** Returns the scopes of the request, or of its code or refresh token, without those of this server. */
function requestedScope(ctx: KoaContextWithOIDC): string {
  const { AuthorizationCode: code, DeviceCode: device, RefreshToken: token } = ctx.oidc.entities;
  const asked = device?.params?.['scope'];
  const scope = ctx.oidc.params?.['scope'] ?? token?.scope ?? code?.scope ?? device?.scope ?? asked;
  const names = typeof scope === 'string' ? scope.split(' ') : [];
  return names.filter((name) => name !== 'openid').join(' ');
}

function showPage(ctx: KoaContextWithOIDC, { html, headers }: Page): void {
  ctx.set(headers);
  ctx.body = html;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
