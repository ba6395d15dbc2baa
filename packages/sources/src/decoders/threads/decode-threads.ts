import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { Permits } from '@svc/concurrency';
import { interrupted, ReadFailure } from '@svc/text-formats';

import type { DecodeJobs, FromThread, Outcome, ToThread } from './decode-job.ts';

/** Maximum number of threads. */
const MOST_THREADS = Math.min(4, Math.max(2, Math.ceil(availableParallelism() / 2)));
/** Heap that suffices for any document within the limits of its contents (1.25 million elements: 450 MB). */
const FULL_HEAP_MEGABYTES = 512;
/** Heap with which most files are decoded, which takes some 40 MB. */
const SMALL_HEAP_MEGABYTES = 128;
/** Heap with which a thread can run. */
const LEAST_HEAP_MEGABYTES = 64;
/** The heap is the last resort: V8 turns most allocations beyond it into an error, and ends the process at a few. */
const MOST_HEAP_MEGABYTES = 1024;
/** A thread whose heap has become larger ends with its job, and releases its memory. */
const KEPT_HEAP_BYTES = 64 * 2 ** 20;
/** Maximum time in which an abandoned job ends by itself. */
const STOP_MILLIS = 1000;
/** An idle thread ends and releases its memory. */
const IDLE_MILLIS = 30_000;

/** The source if Node strips types, else the built file. */
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './decode-worker.ts' : './decode-worker.js', import.meta.url);

type Name = keyof DecodeJobs;

/** Who waits for a job. */
export interface Commission {
  /** Callers take turns. */
  readonly caller: string;
  readonly signal: AbortSignal;
}

/** Returns the number of threads among which memory is divided, and the maximum heap of each. */
export function shareHeap(megabytes: number, mostThreads = MOST_THREADS): { readonly threads: number; readonly heapMegabytes: number } {
  const full = Math.floor(megabytes / FULL_HEAP_MEGABYTES);
  const threads = Math.min(mostThreads, Math.max(megabytes >= 2 * SMALL_HEAP_MEGABYTES ? 2 : 1, full));
  const heapMegabytes = Math.floor(Math.min(MOST_HEAP_MEGABYTES, Math.max(LEAST_HEAP_MEGABYTES, megabytes / threads)));
  return { threads, heapMegabytes };
}

/**
 * Decodes files in threads, so that the event loop stays responsive, and a heap overflow fails only the query that reads the
 * file. Threads exist while they are needed, and one caller does not take all of them; an abandoned job ends with its thread.
 */
export class DecodeThreads {
  readonly #permits: Permits;
  readonly #heapMegabytes: number;
  /** Idle threads, with the timers that end them. */
  readonly #idle = new Map<Worker, NodeJS.Timeout>();
  readonly #all = new Set<Worker>();

  /** `megabytes` is the maximum of all heaps together. */
  constructor(megabytes: number) {
    const { threads, heapMegabytes } = shareHeap(megabytes);
    this.#permits = new Permits(threads, Math.max(1, threads - 1));
    this.#heapMegabytes = heapMegabytes;
  }

  /** Returns the result of a job without chunks. Fails with a ReadFailure. */
  async find<Of extends Name>(name: Of, job: DecodeJobs[Of]['job'], commission: Commission): Promise<DecodeJobs[Of]['found']> {
    for (const pieces = this.decode(name, job, commission); ;) {
      const { done, value } = await pieces.next();
      if (done === true) return value;
    }
  }

