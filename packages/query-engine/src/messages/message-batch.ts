import { DuckDBTimestampValue } from '@duckdb/node-api';

import type { EngineLease } from '../instances/engine-lease.ts';
import type { Relation } from '../lowering/lowering-context.ts';
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
const COLUMNS = [
  'key BLOB',
  'value BLOB',
  'topic VARCHAR',
  'partition INTEGER',
  '"offset" BIGINT',
  'time TIMESTAMP',
  'time_type INTEGER',
  'number INTEGER',
];
const MICROS = 1000n;

/** The relation of the messages that a lease holds, in their order; `fields` are those of a message, then its number in the batch. */
export function messagesRelation(fields: readonly FieldType[]): Relation {
  const names = fields.map((_, i) => `m${i + 1}`);
  return {
    sql: `SELECT * FROM temp.${TABLE} AS read_messages(${names.join(', ')})`,
    layout: { kind: 'columns', columns: fields.map((field, i) => ({ name: names[i] ?? '', field })) },
  };
}

/** Puts messages where `messagesRelation` reads them, in place of those that were there. They go with the lease. Fails with an EngineFailure. */
export async function loadMessages(lease: EngineLease, messages: readonly Message[], signal: AbortSignal): Promise<void> {
  await lease.run(signal, async (connection) => {
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${TABLE} (${COLUMNS.join(', ')})`);
    const appender = await connection.createAppender(TABLE, 'main', 'temp');
    try {
      for (const [number, { key, value, topic, partition, offset, timestampMillis, timestampType }] of messages.entries()) {
        if (key === null) appender.appendNull();
        else appender.appendBlob(key);
        if (value === null) appender.appendNull();
        else appender.appendBlob(value);
        appender.appendVarchar(topic);
        appender.appendInteger(partition);
        appender.appendBigInt(offset);
        appender.appendTimestamp(new DuckDBTimestampValue(BigInt(timestampMillis) * MICROS));
        appender.appendInteger(timestampType);
        appender.appendInteger(number);
        appender.endRow();
      }
    } finally {
      appender.closeSync();
    }
  });
}
