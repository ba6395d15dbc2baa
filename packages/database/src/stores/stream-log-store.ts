import { sql, type Kysely } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import type { StreamJob, StreamLogLevel } from '../connection/stream-rows.ts';

/** A line of a job's log. */
export interface StreamLogLine {
  readonly streamId: number;
  readonly job: StreamJob;
  readonly at: Date;
  readonly level: StreamLogLevel;
  readonly message: string;
}

/** Maximum number of lines kept per job. */
const KEPT_LINES = 1000;

/** The latest lines that jobs of streams wrote, from all processes. */
export class StreamLogStore {
  readonly #db: Kysely<Schema>;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
  }

  /** Adds lines, and deletes the oldest beyond the limit. Lines of deleted streams are dropped. */
  async append(lines: readonly StreamLogLine[]): Promise<void> {
    if (lines.length === 0) return;
    const rows = JSON.stringify(
      lines.map(({ streamId, job, at, level, message }) => ({
        stream_id: streamId,
        job,
        logged_at: at,
        level,
        message: message.replaceAll('\u0000', '\uFFFD'),
      })),
    );
    await sql`
      INSERT INTO stream_logs (stream_id, job, logged_at, level, message)
      SELECT stream_id, job, logged_at, level, message
      FROM jsonb_to_recordset(${rows}::jsonb) AS said (stream_id bigint, job text, logged_at timestamptz, level text, message text)
      WHERE EXISTS (SELECT 1 FROM streams WHERE streams.id = stream_id)
    `.execute(this.#db);
    const written = new Set(lines.map(({ streamId, job }) => JSON.stringify({ streamId, job })));
    for (const one of written) await this.#trim(JSON.parse(one) as Pick<StreamLogLine, 'streamId' | 'job'>);
  }

  async #trim({ streamId, job }: Pick<StreamLogLine, 'streamId' | 'job'>): Promise<void> {
    await sql`
      DELETE FROM stream_logs WHERE stream_id = ${streamId} AND job = ${job} AND id <= (
        SELECT id FROM stream_logs WHERE stream_id = ${streamId} AND job = ${job} ORDER BY id DESC OFFSET ${KEPT_LINES} LIMIT 1
      )
    `.execute(this.#db);
  }

  /** The lines of a job, oldest first. */
  async read(streamId: number, job: StreamJob): Promise<readonly StreamLogLine[]> {
    return this.#db
      .selectFrom('stream_logs')
      .select(['stream_id as streamId', 'job', 'logged_at as at', 'level', 'message'])
      .where('stream_id', '=', streamId)
      .where('job', '=', job)
      .orderBy('logged_at')
      .orderBy('id')
      .execute();
  }
}
