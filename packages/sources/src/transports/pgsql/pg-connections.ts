import type { NetworkGuard } from '@svc/network-guard';
import { interrupted } from '@svc/text-formats';
import type { Client } from 'pg';

import type { SourceFailure } from '../source-failure.ts';
import { cancelStatement } from './cancel-statement.ts';
import { connectClient, type PgClient } from './connect-client.ts';
import type { PgAccess } from './pg-access.ts';
import { explainPg, hasNoPlace, isRejected } from './pg-failure.ts';

/** A read-only transaction on a database server. */
export interface PgSession {
  readonly client: Client;
  /** Cancels the current statement, and closes the connection. */
  readonly abort: () => void;
}

/** Options of the connection pools. */
export interface PgConnectionsOptions {
  readonly guard: Pick<NetworkGuard, 'connect'>;
  /** Limit of each statement on the server: it ends them if this process cannot. */
  readonly statementTimeoutMs: number;
  readonly idleMs?: number;
  readonly now?: () => number;
}

const MOST_CONNECTIONS = 4;
const IDLE_MS = 30_000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 60_000];

/** Connections of one credential: few, opened in sequence, closed when idle. */
interface Pool {
  readonly idle: { readonly connection: PgClient; readonly timer: NodeJS.Timeout }[];
  taken: number;
  /** Fewer while the server takes fewer. */
  most: number;
  readonly waiting: (() => void)[];
  /** Resolves at the end of the current attempt to connect. */
  connecting: Promise<unknown>;
  /** A rejected password: no retry until then. */
  rejected: { readonly failure: SourceFailure; readonly until: number; readonly pauseMs: number } | null;
}

/** Lends read-only transactions on database servers. */
export class PgConnections {
  readonly #options: PgConnectionsOptions;
  readonly #pools = new Map<string, Pool>();
  #isClosed = false;

