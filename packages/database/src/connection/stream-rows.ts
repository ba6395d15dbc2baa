import type { ColumnType, Generated } from 'kysely';

import type { StoredIndex } from './stored-index.ts';

/** Settings of a stream, as requested. */
export interface StreamSettings {
  readonly host: string;
  readonly port: number;
  readonly topic: string;
  readonly transform: string;
  readonly intervalMillis: number;
  readonly indexes: readonly StoredIndex[];
  /** Null for a broker that is reached without TLS and without a login. */
  readonly security: StreamSecurity | null;
  /** Retention of rows, measured from the timestamp in a field; null keeps them for ever. */
  readonly retention: { readonly interval: string; readonly field: string } | null;
  /** Key fields, of which each value has one row, the latest; null if each message has its own row. */
  readonly keyFields: readonly string[] | null;
  /** True if fields that the transform has and the table lacks are added to the table; absent in streams of an earlier version. */
  readonly evolve?: boolean;
}

/** Connection and login to a broker; the password is sealed elsewhere. */
export interface StreamSecurity {
  /** Or the certificate, as PEM, that the broker's must be signed by. */
  readonly tls: boolean | { readonly ca: string };
  readonly login: { readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; readonly username: string } | null;
}

/** State of a stream: 'paused' can be resumed, 'failed' needs an operator. */
export type StreamState = 'running' | 'paused' | 'failed';
/** State of a stream's indexes; 'none' if it has none. */
export type IndexState = 'none' | 'preparing' | 'running' | 'failed';
/** The parts of a stream that are shown. */
export type StreamJob = 'data' | 'index' | 'retention';
/** Level of a line in a stream's log. */
export type StreamLogLevel = 'DEBUG' | 'INFO' | 'WARN';

/** A stream. */
export interface StreamRow {
  readonly id: Generated<number>;
  readonly namespace: string;
  readonly name_key: string;
  readonly name: string;
  readonly subject: string;
  readonly table_id: number;
  readonly settings: ColumnType<StreamSettings, string, string>;
  readonly sealed_password: Buffer | null;
  readonly cluster_id: string;
  readonly topic_id: string;
  readonly group_id: string;
  readonly state: StreamState;
  readonly reason: string | null;
  readonly index_state: IndexState;
  readonly index_detail: string;
  readonly run: Generated<number>;
  readonly rows_before: number;
  readonly dead_before: number;
  readonly retention_deleted: Generated<number>;
  readonly retention_detail: Generated<string>;
  readonly created_at: Generated<Date>;
}

/** Progress of a table in a partition of a topic. */
export interface StreamOffsetRow {
  readonly table_id: number;
  readonly cluster_id: string;
  readonly topic_id: string;
  readonly partition: number;
  readonly next_offset: number;
  readonly row_count: Generated<number>;
  readonly dead_count: Generated<number>;
  readonly lost_count: Generated<number>;
}

/** A message that could not be stored. */
export interface DeadLetterRow {
  readonly id: Generated<number>;
  readonly table_id: number;
  readonly cluster_id: string;
  readonly topic_id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly timestamp_millis: number;
  readonly timestamp_type: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly reason: string;
  readonly position: ColumnType<TextRange | null, string | null, string | null>;
  readonly created_at: Generated<Date>;
}

/** A stretch of a transform's text. Lines and columns count from 1. */
export interface TextRange {
  readonly begin: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

/** Status of a process that works for a stream; `lags` counts messages behind the end, by partition. */
export interface StreamWorkerRow {
  readonly stream_id: number;
  readonly process_id: string;
  readonly run: number;
  readonly is_reading: boolean;
  readonly waits_for: string;
  readonly lags: ColumnType<Readonly<Record<string, number>>, string, string>;
  readonly heard_at: Generated<Date>;
}

/** A line of a stream's log. */
export interface StreamLogRow {
  readonly id: Generated<number>;
  readonly stream_id: number;
  readonly job: StreamJob;
  readonly logged_at: Date;
  readonly level: StreamLogLevel;
  readonly message: string;
}
