import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { migrate, openDatabase, type Database } from '@svc/database';
import { createLogger, readEnv } from '@svc/service-kit';
import { createTestDatabase, testAuthorization } from '@svc/test-kit';

import { createStreamApp } from '../app.ts';
import { STREAM_SETTINGS } from '../config.ts';
import { openDependencies } from '../dependencies.ts';
import { injectNothing, type Inject } from '../jobs/injection.ts';
import type { TestTopic } from './test-topic.ts';

/** An answer of the service. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The parsed text; undefined if it is not JSON. */
  readonly json: unknown;
}

/** A running stream service with a database of its own. */
export interface StreamUnderTest {
  readonly url: string;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** Calls as a subject. */
  readonly call: (method: string, path: string, body?: unknown, subject?: string) => Promise<Answer>;
  /** Creates a stream over a topic, and expects that to work. */
  readonly create: (name: string, topic: TestTopic, transform: string, more?: Readonly<Record<string, unknown>>) => Promise<void>;
  /** The detail of the data job. */
  readonly detail: (name: string) => Promise<string>;
  /** Rows of a table as JSON texts, by its columns c1, c2 …; of a table that the subject `ann` has. */
  readonly rows: (name: string, columns?: string) => Promise<readonly string[]>;
  /** The metrics as text. */
  readonly metrics: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Options of a service under test. */
export interface StreamTestOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly inject?: Inject;
  /** The database of another service, for a second process over it. */
  readonly databaseUrl?: string;
}

/** For services of which one is killed: the shortest session timeout at which a busy machine does not declare a live one dead. */
export const SOON_REPLACED = { SVC_STREAM_SESSION_MS: '3000' };

/** Opens a service; `afterAll(service.close)`. */
export async function openStreamService({
  env = {},
  inject = injectNothing,
  databaseUrl,
}: StreamTestOptions = {}): Promise<StreamUnderTest> {
  const own = databaseUrl === undefined ? await createTestDatabase({ migrate }) : null;
  const url = databaseUrl ?? own?.url ?? '';
  const authorization = await testAuthorization();
  const all = {
    SVC_DATABASE_URL: url,
    SVC_TOKEN_ISSUER: authorization.issuer,
    SVC_TOKEN_AUDIENCE: authorization.audience,
    SVC_MASTER_KEY: randomBytes(32).toString('base64'),
    SVC_NETWORK_ALLOW: '127.0.0.0/8',
    ...env,
  };
  const { settings } = readEnv(all, STREAM_SETTINGS);
  const log: Readonly<Record<string, unknown>>[] = [];
  const logger = createLogger({
    service: 'stream',
    level: 'warn',
    destination: { write: (line) => void log.push(JSON.parse(line) as Readonly<Record<string, unknown>>) }, // pino writes objects
  });
  const { app, resources } = await openDependencies(settings, logger, inject);
  const server = createServer(createStreamApp(app)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has this kind of address
  const database = openDatabase({ url, applicationName: 'test', maxConnections: 4 });
  const base = `http://127.0.0.1:${port}`;
  const call = async (method: string, path: string, body?: unknown, subject = 'ann'): Promise<Answer> => {
    const token = await authorization.mint({ sub: subject });
    const headers = { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
    const response = await fetch(base + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await response.text();
    return { status: response.status, text, json: parse(text) };
  };
  return {
    url: base,
    database,
    databaseUrl: url,
    env: all,
    log,
    call,
    create: async (name, topic, transform, more = {}) => {
      const body = { host: topic.host, port: topic.port, topic: topic.name, transform, intervalMillis: 100, ...more };
      const { status, text } = await call('POST', `/stream/${name}`, body);
      if (status !== 200) throw new Error(`the stream was not created: ${status} ${text}`);
    },
    detail: async (name) => {
      const { json } = await call('GET', `/stream/${name}`);
      const [job] = json as readonly { readonly state: string; readonly detail: string }[]; // as its schema says
      return `${job?.state ?? ''}: ${job?.detail ?? ''}`;
    },
    rows: async (name, columns = '*') => readRows(database, name, columns),
    metrics: () => app.metrics.registry.metrics(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      for (const { close } of resources) await close();
      await database.close();
      await own?.drop();
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Rows of a table as texts, in the order of their texts. */
async function readRows(database: Database, name: string, columns: string): Promise<readonly string[]> {
  return database.session(async (client) => {
    const found = await client.query<{ readonly id: number }>('SELECT id FROM tables WHERE name = $1', [name]);
    const [table] = found.rows;
    if (table === undefined) throw new Error(`there is no table ${name}`);
    const { rows } = await client.query<{ readonly row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM (SELECT ${columns} FROM user_rows.t${table.id}) AS t ORDER BY 1`,
    );
    return rows.map(({ row }) => row);
  });
}
