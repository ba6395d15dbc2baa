import type { NewDeadLetter } from '@svc/database';
import type { QueryError } from '@svc/errors';
import type { EnginePool, Message } from '@svc/query-engine';
import { runTransform, type Caller, type CompiledTransform, type TransformSink } from '@svc/query-runtime';
import type { GatheredRows, MessagePlace, StoredRows } from '@svc/user-tables';

/** Dependencies of the transformation of messages to rows. */
export interface BatchTransform {
  readonly engine: EnginePool;
  readonly transform: CompiledTransform;
  readonly caller: Caller;
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

/** Runs the transform over messages; `rows` receives the rows, and is empty at first. Throws errors of the engine, and the signal's reason. */
export async function transformBatch(
  by: BatchTransform & { readonly rows: GatheredRows },
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<TransformedBatch> {
  const { batch, sink } = gatherBatch(messages, by.rows);
  await run(by, { messages, sink, signal });
  return batch;
}

/** Gathers those transformed messages whose index is wanted; `rows` is empty at first. */
export type GatherLater = (rows: GatheredRows, isWanted: (index: number) => boolean) => TransformedBatch;

/** Runs the transform over messages of which it is known only later which to store. Throws as `transformBatch` does. */
export async function transformForLater(by: BatchTransform, messages: readonly Message[], signal: AbortSignal): Promise<GatherLater> {
  const outcomes: { readonly index: number; readonly pass: (to: TransformSink) => void }[] = [];
  const sink: TransformSink = {
    row: (index, ...row) => outcomes.push({ index, pass: (to) => to.row(index, ...row) }),
    nothing: (index) => outcomes.push({ index, pass: (to) => to.nothing(index) }),
    bad: (index, reason) => outcomes.push({ index, pass: (to) => to.bad(index, reason) }),
  };
  await run(by, { messages, sink, signal });
  return (rows, isWanted) => {
    const gathered = gatherBatch(messages, rows);
    for (const { index, pass } of outcomes) if (isWanted(index)) pass(gathered.sink);
    return gathered.batch;
  };
}

async function run(
  { engine, transform, caller, timeoutMillis }: BatchTransform,
  { messages, sink, signal }: { readonly messages: readonly Message[]; readonly sink: TransformSink; readonly signal: AbortSignal },
): Promise<void> {
  await runTransform({ engine, transform, caller, timeoutMillis, now: new Date(), signal, form: 'copy' }, messages, sink);
}

/** Returns a sink, and the batch that it fills. */
function gatherBatch(messages: readonly Message[], rows: GatheredRows): { readonly batch: TransformedBatch; readonly sink: TransformSink } {
  const messageOfRow: number[] = [];
  const bad: NewDeadLetter[] = [];
  const refuse = (index: number, reason: QueryError): void => {
    const message = messages[index];
    if (message !== undefined) bad.push(deadLetter(message, reason));
  };
  const placeOf = (index: number): MessagePlace => ({ offset: Number(messages[index]?.offset), key: messages[index]?.key ?? null });
  const sink: TransformSink = {
    row: (index, bytes, start, end) => {
      const problem = rows.add(bytes.subarray(start, end + LINE_FEED_BYTES), placeOf(index));
      if (problem === null) messageOfRow.push(index);
      else refuse(index, { message: `the table cannot hold the row: ${problem}`, positions: [] });
    },
    nothing: (index) => rows.addNothing(placeOf(index)),
    bad: refuse,
  };
  return { batch: { messages, rows, messageOfRow, bad }, sink };
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
