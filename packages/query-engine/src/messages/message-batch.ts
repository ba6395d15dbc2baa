import {
  BIGINT,
  BLOB,
  DuckDBBlobValue,
  DuckDBDataChunk,
  DuckDBTimestampValue,
  INTEGER,
  TIMESTAMP,
  VARCHAR,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';

import type { EngineLease } from '../instances/engine-lease.ts';
import type { ReaderRelation } from '../lowering/lowering-context.ts';
import type { FieldType } from '@svc/query-language';

/** A message of a topic, as a transform is given it. */
export interface Message {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly timestampMillis: number;
  /** Kafka's: 0 set by the producer, 1 by the broker. */
  readonly timestampType: number;
}

const TABLE = 'messages';
const MICROS = 1000n;
/** Size of the engine's vectors. */
const CHUNK_ROWS = 2048;

interface Column {
  readonly name: string;
  readonly type: DuckDBType;
  readonly valueOf: (message: Message, number: number) => DuckDBValue;
}

/** In the order of a transform's parameters; then the index in the batch. */
const COLUMNS: readonly Column[] = [
  { name: 'key', type: BLOB, valueOf: ({ key }) => blobOf(key) },
  { name: 'value', type: BLOB, valueOf: ({ value }) => blobOf(value) },
  { name: 'topic', type: VARCHAR, valueOf: ({ topic }) => topic },
  { name: 'partition', type: INTEGER, valueOf: ({ partition }) => partition },
  { name: 'position', type: BIGINT, valueOf: ({ offset }) => offset },
  { name: 'time', type: TIMESTAMP, valueOf: ({ timestampMillis }) => new DuckDBTimestampValue(BigInt(timestampMillis) * MICROS) },
  { name: 'time_type', type: INTEGER, valueOf: ({ timestampType }) => timestampType },
  { name: 'number', type: INTEGER, valueOf: (_, number) => number },
];

/** Returns the relation of the messages loaded with a lease, in order; `fields` are those of a message, then its index in the batch. */
export function messagesRelation(fields: readonly FieldType[]): ReaderRelation {
  const names = fields.map((_, i) => `m${i + 1}`);
  return {
    sql: `SELECT * FROM temp.${TABLE} AS read_messages(${names.join(', ')})`,
    layout: { kind: 'columns', columns: fields.map((field, i) => ({ name: names[i] ?? '', field })) },
  };
}

/** Loads messages where `messagesRelation` reads them, replacing earlier ones. They are removed with the lease. Fails with an EngineFailure. */
export async function loadMessages(lease: EngineLease, messages: readonly Message[], signal: AbortSignal): Promise<void> {
  const columns = COLUMNS.map(({ name, type }) => `${name} ${type.toString()}`);
  const types = COLUMNS.map(({ type }) => type);
  await lease.run(signal, async (connection) => {
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${TABLE} (${columns.join(', ')})`);
    const appender = await connection.createAppender(TABLE, 'main', 'temp');
    try {
      for (let from = 0; from < messages.length; from += CHUNK_ROWS) {
        const rows = messages.slice(from, from + CHUNK_ROWS);
        const chunk = DuckDBDataChunk.create(types, rows.length);
        for (const [i, { valueOf }] of COLUMNS.entries())
          chunk.setColumnValues(
            i,
            rows.map((row, r) => valueOf(row, from + r)),
          );
        appender.appendDataChunk(chunk);
      }
    } finally {
      appender.closeSync();
    }
  });
}

function blobOf(bytes: Uint8Array | null): DuckDBValue {
  return bytes === null ? null : new DuckDBBlobValue(bytes);
}
