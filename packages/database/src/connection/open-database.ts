import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Pool, types, type PoolClient } from 'pg';

import { limitAnswers } from './limit-answers.ts';
import { asLostConnection } from './lost-connection-error.ts';
import { NoConnectionError } from './no-connection-error.ts';
import type { Schema } from './schema.ts';

/** Location of the database, and limits of its operations. */
export interface DatabaseOptions {
  /** `postgresql://user:password@host:port/name`. */
  readonly url: string;
  /** Application name of the sessions on the server. */
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** Maximum time a caller waits for a connection, new or released. */
  readonly connectTimeoutMs?: number;
  /** Maximum duration of a statement, enforced by the server; 0 for none. The client waits slightly longer for the result. */
  readonly statementTimeoutMs?: number;
  /**
   * Maximum duration of a statement of `transaction` or `session`, enforced by the client. Such a statement may set a longer
   * limit on the server.
   */
  readonly longStatementTimeoutMs?: number;
  /** Called when the server ends an idle connection; the pool replaces it. */
  readonly onConnectionLost?: (error: Error) => void;
}

/**
 * An open pool of connections, closed by its owner. Every operation throws NoConnectionError if no connection is available,
 * and LostConnectionError if it breaks or does not answer in time.
 */
export interface Database {
  readonly db: Kysely<Schema>;
  /** Numbers of open connections, idle connections, and waiting callers. */
  readonly poolState: () => PoolState;
  /** Runs a transaction that may use COPY; see ClientTransaction. Rethrows what `use` throws, whatever the state of the session. */
  readonly transaction: <Result>(use: (at: ClientTransaction) => Promise<Result>) => Promise<Result>;
  /**
   * Runs `use` on a dedicated session outside of any transaction, for statements that cannot run in one. It must reset what
   * it sets. `answerMs` is the client-side limit of each statement.
   */
  readonly session: <Result>(use: (client: PoolClient) => Promise<Result>, answerMs?: number) => Promise<Result>;
  /** Waits for the statements that run, then ends every connection. */
  readonly close: () => Promise<void>;
}

/** A transaction, for the driver's own streams and for stores. */
export interface ClientTransaction {
  readonly client: PoolClient;
  readonly transaction: Transaction<Schema>;
  /** Ends the session immediately, and the transaction with it, even in the middle of a stream. */
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
/** Margin between the server's limit and the client's. */
const ANSWER_MS = 5_000;
/** A transaction idle for this long has lost its owner; its locks must be released. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** The longest that a timer of Node's can be set to. */
const MOST_TIMER_MS = 2_147_483_647;

/** Opens a pool. It connects when it is first used, so that a service may start before its database. */
export function openDatabase(options: DatabaseOptions): Database {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, longStatementTimeoutMs = LONG_STATEMENT_TIMEOUT_MS } = options;
  const answerMillis = statementTimeoutMs === 0 ? MOST_TIMER_MS : statementTimeoutMs + Math.min(statementTimeoutMs, ANSWER_MS);
  /** Connections whose statements currently have a longer limit. */
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
  // Nor may one that breaks during a statement: the statement fails and reports it.
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
  // Reads `client.query` at each statement; passes its arguments and result through.
  const query = (...args: readonly unknown[]): unknown => (client as unknown as AnyQuery).query(...args);
  const one = { connect: async () => ({ query, release: () => {} }), end: async () => {} };
  // The only methods of a pool that Kysely uses.
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
    // The rollback of an ended session fails too; the original failure is the one to report.
    throw asLostConnection((failure as { readonly thrown: unknown } | null)?.thrown ?? thrown);
  } finally {
    // After a failure the session may be in the middle of a COPY; a new one costs a millisecond.
    release(isBroken);
  }
}

function ignore(): void {}

/** `bigint` is parsed as a number: counters stay below 2^53, and a larger value is an error instead of an inexact number. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === (types.builtins.INT8 as number) && format !== 'binary'
    ? parseSafeInteger
    : (types.getTypeParser(oid, format as 'text') as unknown);

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database holds a number that is too large: ${text}.`);
  return value;
}