  /** Yields the chunks of a job, whose bytes move to the thread: the caller has them no longer. Fails with a ReadFailure. */
  async *decode<Of extends Name>(
    name: Of,
    job: DecodeJobs[Of]['job'],
    { caller, signal }: Commission,
  ): AsyncGenerator<Uint8Array, DecodeJobs[Of]['found']> {
    const permit = await this.#permits.take(caller, signal).catch((thrown: unknown) => {
      throw signal.aborted ? interrupted(thrown) : thrown;
    });
    const worker = this.#take();
    let outcome: 'abandoned' | 'large' | 'reusable' = 'abandoned';
    try {
      const messages = on(worker, 'message', { signal, close: ['exit'] });
      worker.postMessage({ kind: 'job', name, job } satisfies ToThread, ownBuffers(job));
      for await (const [message] of messages as AsyncIterable<[FromThread]>) {
        signal.throwIfAborted(); // pieces that came before are still given by the iterator
        if (message.kind === 'piece') {
          yield message.bytes;
          worker.postMessage({ kind: 'more' } satisfies ToThread);
          continue;
        }
        outcome = message.heapBytes <= KEPT_HEAP_BYTES ? 'reusable' : 'large';
        if (message.kind === 'end') return message.found as DecodeJobs[Of]['found']; // a job finds what is of its name
        throw failureOf(message);
      }
      throw interrupted('the thread has ended');
    } catch (thrown) {
      if (signal.aborted) throw interrupted(thrown);
      throw isOutOfMemory(thrown) ? this.#outOfMemory(thrown) : thrown;
    } finally {
      if (outcome === 'abandoned' && (await stopJob(worker))) outcome = 'large';
      if (outcome === 'reusable') this.#rest(worker);
      else if (outcome === 'large') this.#retire(worker);
      else await this.#end(worker);
      permit.release();
    }
  }

  /** Ends the threads and their jobs. */
  async close(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => this.#end(worker)));
  }

  #take(): Worker {
    const [known] = this.#idle.keys();
    const worker = known ?? this.#start();
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    worker.ref();
    return worker;
  }

  #start(): Worker {
    const worker = new Worker(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: this.#heapMegabytes } });
    this.#all.add(worker);
    // The user of the thread is notified of its end; an idle one is replaced.
    worker.on('error', () => void this.#end(worker)).setMaxListeners(0);
    return worker;
  }

  #rest(worker: Worker): void {
    if (!this.#all.has(worker)) return;
    worker.unref();
    this.#idle.set(worker, setTimeout(() => void this.#end(worker), IDLE_MILLIS).unref());
  }

  /** Ends a thread once its job has closed its files: a file that is being opened or closed when a thread is terminated stays open. */
  #retire(worker: Worker): void {
    worker.unref();
    setTimeout(() => void this.#end(worker), STOP_MILLIS).unref();
  }

  async #end(worker: Worker): Promise<void> {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    this.#all.delete(worker);
    await worker.terminate();
  }

  #outOfMemory(cause: unknown): ReadFailure {
    return new ReadFailure('out-of-memory', `decoding the file needs more than the ${this.#heapMegabytes} MB that it may use`, {
      cause,
    });
  }
}

/** Lets an abandoned job end, so that it closes its files. Returns whether it did. */
async function stopJob(worker: Worker): Promise<boolean> {
  if (worker.threadId === -1) return false; // the thread has ended
  const { promise: hasEnded, resolve } = Promise.withResolvers<boolean>();
  worker.on('message', ({ kind }: FromThread) => kind !== 'piece' && resolve(true)).once('exit', () => resolve(false));
  const timer = setTimeout(() => resolve(false), STOP_MILLIS);
  worker.postMessage({ kind: 'stop' } satisfies ToThread);
  try {
    return await hasEnded;
  } finally {
    clearTimeout(timer);
  }
}

function failureOf(message: Extract<Outcome, { kind: 'failed' | 'broken' }>): Error {
  if (message.kind === 'broken') return new Error(`a file could not be decoded: ${message.reason}`);
  return new ReadFailure(message.failureClass, message.message, { sourcePath: message.sourcePath });
}

function isOutOfMemory(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Returns the buffers of the members of a job that share them with nothing else: copying 40 MB takes 50 ms of the event loop. */
function ownBuffers(job: object): ArrayBuffer[] {
  return Object.values(job).flatMap((member: unknown) =>
    member instanceof Uint8Array && member.buffer instanceof ArrayBuffer && member.buffer.byteLength === member.byteLength
      ? [member.buffer]
      : [],
  );
}
