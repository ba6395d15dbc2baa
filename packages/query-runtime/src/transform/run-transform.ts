import { anyAborted } from '@svc/concurrency';
import type { QueryError } from '@svc/errors';
import { isQueryFailure } from '@svc/errors';
import {
  EngineFailure,
  isEngineFailure,
  loadMessages,
  MESSAGE_MARKS,
  runStatement,
  streamResult,
  type EngineLease,
  type EnginePool,
  type Message,
  type MessageRowForm,
} from '@svc/query-engine';

import type { Caller } from '../caller.ts';
import { parameterValues } from '../parameter-values.ts';
import { explainFailure } from '../run-time-error.ts';
import type { CompiledTransform, TransformStatement } from './compile-transform.ts';

/** Receives the outcome of each message, by its index. Rows arrive in the order of their messages. */
export interface TransformSink {
  /** The row in the form of the run, in some bytes. */
  readonly row: (index: number, bytes: Buffer, start: number, end: number) => void;
  /** The transform has no row for this message. */
  readonly nothing: (index: number) => void;
  readonly bad: (index: number, reason: QueryError) => void;
}

/** Dependencies of a run of a transform. */
export interface TransformRun {
  readonly engine: EnginePool;
  readonly transform: CompiledTransform;
  readonly form: MessageRowForm;
  /** The user on whose behalf it runs. */
  readonly caller: Caller;
  readonly now: Date;
  /** Time limit of a statement: a batch that exceeds it is bisected down to one message, which is bad then. */
  readonly timeoutMillis: number;
  readonly signal: AbortSignal;
}

/** Maximum of messages per statement. Planning one takes as long as a thousand messages. */
const MOST_AT_ONCE = 16_384;
/** Additional time of a statement per message. */
const MILLIS_PER_MESSAGE = 5;
/** Maximum number of unrecorded failures of a batch that are explained, each by a statement of its own. */
const MOST_REASONS = 100;
/** Memory limit of one statement's rows. */
const MOST_RESULT_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 10;
const [NOTHING, FAILED] = [MESSAGE_MARKS.nothing.charCodeAt(0), MESSAGE_MARKS.failed.charCodeAt(0)];

/**
 * Runs a transform over messages as one statement, which records the failures of single messages; unrecordable ones are
 * found with TRY, for which the engine processes a thousand messages one by one, or by bisection. A message that fails, or
 * that takes too long or too much memory, is bad, and the others continue. Fails with an EngineFailure `interrupted` when
 * the signal aborts, and with errors of the engine itself.
 */
export async function runTransform(run: TransformRun, messages: readonly Message[], sink: TransformSink): Promise<void> {
  if (messages.every(hasTime)) return transformAll(run, messages, sink);
  const timed = messages.flatMap((message, index) => (hasTime(message) ? [{ message, index }] : []));
  const indexOf = (i: number): number => timed[i]?.index ?? -1;
  await transformAll(
    run,
    timed.map(({ message }) => message),
    {
      row: (i, ...row) => sink.row(indexOf(i), ...row),
      nothing: (i) => sink.nothing(indexOf(i)),
      bad: (i, reason) => sink.bad(indexOf(i), reason),
    },
  );
  for (const [index, message] of messages.entries()) if (!hasTime(message)) sink.bad(index, timeReason(message));
}

/** The range of `Date`. Kafka takes any number, such as nanoseconds. */
const MOST_MILLIS = 8.64e15;

function hasTime({ timestampMillis }: Message): boolean {
  return Math.abs(timestampMillis) <= MOST_MILLIS;
}

function timeReason({ timestampMillis }: Message): QueryError {
  return {
    message: `the timestamp of the message, ${timestampMillis}, is beyond the year 275760: Kafka counts milliseconds since 1970`,
    positions: [],
  };
}

