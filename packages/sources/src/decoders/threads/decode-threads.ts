import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { EngineFailure } from '@svc/query-engine';

import type { DecodeJobs, FromThread, ToThread } from './decode-job.ts';
import { Places } from './places.ts';

/** How many files are decoded at once; others wait for their turn. */
const AT_ONCE = Math.min(4, Math.max(2, Math.ceil(availableParallelism() / 2)));
/** What a document may hold is limited, and takes less. */
const MEMORY_MEGABYTES = 512;
/** A thread that nobody needs gives its memory back. */
const IDLE_MILLIS = 30_000;

/** Where Node strips the types it runs the source, and else what was built of it. */
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './decode-worker.ts' : './decode-worker.js', import.meta.url);

type Name = keyof DecodeJobs;

/**
 * Decodes files in threads: the event loop stays free, whatever they hold, and a heap that bursts is a failure of the query that reads the
 * file. A thread is there while somebody needs it; one that is not let end what it does, ends with it.
 */
export class DecodeThreads {
  readonly #places: Places;
  readonly #memoryMegabytes: number;
  /** Those that do nothing, with what ends them. */
  readonly #idle = new Map<Worker, NodeJS.Timeout>();
  readonly #all = new Set<Worker>();

  constructor({
    atOnce = AT_ONCE,
    memoryMegabytes = MEMORY_MEGABYTES,
  }: { readonly atOnce?: number; readonly memoryMegabytes?: number } = {}) {
    this.#places = new Places(atOnce);
    this.#memoryMegabytes = memoryMegabytes;
  }

  /** What a job without pieces finds. Fails with an EngineFailure. */
  async find<Of extends Name>(name: Of, job: DecodeJobs[Of]['job'], signal: AbortSignal): Promise<DecodeJobs[Of]['found']> {
    for (const pieces = this.decode(name, job, signal); ;) {
      const { done, value } = await pieces.next();
      if (done === true) return value;
    }
  }

  /** The pieces that a job makes. Fails with an EngineFailure. */
  async *decode<Of extends Name>(
    name: Of,
    job: DecodeJobs[Of]['job'],
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, DecodeJobs[Of]['found']> {
    const leave = await this.#places.enter(signal).catch((thrown: unknown) => {
      throw signal.aborted ? interrupted(thrown) : thrown;
    });
    const worker = this.#take();
    let isOver = false;
    try {
      const messages = on(worker, 'message', { signal, close: ['exit'] });
      worker.postMessage({ kind: 'job', name, job } satisfies ToThread);
      for await (const [message] of messages as AsyncIterable<[FromThread]>) {
        if (message.kind === 'piece') {
          yield message.bytes;
          worker.postMessage({ kind: 'more' } satisfies ToThread);
          continue;
        }
        isOver = true;
        if (message.kind === 'end') return message.found as DecodeJobs[Of]['found']; // a job finds what is of its name
        throw failureOf(message);
      }
      throw interrupted('the thread has ended');
    } catch (thrown) {
      if (signal.aborted) throw interrupted(thrown);
      throw isOutOfMemory(thrown) ? this.#outOfMemory(thrown) : thrown;
    } finally {
      if (isOver) this.#rest(worker);
      else await this.#end(worker);
      leave();
    }
  }

  /** Ends the threads, and with them what they decode. */
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
    // Whoever uses it learns of its end; one that is idle is started anew.
    worker.on('error', () => void this.#end(worker)).setMaxListeners(0);
    return worker;
  }

  #rest(worker: Worker): void {
    if (!this.#all.has(worker)) return;
    worker.unref();
    this.#idle.set(worker, setTimeout(() => void this.#end(worker), IDLE_MILLIS).unref());
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

function failureOf(message: Extract<FromThread, { kind: 'failed' | 'broken' }>): Error {
  if (message.kind === 'broken') return new Error(`a file could not be decoded: ${message.reason}`);
  return new EngineFailure(message.failureClass, message.message, { sourcePath: message.sourcePath });
}

function interrupted(cause: unknown): EngineFailure {
  return new EngineFailure('interrupted', 'the query was cancelled', { cause });
}

function isOutOfMemory(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
