import { sql, type Kysely } from 'kysely';

import type { Schema } from '../connection/schema.ts';

/** Status of a process that works for a stream. */
export interface StreamWorker {
  readonly streamId: number;
  readonly run: number;
  /** False while it waits for something. */
  readonly isReading: boolean;
  /** Reason for waiting; empty while it reads. */
  readonly waitsFor: string;
  /** Messages behind the end, by partition. */
  readonly lags: Readonly<Record<string, number>>;
}

/** A process silent for this long is considered stopped. */
const SILENT_SECONDS = 15;
const FORGOTTEN_SECONDS = 120;

/** The processes that work for streams. */
export class StreamWorkerStore {
  readonly #db: Kysely<Schema>;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
  }

  /** Replaces the set of a process's reports, in one statement; reports it no longer includes are removed. */
  async report(processId: string, workers: readonly StreamWorker[]): Promise<void> {
    const rows = JSON.stringify(
      workers.map(({ streamId, run, isReading, waitsFor, lags }) => ({
        stream_id: streamId,
        run,
        is_reading: isReading,
        waits_for: waitsFor,
        lags,
      })),
    );
    await sql`
      WITH said AS (
        SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS s (stream_id bigint, run bigint, is_reading boolean, waits_for text, lags jsonb)
      ), forgotten AS (
        DELETE FROM stream_workers
        WHERE (process_id = ${processId}::uuid AND stream_id NOT IN (SELECT stream_id FROM said))
           OR heard_at < now() - make_interval(secs => ${FORGOTTEN_SECONDS})
      )
      INSERT INTO stream_workers (stream_id, process_id, run, is_reading, waits_for, lags, heard_at)
      SELECT stream_id, ${processId}::uuid, run, is_reading, waits_for, lags, now() FROM said
      WHERE EXISTS (SELECT 1 FROM streams WHERE streams.id = stream_id)
      ON CONFLICT (stream_id, process_id) DO UPDATE
      SET run = excluded.run, is_reading = excluded.is_reading, waits_for = excluded.waits_for, lags = excluded.lags, heard_at = now()
    `.execute(this.#db);
  }

  /** The processes that work for a run of a stream now. */
  async list({ id, run }: { readonly id: number; readonly run: number }): Promise<readonly StreamWorker[]> {
    return this.#db
      .selectFrom('stream_workers')
      .select(['stream_id as streamId', 'run', 'is_reading as isReading', 'waits_for as waitsFor', 'lags'])
      .where('stream_id', '=', id)
      .where('run', '=', run)
      .where('heard_at', '>', sql<Date>`now() - make_interval(secs => ${SILENT_SECONDS})`)
      .execute();
  }
}
