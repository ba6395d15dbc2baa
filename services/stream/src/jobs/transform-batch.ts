import type { NewDeadLetter } from '@svc/database';
import type { QueryError } from '@svc/errors';
import type { EnginePool, Message } from '@svc/query-engine';
import { runTransform, type Caller, type CompiledTransform } from '@svc/query-runtime';
import type { GatheredRows, MessagePlace, StoredRows } from '@svc/user-tables';

/** Dependencies of the transformation of messages to rows. */
export interface BatchTransform {
  readonly engine: EnginePool;
  readonly transform: CompiledTransform;
  readonly caller: Caller;
  /** Receives the rows; empty at first. */
  readonly rows: GatheredRows;
  readonly timeoutMillis: number;
}

/** Messages transformed for the table. */
export interface TransformedBatch {
  readonly messages: readonly Message[];
  readonly rows: GatheredRows;
  /** The message of each row, by its index. */
  readonly messageOfRow: readonly number[];
  /** The messages that have no row and were meant to have one. */
  readonly bad: readonly NewDeadLetter[];
}

/** Bytes of a row's line end. */
const LINE_FEED_BYTES = 1;

/** Runs the transform over messages. Throws errors of the engine, and the signal's reason. */
export async function transformBatch(by: BatchTransform, messages: readonly Message[], signal: AbortSignal): Promise<TransformedBatch> {
  const messageOfRow: number[] = [];
  const bad: NewDeadLetter[] = [];
  const refuse = (index: number, reason: QueryError): void => {
    const message = messages[index];
    if (message !== undefined) bad.push(deadLetter(message, reason));
  };
  const { engine, transform, caller, rows, timeoutMillis } = by;
  const placeOf = (index: number): MessagePlace => ({ offset: Number(messages[index]?.offset), key: messages[index]?.key ?? null });
  await runTransform({ engine, transform, caller, timeoutMillis, now: new Date(), signal, form: 'copy' }, messages, {
    row: (index, bytes, start, end) => {
      const problem = rows.add(bytes.subarray(start, end + LINE_FEED_BYTES), placeOf(index));
      if (problem === null) messageOfRow.push(index);
      else refuse(index, { message: `the table cannot hold the row: ${problem}`, positions: [] });
    },
    nothing: (index) => rows.addNothing(placeOf(index)),
    bad: refuse,
  });
  return { messages, rows, messageOfRow, bad };
}

/** Builds the dead letter of a message that could not be stored. */
function deadLetter(message: Message, { message: reason, positions }: QueryError): NewDeadLetter {
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

/**
 * Returns the dead letters of a batch in the order of the messages, including rows that the table rejected, except those
 * whose key a later message removed.
 */
export function lettersOf({ messages, messageOfRow, bad, rows }: TransformedBatch, { refused }: StoredRows): readonly NewDeadLetter[] {
  const ofTable = refused.flatMap(({ row, problem }) => {
    const message = messages[messageOfRow[row] ?? -1];
    return message === undefined ? [] : [deadLetter(message, { message: `the table refuses the row: ${problem}`, positions: [] })];
  });
  const all = [...bad, ...ofTable].toSorted((a, b) => a.offset - b.offset);
  const removedAt = new Map(rows.removals.map(({ key, offset }) => [textOf(key), offset]));
  return all.filter(({ key, offset }) => key === null || offset > (removedAt.get(textOf(key)) ?? -1));
}

function textOf(key: Uint8Array): string {
  return Buffer.from(key).toString('latin1');
}
