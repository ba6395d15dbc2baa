import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

import { isServiceError, type ServiceError } from '@svc/errors';

import { createAccessTokenVerifier, type AccessTokenOptions } from '../access-token-verifier.ts';
import { createBearerAuthenticator } from '../authenticate-bearer.ts';
import type { Principal } from '../principal.ts';

/** The audience of the tokens of the tests. */
export const AUDIENCE = 'https://api.example';

/** A pair of keys that an issuer signs with. */
export interface Key {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

/** A new pair. */
export async function aKey(kid: string, alg = 'ES256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A started issuer with a first key, which it publishes, and a second one, which it does not (yet). */
export async function startIssuer(): Promise<Issuer> {
  keysOfTests ??= Promise.all([aKey('first'), aKey('second', 'RS256')]);
  const issuer = new Issuer(...(await keysOfTests));
  await issuer.start();
  return issuer;
}

/** Generated once: an RSA key is slow to generate. */
let keysOfTests: Promise<[Key, Key]> | undefined;

/** A real HTTP server with an issuer's discovery document and key set; counts requests, and can fail. */
export class Issuer {
  readonly first: Key;
  readonly second: Key;
  keys: readonly Key[];
  isDown = false;
  isOidc = true;
  claimedIssuer: string | undefined;
  fetches = 0;
  url = '';
  /** The time of the authenticators of this issuer. */
  now = new Date('2026-01-01T12:00:00Z');
  readonly #server: Server = createServer((req, res) => {
    res.setHeader('Connection', 'close');
    const path = req.url ?? '';
    const wellKnown = this.isOidc ? '/.well-known/openid-configuration' : '/.well-known/oauth-authorization-server';
    if (this.isDown) res.writeHead(503).end();
    else if (path === wellKnown) res.end(JSON.stringify({ issuer: this.claimedIssuer ?? this.url, jwks_uri: `${this.url}/jwks` }));
    else if (path === '/jwks') {
      this.fetches += 1;
      res.end(JSON.stringify({ keys: this.keys.map((key) => key.jwk) }));
    } else res.writeHead(404).end();
  });

  constructor(first: Key, second: Key) {
    this.first = first;
    this.second = second;
    this.keys = [first];
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Lets time go by. */
  pass(millis: number): void {
    this.now = new Date(this.now.getTime() + millis);
  }

  /** A time from now, as a token writes it. */
  seconds(offset: number): number {
    return Math.floor(this.now.getTime() / 1000) + offset;
  }

  /** Returns a valid token with the given changes; an undefined claim is omitted. */
  async aToken(claims: JWTPayload = {}, signedWith: Pick<Key, 'kid' | 'alg' | 'privateKey'> = this.first, header = {}): Promise<string> {
    const all = { iss: this.url, aud: AUDIENCE, sub: 'ann', exp: this.seconds(600), ...claims };
    const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new SignJWT(payload).setProtectedHeader({ alg: signedWith.alg, kid: signedWith.kid, ...header }).sign(signedWith.privateKey);
  }

  /** Returns an authenticator that trusts this issuer; its argument is the Authorization header. */
  anAuthenticator(options: Partial<AccessTokenOptions> = {}): (authorization: string | undefined, url?: string) => Promise<Principal> {
    const verifier = createAccessTokenVerifier({
      issuer: this.url,
      audience: AUDIENCE,
      namespaceClaim: 'sub',
      now: () => this.now,
      ...options,
    });
    const authenticate = createBearerAuthenticator(verifier);
    return async (authorization, url = '/') => {
      const headersDistinct = authorization === undefined ? {} : { authorization: [authorization] };
      return authenticate({ url, headersDistinct } as unknown as IncomingMessage);
    };
  }
}

/** Returns the coded error of a rejection; fails if there is none. */
export async function refusalOf(pending: Promise<unknown>): Promise<ServiceError> {
  try {
    await pending;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
  throw new Error('The request was not refused.');
}

/** Returns the challenge of an error. */
export const challengeOf = (error: ServiceError): string | undefined => error.headers['WWW-Authenticate'];
