import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createAccessTokenVerifier, createBearerAuthenticator } from '@svc/auth';
import { CredentialEventStore, CredentialStore, migrate, openDatabase, type Database } from '@svc/database';
import { createNetworkGuard } from '@svc/network-guard';
import { createHttpMetrics, createLogger, type HttpMetrics } from '@svc/service-kit';
import { createCredentialChecks } from '@svc/sources';
import { createTestDatabase, testAuthorization } from '@svc/test-kit';
import { Credentials, createCredentialReader, createVault } from '@svc/vault';
import supertest from 'supertest';

import { createCredentialsApp } from '../app.ts';

/** A listening credentials service with a database of its own. */
export interface CredentialsUnderTest {
  readonly url: string;
  readonly database: Database;
  readonly metrics: HttpMetrics;
  /** All log lines. */
  readonly log: readonly string[];
  readonly token: (subject?: string) => Promise<string>;
  /** Sends a request on behalf of a subject, `ann` by default; null sends no token. An object is sent as JSON. */
  readonly send: (method: SentMethod, path: string, sent?: Sent) => Promise<Answered>;
  readonly close: () => Promise<void>;
}

/** HTTP method of a test request. */
export type SentMethod = 'get' | 'post' | 'delete' | 'head' | 'put' | 'patch';

/** Options of a test request. */
export interface Sent {
  readonly as?: string | null;
  readonly body?: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response; `body` is parsed if it is JSON, else text. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** URLs of the systems against which credentials are tested. */
export interface Endpoints {
  readonly s3?: URL;
  readonly fileHost?: URL;
}

/** Starts one. */
export async function startCredentialsUnderTest(endpoints: Endpoints = {}): Promise<CredentialsUnderTest> {
  const [{ url: databaseUrl, drop }, { issuer, audience, mint }] = await Promise.all([
    createTestDatabase({ migrate }),
    testAuthorization(),
  ]);
  const database = openDatabase({ url: databaseUrl, applicationName: 'test', connectTimeoutMs: 60_000 });
  const log: string[] = [];
  const metrics = createHttpMetrics();
  const parts = {
    store: new CredentialStore(database),
    events: new CredentialEventStore(database),
    vault: createVault({ masterKey: randomBytes(32) }),
  };
  const networkGuard = createNetworkGuard({ allow: ['127.0.0.1', '::1'] });
  const checks = createCredentialChecks({
    networkGuard,
    endpoints,
    credentials: createCredentialReader({ ...parts, onFailure: () => undefined }),
    timeoutMs: 10_000,
  });
  const app = createCredentialsApp({
    credentials: new Credentials(parts),
    checks,
    authenticate: createBearerAuthenticator(createAccessTokenVerifier({ issuer, audience, namespaceClaim: 'sub' })),
    bodyLimitBytes: 64 * 1024,
    corsOrigins: [],
    logger: createLogger({ service: 'credentials', level: 'trace', destination: { write: (line) => void log.push(line) } }),
    metrics,
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has this kind of address
  const url = `http://127.0.0.1:${port}`;
  const token = async (sub = 'ann'): Promise<string> => mint({ sub });
  return {
    url,
    database,
    metrics,
    log,
    token,
    send: async (method, path, { as = 'ann', body, headers = {} } = {}) => {
      const authorization = as === null ? {} : { Authorization: `Bearer ${await token(as)}` };
      const request = supertest(url)
        [method](path)
        .set({ ...authorization, ...headers });
      const answer = await (body === undefined ? request : request.set({ 'Content-Type': 'application/json', ...headers }).send(body));
      return {
        status: answer.status,
        body: answer.type.includes('json') ? (answer.body as unknown) : answer.text,
        headers: answer.headers as Readonly<Record<string, string>>, // nothing here is repeated
      };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await checks.close();
      networkGuard.close();
      await database.close();
      await drop();
    },
  };
}
