import { setTimeout as delay } from 'node:timers/promises';

import { sql, type Kysely } from 'kysely';
import { Client } from 'pg';

import type { Schema } from './schema.ts';

/** Options of a LISTEN/NOTIFY channel shared by the processes of a database. */
export interface NoticesOptions {
  /** `postgresql://user:password@host:port/name`. */
  readonly url: string;
  readonly applicationName: string;
  /** Each channel carries one kind of notification. */
  readonly channel: string;
  /** Receives the notifications of all processes, this one included. Must not throw. */
  readonly onNotice: (payload: string) => void;
  /** Called with the reason when the session is lost or cannot be opened; it is opened again. */
  readonly onLost?: (error: Error) => void;
  /** Timeout of connecting, and of a heartbeat. */
  readonly timeoutMs?: number;
  /** Interval of heartbeats on an idle session: a network can drop it silently. */
  readonly heartbeatMs?: number;
}

/** A listening session that reconnects when it is lost. Notifications sent meanwhile are lost: NOTIFY is not a message queue. */
export interface Notices {
  /** Returns the server's process id of the current session; null while there is none. */
  readonly session: () => number | null;
  /** Ends the session. */
  readonly close: () => Promise<void>;
}

const TIMEOUT_MS = 5_000;
const HEARTBEAT_MS = 30_000;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;

/** Listens on a dedicated session as soon as the database is reachable; a pooled connection would be reused by others. */
export function openNotices(options: NoticesOptions): Notices {
  const stop = new AbortController();
  let session: number | null = null;
  const work = (async () => {
    let retryMs = FIRST_RETRY_MS;
    while (!stop.signal.aborted) {
      try {
        await listenOnce(options, stop.signal, (number) => {
          session = number;
          retryMs = FIRST_RETRY_MS;
        });
      } catch (thrown) {
        options.onLost?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
      session = null;
      await delay(retryMs, undefined, { signal: stop.signal }).catch(ignore);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
    }
  })();
  return {
    session: () => session,
    close: async () => {
      stop.abort();
      await work;
    },
  };
}

/** Sends a notification to every listening process. `payload` holds less than 8000 bytes. */
export async function sendNotice(db: Kysely<Schema>, channel: string, payload: string): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${payload})`.execute(db);
}

/** Returns the server's process ids of the sessions with this application name. */
export async function sessionsNamed(db: Kysely<Schema>, applicationName: string): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = ${applicationName}`.execute(db);
  return new Set(rows.map(({ pid }) => pid));
}

/** Until the session is lost, which is thrown, or the signal aborts. */
async function listenOnce(options: NoticesOptions, signal: AbortSignal, onListening: (session: number) => void): Promise<void> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const client = new Client({
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  });
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(ignore);
  client.on('error', lost.reject);
  client.on('end', () => lost.reject(new Error('the session has ended')));
  client.on('notification', ({ payload }) => options.onNotice(payload ?? ''));
  const stopped = Promise.withResolvers<void>();
  const onAbort = (): void => stopped.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([client.connect(), lost.promise, stopped.promise]);
    if (signal.aborted) return;
    await Promise.race([client.query(`LISTEN ${client.escapeIdentifier(options.channel)}`), lost.promise, stopped.promise]);
    const { rows } = await Promise.race([client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'), lost.promise]);
    onListening(rows[0]?.pid ?? 0);
    while (!signal.aborted) {
      const beat = delay(options.heartbeatMs ?? HEARTBEAT_MS, undefined, { signal }).catch(ignore);
      await Promise.race([beat, lost.promise]);
      if (!signal.aborted) await Promise.race([client.query('SELECT 1'), lost.promise]);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    await endWithin(client, timeoutMs);
  }
}

/** Ends a session gracefully; one that does not end in time is left to its timeouts. */
async function endWithin(client: Client, timeoutMs: number): Promise<void> {
  const limit = new AbortController();
  await Promise.race([client.end().catch(ignore), delay(timeoutMs, undefined, { signal: limit.signal }).catch(ignore)]);
  limit.abort();
}

function ignore(): void {}