async function transformAll(run: TransformRun, messages: readonly Message[], sink: TransformSink): Promise<void> {
  const failed: number[] = [];
  for (let from = 0; from < messages.length; from += MOST_AT_ONCE)
    await transformRange({ run, messages, sink, failed }, from, Math.min(from + MOST_AT_ONCE, messages.length));
  for (const [i, index] of failed.entries())
    sink.bad(index, i < MOST_REASONS ? await reasonOf(run, messages.slice(index, index + 1)) : UNKNOWN_REASON);
}

const UNKNOWN_REASON: QueryError = { message: 'the transform failed; too many failed at once to look into each', positions: [] };

interface Transforming {
  readonly run: TransformRun;
  readonly messages: readonly Message[];
  readonly sink: TransformSink;
  /** Messages that TRY has found to fail. */
  readonly failed: number[];
}

async function transformRange(at: Transforming, from: number, to: number): Promise<void> {
  if (from >= to) return;
  const { run, messages, sink } = at;
  try {
    takeOutcome(at, from, await outcomeOf(run, messages.slice(from, to)));
  } catch (thrown) {
    if (run.signal.aborted || !isOfData(thrown)) throw thrown;
    if (to - from === 1) {
      sink.bad(from, await reasonOfFailure(run, messages.slice(from, to), thrown));
      return;
    }
    const middle = (from + to) >> 1;
    await transformRange(at, from, middle);
    await transformRange(at, middle, to);
  }
}

/** Result of a statement over messages. */
interface Outcome {
  /** One line per message, which begins with its mark. */
  readonly lines: Buffer;
  /** Failures by the number of their message. The lines of these messages are meaningless. */
  readonly notes: ReadonlyMap<number, QueryError>;
}

/** Notes failures; a failure of the engine itself, such as an overflow, ends that statement, and TRY finds it. */
async function outcomeOf(run: TransformRun, messages: readonly Message[]): Promise<Outcome> {
  const { noted, tried, plain } = run.transform;
  const others = tried ?? plain;
  if (noted === null) return runOver(run, others, messages);
  try {
    return await runOver(run, noted, messages);
  } catch (thrown) {
    if (run.signal.aborted || !isOfData(thrown) || isTooMuch(thrown)) throw thrown;
    return runOver(run, others, messages);
  }
}

async function runOver(run: TransformRun, statement: TransformStatement, messages: readonly Message[]): Promise<Outcome> {
  return withLease(run, messages.length, async (lease, signal) => {
    await loadMessages(lease, messages, signal);
    lease.notes.take();
    const lines = await collect(lease, statement, run, signal);
    const notes = [...lease.notes.take()].map(([number, note]) => [number, reasonOfNote(run, statement, note)] as const);
    return { lines, notes: new Map(notes) };
  });
}

/** A note is the id of a failure, with its message if that depends on the topic's message. */
function reasonOfNote({ transform }: TransformRun, { lowered }: TransformStatement, note: string): QueryError {
  const [, id = '', , message] = /^(E\d+)(:([\s\S]*))?$/.exec(note) ?? [];
  const raised = lowered.failures.get(id);
  if (raised === undefined) throw new Error('a failure was noted that no statement has');
  return { message: message ?? raised.message, positions: [transform.source.positionOf(raised.span)] };
}

/**
 * Returns whether a failure may be caused by the messages, so that a smaller batch may succeed. A full disk and a closed
 * engine are not.
 */
function isOfData(thrown: unknown): thrown is EngineFailure {
  return isEngineFailure(thrown) && thrown.failureClass !== 'spool-full' && thrown.failureClass !== 'interrupted';
}

/** Returns whether another statement would fail in the same way. */
function isTooMuch({ failureClass }: EngineFailure): boolean {
  return failureClass === 'too-complex' || failureClass === 'out-of-memory';
}

async function withLease<Result>(
  { engine, timeoutMillis, signal }: TransformRun,
  messageCount: number,
  use: (lease: EngineLease, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lease = await engine.lease(signal, 'narrow');
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMillis + messageCount * MILLIS_PER_MESSAGE);
  try {
    return await use(lease, anyAborted(signal, limit.signal));
  } catch (thrown) {
    if (limit.signal.aborted && !signal.aborted) throw new EngineFailure('too-complex', `it took longer than ${timeoutMillis} ms`);
    throw thrown;
  } finally {
    clearTimeout(timer);
    await lease.release();
  }
}

