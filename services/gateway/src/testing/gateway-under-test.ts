import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { migrate, openDatabase, type Database } from '@svc/database';
import { freePort } from '@svc/local-stack';
import { createLogger, readEnv } from '@svc/service-kit';
import { createTestDatabase, testAuthorization } from '@svc/test-kit';

import { createGatewayApp } from '../app.ts';
import { GATEWAY_SETTINGS } from '../config.ts';
import { openDependencies } from '../dependencies.ts';

/** A listening gateway with a database of its own. */
export interface GatewayUnderTest {
  readonly url: string;
  readonly database: Database;
  /** The settings that it was started with, for a second replica. */
  readonly env: Readonly<Record<string, string>>;
  /** A token for the administration. */
  readonly token: (subject?: string, scope?: string) => Promise<string>;
  /** Log lines at level warn or above. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** Further details shown by `/ready`. */
  readonly details: () => Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

/** Overrides of a gateway's defaults. */
export interface GatewayChanges {
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: () => Date;
}

/** Starts a gateway over a new database. */
export async function startGatewayUnderTest(changes: GatewayChanges = {}): Promise<GatewayUnderTest> {
  const { url: databaseUrl, drop } = await createTestDatabase({ migrate });
  const executorPort = await freePort();
  const { issuer, audience, client } = await testAuthorization();
  const env = {
    SVC_EXECUTOR_URL: `http://127.0.0.1:${executorPort}`,
    SVC_EXECUTOR_PORT: String(executorPort),
    SVC_GATEWAY_CLIENT_ID: client.id,
    SVC_GATEWAY_CLIENT_SECRET: client.secret,
    SVC_ACT_AS_CLIENT_ID: client.id,
    SVC_DATABASE_URL: databaseUrl,
    SVC_TOKEN_ISSUER: issuer,
    SVC_TOKEN_AUDIENCE: audience,
    SVC_MASTER_KEY: randomBytes(32).toString('base64'),
    SVC_KEY_ENVIRONMENT: 'test',
    ...changes.env,
  };
  const replica = await startReplica({ ...changes, env });
  const database = openDatabase({ url: databaseUrl, applicationName: 'test' });
  return {
    ...replica,
    database,
    env,
    close: async () => {
      await replica.close();
      await database.close();
      await drop();
    },
  };
}

/** Starts a gateway over the database that its settings name. */
export async function startReplica({
  env,
  now,
}: GatewayChanges & Pick<GatewayUnderTest, 'env'>): Promise<Omit<GatewayUnderTest, 'database' | 'env'>> {
  const log: Readonly<Record<string, unknown>>[] = [];
  const logger = createLogger({
    service: 'gateway',
    level: 'warn',
    destination: { write: (line) => void log.push(JSON.parse(line) as Readonly<Record<string, unknown>>) }, // pino writes objects
  });
  const { app, details, resources } = openDependencies(readEnv(env, GATEWAY_SETTINGS).settings, logger, { now, flushMillis: 100 });
  const server = createServer(createGatewayApp(app)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has this kind of address
  const { mint } = await testAuthorization();
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    details,
    token: (sub = 'ann', scope = 'svc:admin') => mint({ sub, scope }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      for (const { close } of resources) await close();
    },
  };
}
