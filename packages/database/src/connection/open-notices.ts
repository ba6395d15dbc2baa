import { setTimeout as delay } from 'node:timers/promises';

import { sql, type Kysely } from 'kysely';
import { Client } from 'pg';

import type { Schema } from './schema.ts';

/** A channel on which the processes of a database speak to each other. */
export interface NoticesOptions {
  /** `postgresql://user:password@host:port/name`. */
  readonly url: string;
  readonly applicationName: string;
  /** Each channel has one kind of notice. */
  readonly channel: string;
  /** Told what any process said, this one too. Must not throw. */
  readonly onNotice: (payload: string) => void;
  /** Told why the session was lost or could not be had; it is opened again. */
  readonly onLost?: (error: Error) => void;
  /** How long connecting, and one sign of life, may take. */
  readonly timeoutMs?: number;
  /** How often an idle session must show that it lives: a network can drop it without a word. */
  readonly heartbeatMs?: number;
}

/** A session that listens, and connects again when it is lost. What was said meanwhile is lost: a notice is no message queue. */
export interface Notices {
  /** Whether it hears what is said now. */
  readonly isListening: () => boolean;
  /** Ends the session. */
  readonly close: () => Promise<void>;
}

const TIMEOUT_MS = 5_000;
const HEARTBEAT_MS = 30_000;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;

/** Listens, from as soon as the database can be reached, on a session of its own: one from a pool would be handed on. */
export function openNotices(options: NoticesOptions): Notices {
  const stop = new AbortController();
  let isListening = false;
  const work = (async () => {
    let retryMs = FIRST_RETRY_MS;
    while (!stop.signal.aborted) {
      try {
        await listenOnce(options, stop.signal, () => {
          isListening = true;
          retryMs = FIRST_RETRY_MS;
        });
      } catch (thrown) {
        options.onLost?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
      isListening = false;
      await delay(retryMs, undefined, { signal: stop.signal }).catch(ignore);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
    }
  })();
  return {
    isListening: () => isListening,
    close: async () => {
      stop.abort();
      await work;
    },
  };
}

/** Says something to every process that listens. `payload` holds less than 8000 bytes. */
export async function sendNotice(db: Kysely<Schema>, channel: string, payload: string): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${payload})`.execute(db);
}

/** Until the session is lost, which is thrown, or the signal aborts. */
async function listenOnce(options: NoticesOptions, signal: AbortSignal, onListening: () => void): Promise<void> {
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
    onListening();
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

/** Says good-bye; a session that cannot be ended so is left to its timers. */
async function endWithin(client: Client, timeoutMs: number): Promise<void> {
  const limit = new AbortController();
  await Promise.race([client.end().catch(ignore), delay(timeoutMs, undefined, { signal: limit.signal }).catch(ignore)]);
  limit.abort();
}

function ignore(): void {}
