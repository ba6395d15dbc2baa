import type { NewDeadLetter, StoredTable } from '@svc/database';
import type { QueryError } from '@svc/errors';
import type { EnginePool, Message } from '@svc/query-engine';
import { runTransform, type Caller, type CompiledTransform } from '@svc/query-runtime';
import { RowBatch } from '@svc/user-tables';

/** What turns messages into rows. */
export interface BatchTransform {
  readonly engine: EnginePool;
  readonly transform: CompiledTransform;
  readonly caller: Caller;
  readonly table: StoredTable;
  readonly timeoutMillis: number;
}

/** Messages as the table takes them. */
export interface TransformedBatch {
  readonly messages: readonly Message[];
  readonly rows: RowBatch;
  /** The message of each row, by its index. */
  readonly messageOfRow: readonly number[];
  /** The messages that have no row and were meant to have one. */
  readonly bad: readonly NewDeadLetter[];
}

/** Runs the transform over messages. Throws what is wrong with the engine, and the signal's reason. */
export async function transformBatch(by: BatchTransform, messages: readonly Message[], signal: AbortSignal): Promise<TransformedBatch> {
  const rows = new RowBatch(by.table);
  const messageOfRow: number[] = [];
  const bad: NewDeadLetter[] = [];
  const refuse = (index: number, reason: QueryError): void => {
    const message = messages[index];
    if (message !== undefined) bad.push(deadLetter(message, reason));
  };
  const { engine, transform, caller, timeoutMillis } = by;
  await runTransform({ engine, transform, caller, timeoutMillis, now: new Date(), signal }, messages, {
    row: (index, bytes, start, end) => {
      const problem = rows.add(bytes, start, end);
      if (problem === null) messageOfRow.push(index);
      else refuse(index, { message: `the table cannot hold the row: ${problem}`, positions: [] });
    },
    nothing: () => undefined,
    bad: refuse,
  });
  return { messages, rows, messageOfRow, bad };
}

/** A message that is kept because it could not be stored. */
export function deadLetter(message: Message, { message: reason, positions }: QueryError): NewDeadLetter {
  const { topic, partition, offset, timestampMillis, timestampType, key, value } = message;
  return {
    topic,
    partition,
    offset: Number(offset),
    timestampMillis,
    timestampType,
    key: key === null ? null : Buffer.from(key),
    value: value === null ? null : Buffer.from(value),
    reason,
    position: positions[0] ?? null,
  };
}
