import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { EngineFailure } from '@svc/query-engine';

import type { DecodeJobs, FromThread, Outcome, ToThread } from './decode-job.ts';
import { Places } from './places.ts';

/** Number of files decoded concurrently; others wait in turn. */
const AT_ONCE = Math.min(4, Math.max(2, Math.ceil(availableParallelism() / 2)));
/**
 * More than twice what the limits of a document's contents let it take (1.25 million elements: 450 MB). It is the last resort: V8 turns
 * most allocations beyond it into an error, and ends the process at a few.
 */
const MEMORY_MEGABYTES = 1024;
/** A thread whose heap has become larger ends with its job, and releases its memory. */
const KEPT_HEAP_BYTES = 64 * 2 ** 20;
/** Maximum time in which an abandoned job ends by itself. */
const STOP_MILLIS = 1000;
/** An idle thread ends and releases its memory. */
const IDLE_MILLIS = 30_000;

/** The source if Node strips types, else the built file. */
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './decode-worker.ts' : './decode-worker.js', import.meta.url);

type Name = keyof DecodeJobs;

/**
 * Decodes files in threads, so that the event loop stays responsive, and a heap overflow fails only the query that reads the
 * file. Threads exist while they are needed; an abandoned job ends with its thread.
 */
export class DecodeThreads {
  readonly #places: Places;
  readonly #memoryMegabytes: number;
  /** Idle threads, with the timers that end them. */
  readonly #idle = new Map<Worker, NodeJS.Timeout>();
  readonly #all = new Set<Worker>();

  constructor({
    atOnce = AT_ONCE,
    memoryMegabytes = MEMORY_MEGABYTES,
  }: { readonly atOnce?: number; readonly memoryMegabytes?: number } = {}) {
    this.#places = new Places(atOnce);
    this.#memoryMegabytes = memoryMegabytes;
  }

  /** Returns the result of a job without chunks. Fails with an EngineFailure. */
  async find<Of extends Name>(name: Of, job: DecodeJobs[Of]['job'], signal: AbortSignal): Promise<DecodeJobs[Of]['found']> {
    for (const pieces = this.decode(name, job, signal); ;) {
      const { done, value } = await pieces.next();
      if (done === true) return value;
    }
  }

  /** Yields the chunks of a job. Fails with an EngineFailure. */
  async *decode<Of extends Name>(
    name: Of,
    job: DecodeJobs[Of]['job'],
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, DecodeJobs[Of]['found']> {
    const leave = await this.#places.enter(signal).catch((thrown: unknown) => {
      throw signal.aborted ? interrupted(thrown) : thrown;
    });
    const worker = this.#take();
    let outcome: 'abandoned' | 'large' | 'reusable' = 'abandoned';
    try {
      const messages = on(worker, 'message', { signal, close: ['exit'] });
      worker.postMessage({ kind: 'job', name, job } satisfies ToThread);
      for await (const [message] of messages as AsyncIterable<[FromThread]>) {
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
      leave();
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
    const worker = new Worker(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: this.#memoryMegabytes } });
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

  #outOfMemory(cause: unknown): EngineFailure {
    return new EngineFailure('out-of-memory', `decoding the file needs more than the ${this.#memoryMegabytes} MB that it may use`, {
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
  return new EngineFailure(message.failureClass, message.message, { sourcePath: message.sourcePath });
}

function interrupted(cause: unknown): EngineFailure {
  return new EngineFailure('interrupted', 'the query was cancelled', { cause });
}

function isOutOfMemory(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
