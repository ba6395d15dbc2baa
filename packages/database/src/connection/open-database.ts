import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Pool, types, type PoolClient } from 'pg';

import { limitAnswers } from './limit-answers.ts';
import { asLostConnection } from './lost-connection-error.ts';
import { NoConnectionError } from './no-connection-error.ts';
import type { Schema } from './schema.ts';

/** Where the database is, and how long anything in it may take. */
export interface DatabaseOptions {
  /** `postgresql://user:password@host:port/name`. */
  readonly url: string;
  /** What the server shows for our sessions. */
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** How long a caller waits for a connection, a new one or one that comes free. */
  readonly connectTimeoutMs?: number;
  /** How long a statement may run, on the server; 0 for as long as it takes. Its answer may take a little longer. */
  readonly statementTimeoutMs?: number;
  /** How long the answer to a statement of `transaction` or `session` may take, which may set a longer limit on the server. */
  readonly longStatementTimeoutMs?: number;
  /** Told when the server ends an idle connection; the pool replaces it by itself. */
  readonly onConnectionLost?: (error: Error) => void;
}

/**
 * An open pool of connections, to be closed by whoever opened it. Whatever needs one throws a NoConnectionError where none can be had, and a
 * LostConnectionError where it breaks or gives no answer in time.
 */
export interface Database {
  readonly db: Kysely<Schema>;
  /** How many connections there are, how many of them are idle, and how many callers wait for one. */
  readonly poolState: () => PoolState;
  /** A transaction whose statements are COPY too; see ClientTransaction. Throws what `use` throws, whatever becomes of the session. */
  readonly transaction: <Result>(use: (at: ClientTransaction) => Promise<Result>) => Promise<Result>;
  /**
   * A session of one's own, outside of any transaction, for statements that stand in none. What it sets it must reset. `answerMs` is the limit
   * for the answer to each of its statements.
   */
  readonly session: <Result>(use: (client: PoolClient) => Promise<Result>, answerMs?: number) => Promise<Result>;
  /** Waits for the statements that run, then ends every connection. */
  readonly close: () => Promise<void>;
}

/** One transaction, for the driver's own streams and for stores alike. */
export interface ClientTransaction {
  readonly client: PoolClient;
  readonly transaction: Transaction<Schema>;
  /** Ends the session at once, and the transaction with it: for what is stuck in the middle of a stream. */
  readonly abort: () => void;
}

/** A reading of the pool, for metrics. */
export interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** Longer than any statement of a batch may run. */
const LONG_STATEMENT_TIMEOUT_MS = 150_000;
/** From the server's limit to ours, for its answer to come. */
const ANSWER_MS = 5_000;
/** A transaction that does nothing for so long has lost its owner; its locks must not stay. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** The longest that a timer of Node's can be set to. */
const MOST_TIMER_MS = 2_147_483_647;

/** Opens a pool. It connects when it is first used, so that a service may start before its database. */
export function openDatabase(options: DatabaseOptions): Database {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, longStatementTimeoutMs = LONG_STATEMENT_TIMEOUT_MS } = options;
  const answerMillis = statementTimeoutMs === 0 ? MOST_TIMER_MS : statementTimeoutMs + Math.min(statementTimeoutMs, ANSWER_MS);
  /** Of connections whose statements may take longer now. */
  const longer = new WeakMap<PoolClient, number>();
  const pool = new Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.maxConnections ?? MAX_CONNECTIONS,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', (error) => options.onConnectionLost?.(error));
  // Nor may one that breaks in use: the statement that runs fails, and that is what is reported.
  pool.on('connect', (client) => {
    client.on('error', ignore);
    limitAnswers(client, () => longer.get(client) ?? answerMillis);
  });
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect().catch((cause: unknown) => {
      throw new NoConnectionError(cause);
    });
    longer.delete(client);
    return client;
  };
  const connectFor = async (limitMillis: number): Promise<PoolClient> => {
    const client = await connect();
    longer.set(client, limitMillis);
    return client;
  };
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }) });
  return {
    db,
    poolState: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    transaction: (use) => runTransaction(() => connectFor(longStatementTimeoutMs), use),
    session: (use, answerMs = longStatementTimeoutMs) => runSession(() => connectFor(answerMs), use),
    close: async () => {
      await db.destroy();
      // Kysely ends only a pool that it has used.
      if (!pool.ending) await pool.end();
    },
  };
}

interface AnyQuery {
  readonly query: (...args: readonly unknown[]) => unknown;
}

type Connect = () => Promise<PoolClient>;

async function runSession<Result>(connect: Connect, use: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await connect();
  let isBroken = true;
  try {
    const result = await use(client);
    isBroken = false;
    return result;
  } catch (thrown) {
    throw asLostConnection(thrown);
  } finally {
    client.release(isBroken);
  }
}

async function runTransaction<Result>(connect: Connect, use: (at: ClientTransaction) => Promise<Result>): Promise<Result> {
  const client = await connect();
  let isOver = false;
  const release = (isBroken: boolean): void => {
    if (isOver) return;
    isOver = true;
    client.release(isBroken);
  };
  // Looked up for each statement, with the same arguments and the same answer.
  const query = (...args: readonly unknown[]): unknown => (client as unknown as AnyQuery).query(...args);
  const one = { connect: async () => ({ query, release: () => {} }), end: async () => {} };
  // Kysely asks a pool for nothing else than this.
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: one as unknown as Pool }) });
  let isBroken = true;
  let failure: { readonly thrown: unknown } | null = null;
  const guarded = async (transaction: Transaction<Schema>): Promise<Result> => {
    try {
      return await use({ client, transaction, abort: () => release(true) });
    } catch (thrown) {
      failure = { thrown };
      throw thrown;
    }
  };
  try {
    const result = await db.transaction().execute(guarded);
    isBroken = false;
    return result;
  } catch (thrown) {
    // A session that was ended cannot be rolled back, and says so; that is not what went wrong.
    throw asLostConnection((failure as { readonly thrown: unknown } | null)?.thrown ?? thrown);
  } finally {
    // After a failure the session may stand in the middle of a COPY: another one costs a millisecond.
    release(isBroken);
  }
}

function ignore(): void {}

/** `bigint` comes as a number: our counters stay below 2^53, and one that does not is an error instead of a near miss. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === (types.builtins.INT8 as number) && format !== 'binary'
    ? parseSafeInteger
    : (types.getTypeParser(oid, format as 'text') as unknown);

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database holds a number that is too large: ${text}.`);
  return value;
}
