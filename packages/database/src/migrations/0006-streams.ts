import { sql, type Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import type { Migration } from './migration.ts';

/**
 * Streams, which write messages of a topic to a table. Offsets and dead letters belong to the table, not to the stream: a
 * stream that is created again continues where the table stands.
 */
export const streams: Migration = {
  version: 6,
  name: 'streams',
  up: async (transaction) => {
    await createStreams(transaction);
    await createOffsets(transaction);
    await createDeadLetters(transaction);
    await createWorkers(transaction);
    await createLogs(transaction);
  },
};

/** `run` is raised by each start, to identify leftovers of an earlier run. The counts are those of the table at the start. */
async function createStreams(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE streams (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      namespace text COLLATE "C" NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL CHECK (lower(name) = name_key),
      subject text COLLATE "C" NOT NULL,
      table_id bigint NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
      settings jsonb NOT NULL CHECK (jsonb_typeof(settings) = 'object'),
      sealed_password bytea,
      cluster_id text COLLATE "C" NOT NULL,
      topic_id text COLLATE "C" NOT NULL,
      group_id text COLLATE "C" NOT NULL,
      state text NOT NULL CHECK (state IN ('running', 'paused', 'failed')),
      reason text,
      index_state text NOT NULL CHECK (index_state IN ('none', 'preparing', 'running', 'failed')),
      index_detail text NOT NULL,
      run bigint NOT NULL DEFAULT 1,
      rows_before bigint NOT NULL,
      dead_before bigint NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      UNIQUE (namespace, name_key),
      CHECK ((state = 'failed') = (reason IS NOT NULL))
    )
  `.execute(transaction);
  await sql`CREATE INDEX streams_of_table ON streams (table_id)`.execute(transaction);
}

/** The next offset of a partition changes only by compare-and-set. */
async function createOffsets(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE stream_offsets (
      table_id bigint NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
      cluster_id text COLLATE "C" NOT NULL,
      topic_id text COLLATE "C" NOT NULL,
      partition integer NOT NULL,
      next_offset bigint NOT NULL,
      row_count bigint NOT NULL DEFAULT 0,
      dead_count bigint NOT NULL DEFAULT 0,
      lost_count bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (table_id, cluster_id, topic_id, partition)
    )
  `.execute(transaction);
}

async function createDeadLetters(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE stream_dead_letters (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      table_id bigint NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
      cluster_id text COLLATE "C" NOT NULL,
      topic_id text COLLATE "C" NOT NULL,
      topic text NOT NULL,
      partition integer NOT NULL,
      "offset" bigint NOT NULL,
      timestamp_millis bigint NOT NULL,
      timestamp_type smallint NOT NULL,
      key bytea,
      value bytea,
      reason text NOT NULL,
      position jsonb,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      UNIQUE (table_id, cluster_id, topic_id, partition, "offset")
    )
  `.execute(transaction);
}

/** Status of each process that works for a stream; `heard_at` is the time of the report. */
async function createWorkers(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE stream_workers (
      stream_id bigint NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
      process_id uuid NOT NULL,
      run bigint NOT NULL,
      is_reading boolean NOT NULL,
      waits_for text NOT NULL,
      lags jsonb NOT NULL CHECK (jsonb_typeof(lags) = 'object'),
      heard_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (stream_id, process_id)
    )
  `.execute(transaction);
}

/** The latest lines of each job; older ones are removed. */
async function createLogs(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE stream_logs (
      id bigint GENERATED ALWAYS AS IDENTITY,
      stream_id bigint NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
      job text NOT NULL CHECK (job IN ('data', 'index')),
      logged_at timestamptz(3) NOT NULL,
      level text NOT NULL CHECK (level IN ('DEBUG', 'INFO', 'WARN')),
      message text NOT NULL,
      PRIMARY KEY (stream_id, job, id)
    )
  `.execute(transaction);
}