async function collect(lease: EngineLease, statement: TransformStatement, run: TransformRun, signal: AbortSignal): Promise<Buffer> {
  const parameters = parametersOf(statement, run);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of streamResult(lease, {
    printed: statement.printed[run.form],
    parameters,
    signal,
    explain: () => runAgain(lease, statement.printed[run.form].sql, { parameters, signal }),
  })) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > MOST_RESULT_BYTES) throw new EngineFailure('out-of-memory', `its rows take more than ${MOST_RESULT_BYTES} bytes`);
  }
  return Buffer.concat(pieces, bytes);
}

function parametersOf({ lowered }: TransformStatement, { caller, now }: TransformRun): readonly (string | null)[] {
  return parameterValues(lowered.parameters, { caller, now, arguments: [] });
}

/** A stream hides why it was aborted. The same statement runs again unchanged, since casts are found by their lines. */
async function runAgain(
  lease: EngineLease,
  sql: string,
  given: { readonly parameters: readonly (string | null)[]; readonly signal: AbortSignal },
): Promise<EngineFailure> {
  try {
    await runStatement(lease, { sql, ...given });
  } catch (thrown) {
    if (isEngineFailure(thrown) && !given.signal.aborted) return thrown;
    throw thrown;
  }
  return new EngineFailure('user-error', 'the transform failed once, and not again');
}

/** Passes the outcome of each message to the sink. Line feeds within a row's text are escaped. */
function takeOutcome({ sink, failed }: Transforming, first: number, { lines, notes }: Outcome): void {
  let index = first;
  for (let start = 0; start < lines.byteLength; index += 1) {
    const end = lines.indexOf(LINE_FEED, start);
    const note = notes.get(index - first);
    if (note !== undefined) sink.bad(index, note);
    else if (lines[start] === FAILED) failed.push(index);
    else if (lines[start] === NOTHING) sink.nothing(index);
    else sink.row(index, lines, start + 1, end);
    start = end + 1;
  }
}

/** Returns why the transform fails for one message; without `known` it is run again to find out. */
async function reasonOf(run: TransformRun, message: readonly Message[], known?: EngineFailure): Promise<QueryError> {
  try {
    return await withLease(run, 1, async (lease, signal) => {
      await loadMessages(lease, message, signal);
      const { plain } = run.transform;
      const failure = known ?? (await runAgain(lease, plain.printed[run.form].sql, { parameters: parametersOf(plain, run), signal }));
      return explain(lease, run, failure, signal);
    });
  } catch (thrown) {
    if (run.signal.aborted || !isOfData(thrown)) throw thrown;
    return plainReason(thrown);
  }
}

async function reasonOfFailure(run: TransformRun, message: readonly Message[], failure: EngineFailure): Promise<QueryError> {
  if (isTooMuch(failure)) return plainReason(failure);
  return reasonOf(run, message, failure);
}

/** Converts a failure to an error for the author of the transform, with its position in the text. */
async function explain(lease: EngineLease, run: TransformRun, failure: EngineFailure, signal: AbortSignal): Promise<QueryError> {
  const { plain, source } = run.transform;
  const parameters = parametersOf(plain, run);
  const explained = await explainFailure(failure, {
    runnable: plain,
    printed: plain.printed[run.form],
    source,
    runAgain: (printed) => runAgain(lease, printed.sql, { parameters, signal }),
    explainRead: () => null,
  });
  return isQueryFailure(explained) && explained.runtimeError !== null ? explained.runtimeError : plainReason(failure);
}

function plainReason({ failureClass, message }: EngineFailure): QueryError {
  return { message: failureClass === 'internal' ? 'the engine could not run the transform' : message, positions: [] };
}