  constructor(options: PgConnectionsOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` in a read-only transaction. Fails with a SourceFailure if the server is unreachable or refuses, and with an
   * ReadFailure if the signal aborts: the statement is cancelled then.
   */
  async transaction<T>(access: PgAccess, signal: AbortSignal, work: (session: PgSession) => Promise<T>): Promise<T> {
    const pool = this.#poolOf(access);
    for (;;) {
      await enter(pool, signal);
      let connection: PgClient | null = null;
      try {
        connection = await orCancelled(this.#connection(pool, access, signal), signal);
        return await this.#run(connection, access, { signal, work });
      } catch (thrown) {
        if (signal.aborted) throw interrupted(signal.reason);
        // The server has too few places for all: others of the pool have some, or have just given them back.
        const places = pool.taken - 1 + pool.idle.length;
        if (connection !== null || places === 0 || !hasNoPlace(thrown)) throw thrown;
        pool.most = Math.min(pool.most, places);
      } finally {
        this.#leave(pool, connection);
      }
    }
  }

  /** Closes idle connections; others are closed when they are released. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const idle = [...this.#pools.values()].flatMap((pool) => pool.idle.splice(0));
    await Promise.all(
      idle.map(async ({ connection, timer }) => {
        clearTimeout(timer);
        await connection.client.end().catch(connection.destroy);
      }),
    );
  }

  async #run<T>(
    connection: PgClient,
    access: PgAccess,
    { signal, work }: { readonly signal: AbortSignal; readonly work: (session: PgSession) => Promise<T> },
  ): Promise<T> {
    const { client } = connection;
    const abort = (): void => {
      if (connection.isEnded()) return;
      void cancelStatement(this.#options.guard, access, connection.key());
      connection.destroy();
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      await client.query(beginning(this.#options.statementTimeoutMs));
      const result = await work({ client, abort });
      await client.query('ROLLBACK');
      return result;
    } catch (thrown) {
      if (!connection.isEnded()) await client.query('ROLLBACK').catch(connection.destroy);
      throw thrown;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  #poolOf({ identity }: PgAccess): Pool {
    if (this.#isClosed) throw new Error('the connections are closed');
    const known = this.#pools.get(identity);
    if (known !== undefined) return known;
    for (const [key, old] of this.#pools) if (isForgettable(old, this.#now())) this.#pools.delete(key);
    const pool: Pool = { idle: [], taken: 0, most: MOST_CONNECTIONS, waiting: [], connecting: Promise.resolve(), rejected: null };
    this.#pools.set(identity, pool);
    return pool;
  }

  /** Opens a connection, one attempt at a time: however many queries wait, a rejected password is tried once per pause. */
  async #connection(pool: Pool, access: PgAccess, signal: AbortSignal): Promise<PgClient> {
    const idle = takeIdle(pool);
    if (idle !== null) return idle;
    const attempt = pool.connecting.then(async () => {
      signal.throwIfAborted();
      return takeIdle(pool) ?? this.#connect(pool, access, signal);
    });
    pool.connecting = attempt.catch(() => undefined);
    return attempt;
  }

  async #connect(pool: Pool, access: PgAccess, signal: AbortSignal): Promise<PgClient> {
    const { rejected } = pool;
    if (rejected !== null && this.#now() < rejected.until) throw rejected.failure;
    try {
      const connection = await connectClient(this.#options.guard, access, signal);
      pool.rejected = null;
      return connection;
    } catch (thrown) {
      const failure = explainPg(thrown, access);
      if (isRejected(thrown)) {
        const pauseMs = Math.min(rejected === null ? FIRST_PAUSE_MS : rejected.pauseMs * 2, LONGEST_PAUSE_MS);
        pool.rejected = { failure, until: this.#now() + pauseMs, pauseMs };
      }
      throw failure;
    }
  }

  #leave(pool: Pool, connection: PgClient | null): void {
    if (connection !== null && !connection.isEnded()) {
      if (this.#isClosed) void connection.client.end().catch(connection.destroy);
      else {
        const timer = setTimeout(() => {
          pool.idle.splice(
            pool.idle.findIndex((one) => one.connection === connection),
            1,
          );
          void connection.client.end().catch(connection.destroy);
        }, this.#options.idleMs ?? IDLE_MS);
        timer.unref();
        pool.idle.push({ connection, timer });
      }
    }
    pool.taken -= 1;
    if (pool.taken === 0) pool.most = MOST_CONNECTIONS;
    pool.waiting.shift()?.();
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** Returns whether a pool can be dropped. A rejection is remembered for as long as the pause after it would double. */
function isForgettable({ taken, idle, rejected }: Pool, now: number): boolean {
  return taken === 0 && idle.length === 0 && (rejected === null || now > rejected.until + LONGEST_PAUSE_MS);
}

function takeIdle(pool: Pool): PgClient | null {
  for (let one = pool.idle.pop(); one !== undefined; one = pool.idle.pop()) {
    clearTimeout(one.timer);
    if (!one.connection.isEnded()) return one.connection;
  }
  return null;
}

/** Waits for one of the places of a pool. */
async function enter(pool: Pool, signal: AbortSignal): Promise<void> {
  while (pool.taken >= pool.most) {
    if (signal.aborted) throw interrupted(signal.reason);
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        pool.waiting.splice(pool.waiting.indexOf(wake), 1);
        resolve();
      };
      pool.waiting.push(wake);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
  if (signal.aborted) throw interrupted(signal.reason);
  pool.taken += 1;
}

/** Ends a connection that is established after cancellation. */
async function orCancelled(connecting: Promise<PgClient>, signal: AbortSignal): Promise<PgClient> {
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(interrupted(signal.reason));
  signal.addEventListener('abort', leave, { once: true });
  try {
    if (signal.aborted) leave();
    return await Promise.race([connecting, promise]);
  } catch (thrown) {
    void connecting.then(
      ({ destroy }) => destroy(),
      () => undefined,
    );
    throw thrown;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** Begins the transaction in one message. Sets all parameters that affect the output, overriding the settings of user and database. */
function beginning(statementTimeoutMs: number): string {
  const settings = {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: '10s',
    DateStyle: `'ISO, YMD'`,
    IntervalStyle: 'postgres',
    TimeZone: `'UTC'`,
    bytea_output: 'hex',
    extra_float_digits: '1',
    standard_conforming_strings: 'on',
    client_encoding: `'UTF8'`,
    // Functions and operators of the database must not replace built-in ones: conditions and cells are written for
    // PostgreSQL's.
    search_path: 'pg_catalog, pg_temp',
  };
  const all = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${/^\d+s$/.test(value) ? `'${value}'` : value}`);
  return ['BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', ...all].join('; ');
}
