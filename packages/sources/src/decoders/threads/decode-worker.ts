/** A thread in which files are decoded, one after the other. */
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';

import { isReadFailure } from '@svc/text-formats';

import { avroLines, findAvroType } from '../avro/decode-avro.ts';
import { excelLines, lookAtSheets } from '../excel/decode-excel.ts';
import { explainJson, scanJson } from '../json-jobs.ts';
import { findXmlType, xmlLines } from '../xml/decode-xml.ts';
import type { DecodeJobs, FromThread, Outcome, ToThread } from './decode-job.ts';

/** Maximum number of chunks in transit. */
const MOST_PIECES = 4;

type Performed<Name extends keyof DecodeJobs> = AsyncGenerator<Uint8Array, DecodeJobs[Name]['found']>;

const PERFORM: { readonly [Name in keyof DecodeJobs]: (job: DecodeJobs[Name]['job'], signal: AbortSignal) => Performed<Name> } = {
  'xml-type': (job, signal) => finding(findXmlType(job, signal)),
  'xml-lines': xmlLines,
  'excel-look': (job, signal) => finding(lookAtSheets(job, signal)),
  'excel-lines': excelLines,
  'avro-type': (job, signal) => finding(findAvroType(job, signal)),
  'avro-lines': avroLines,
  'json-shape': (job) => finding(scanJson(job)),
  'json-misfit': (job, signal) => finding(explainJson(job, signal)),
};

let stopping = new AbortController();
let onRoom: () => void = () => undefined;
let onTheirWay = 0;

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'more') {
    onTheirWay -= 1;
    onRoom();
    return;
  }
  if (message.kind === 'stop') {
    stopping.abort();
    onRoom();
    return;
  }
  onTheirWay = 0;
  stopping = new AbortController();
  const perform = PERFORM[message.name] as (job: unknown, signal: AbortSignal) => AsyncGenerator<Uint8Array, unknown>; // a job of its name
  sendAll(perform(message.job, stopping.signal), stopping.signal).catch((thrown: unknown) => end(failureOf(thrown)));
});

async function sendAll(pieces: AsyncGenerator<Uint8Array, unknown>, signal: AbortSignal): Promise<void> {
  for (;;) {
    if (signal.aborted) {
      await pieces.return(undefined);
      return end({ kind: 'end', found: undefined });
    }
    const { done, value } = await pieces.next();
    if (done === true) return end({ kind: 'end', found: value });
    send({ kind: 'piece', bytes: value });
    onTheirWay += 1;
    const { promise, resolve } = Promise.withResolvers<void>();
    onRoom = resolve;
    if (onTheirWay >= MOST_PIECES) await promise;
  }
}

/** A job without pieces. */
async function* finding<Found>(found: Promise<Found>): AsyncGenerator<Uint8Array, Found> {
  yield* NO_PIECES;
  return found;
}

const NO_PIECES: readonly Uint8Array[] = [];

function end(outcome: Outcome): void {
  send({ ...outcome, heapBytes: getHeapStatistics().total_heap_size });
}

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

function failureOf(thrown: unknown): Outcome {
  if (!isReadFailure(thrown))
    return { kind: 'broken', reason: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  const { failureClass, message, sourcePath } = thrown;
  return { kind: 'failed', failureClass, message, ...(sourcePath === undefined ? {} : { sourcePath }) };
}
