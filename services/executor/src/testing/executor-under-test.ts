import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createAccessTokenVerifier, createBearerAuthenticator, type Authenticator } from '@svc/auth';
import { createCatalogReader } from '@svc/catalog';
import { CatalogStore, migrate, openDatabase } from '@svc/database';
import type { Database } from '@svc/database';
import { createEnginePool } from '@svc/query-engine';
import type { EnginePool } from '@svc/query-engine';
import { Admission, QueryRuntime, RunningQueries } from '@svc/query-runtime';
import { createHttpMetrics, createLogger } from '@svc/service-kit';
import { Sources, SpoolLedger } from '@svc/sources';
import { createTestDatabase, testAuthorization } from '@svc/test-kit';

import { createExecutorApp } from '../app.ts';
import { openStoredTexts } from '../catalog/stored-texts.ts';
import { tableOpener } from '../tables/open-tables.ts';
import { TableCatalog } from '../tables/table-catalog.ts';
import { createUploadAdmission } from '../tables/upload-admission.ts';
import type { UploadReading } from '../tables/open-upload.ts';

/** A listening executor with a database and a folder of its own. */
export interface ExecutorUnderTest {
  readonly url: string;
  /** The folder that queries may read. */
  readonly root: string;
  /** The folder in which results are written that are files. */
  readonly spool: string;
  readonly token: (subject?: string, claims?: Readonly<Record<string, string>>) => Promise<string>;
  readonly runtime: QueryRuntime;
  readonly admission: Admission;
  readonly engine: EnginePool;
  readonly database: Database;
  /** Log lines at level warn or above. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** The statements of the queries that were compiled last, ten at most. */
  readonly statements: readonly string[];
  readonly close: () => Promise<void>;
}

/** Maximum number of database connections. */
export const DATABASE_CONNECTIONS = 5;

/** For limits that only tests with their own settings reach, even on a busy machine. */
const LONG_MILLIS = 250_000;

/** Limits that a test sets for itself. */
export interface TestLimits {
  readonly timeoutMillis?: number;
  readonly concurrency?: number;
  readonly namespaceClaim?: string;
  readonly spoolMegabytes?: number;
  /** Maximum time to wait for a database connection; there are five. */
  readonly connectTimeoutMs?: number;
  /** Maximum time a query waits for a slot. */
  readonly waitMillis?: number;
}

/** Starts one; limits of size are small, so that tests can reach them. */
export async function startExecutorUnderTest(limits: TestLimits = {}): Promise<ExecutorUnderTest> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-executor-')));
  const [root, spool] = await Promise.all([mkdtemp(join(folder, 'root-')), mkdtemp(join(folder, 'spool-'))]);
  const { issuer, audience, mint } = await testAuthorization();
  const { url: databaseUrl, drop } = await createTestDatabase({ migrate });
  const database = openDatabase({
    url: databaseUrl,
    applicationName: 'test',
    maxConnections: DATABASE_CONNECTIONS,
    connectTimeoutMs: limits.connectTimeoutMs ?? LONG_MILLIS,
  });
  const ledger = new SpoolLedger({ megabytes: limits.spoolMegabytes ?? 200 });
  const queried = openRuntime(limits, { root, spool, database, ledger });
  const log: Readonly<Record<string, unknown>>[] = [];
  const verifier = createAccessTokenVerifier({
    issuer,
    audience,
    namespaceClaim: limits.namespaceClaim ?? 'sub',
  });
  const reading = { engine: queried.engine, admission: queried.admission, spoolDirectory: spool, ledger };
  const app = testApp({ limits, runtime: queried.runtime, database, reading, authenticate: createBearerAuthenticator(verifier), log });
  const { url, close: stopListening } = await listen(app);
  return {
    url,
    root,
    spool,
    ...queried,
    database,
    log,
    token: (subject = 'ann', claims = {}) => mint({ sub: subject, claims }),
    close: async () => {
      await stopListening();
      await queried.engine.close();
      await database.close();
      await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface RuntimeParts extends Pick<ExecutorUnderTest, 'root' | 'spool' | 'database'> {
  readonly ledger: SpoolLedger;
}

function openRuntime(
  { concurrency = 4, waitMillis = LONG_MILLIS, timeoutMillis = LONG_MILLIS }: TestLimits,
  { root, spool, database, ledger }: RuntimeParts,
): Pick<ExecutorUnderTest, 'runtime' | 'engine' | 'admission' | 'statements'> {
  const engine = createEnginePool({
    memoryMegabytes: 1024,
    threads: 2,
    concurrency,
    spoolDirectory: spool,
    spoolMegabytes: 200,
    readRoots: [root],
  });
  const admission = new Admission({ concurrency, concurrencyPerSubject: Math.ceil(concurrency / 2), waitMillis, maxWaiting: 8 });
  const statements: string[] = [];
  const runtime = new QueryRuntime({
    engine,
    sources: new Sources({ fileRoots: [root], spoolDirectory: spool, ledger }),
    admission,
    catalog: createCatalogReader({ catalog: new CatalogStore(database) }),
    openTables: tableOpener({ rows: database, spoolDirectory: spool, ledger }),
    timeoutMillis,
    spoolDirectory: spool,
    onCompiled: ({ sql }) => {
      statements.push(sql);
      if (statements.length > 10) statements.shift();
    },
  });
  return { runtime, engine, admission, statements };
}

interface AppParts extends Pick<ExecutorUnderTest, 'runtime' | 'database'> {
  readonly limits: TestLimits;
  readonly reading: UploadReading;
  readonly authenticate: Authenticator;
  readonly log: Readonly<Record<string, unknown>>[];
}

function testApp({ limits, runtime, database, reading, authenticate, log }: AppParts): RequestListener {
  const queries = new RunningQueries();
  return createExecutorApp({
    runtime,
    queries,
    arrive: () => undefined,
    texts: openStoredTexts({ database, runtime }),
    tables: new TableCatalog({
      database,
      rows: database,
      reading,
      uploads: createUploadAdmission({ places: DATABASE_CONNECTIONS - 1, waitMillis: limits.waitMillis ?? LONG_MILLIS }),
    }),
    cancelQuery: async (subject, id) => queries.cancel(subject, id),
    authenticate,
    bodyLimitBytes: 64 * 1024,
    corsOrigins: [],
    logger: createLogger({
      service: 'executor',
      level: 'warn',
      destination: { write: (line) => void log.push(JSON.parse(line) as Readonly<Record<string, unknown>>) }, // pino writes objects
    }),
    metrics: createHttpMetrics(),
  });
}

async function listen(app: RequestListener): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has this kind of address
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
