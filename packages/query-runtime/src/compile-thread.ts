import { Worker } from 'node:worker_threads';

import { invalidQuery } from '@svc/errors';
import { EngineFailure } from '@svc/query-engine';
import { createSourceText, type Need } from '@svc/query-language';
import type { ResolvedRead } from '@svc/sources';

import { Admission } from './admission.ts';
import type { FromThread, Job, Jobs, ToThread } from './compile-job.ts';
import type { CheckWorld } from './complete-check.ts';

/** Maximum working time of a program in the thread; waiting does not count. */
const MOST_MILLIS = 5000;
const MEMORY_MEGABYTES = 1024;
/** About that of the event loop, Node keeping a fifth of it for itself: a program may be as deep wherever it is compiled. */
const STACK_MEGABYTES = 1.2;
const ADVICE = 'move large collections into a table or a file, and split what remains into several queries';
const WAIT_MILLIS = 60_000;
const MOST_WAITING = 64;
/** An idle thread ends and releases its memory. */
const IDLE_MILLIS = 30_000;

/** The source if Node strips types, else the built file. */
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './compile-worker.ts' : './compile-worker.js', import.meta.url);

/** Caller of a compilation, and the resolver of its needs. */
export interface Commission {
  readonly world: CheckWorld;
  readonly subject: string;
  /** Called for each resolved read. */
  readonly onRead?: (key: string, read: ResolvedRead) => void;
}

/**
 * Compiles programs that are too large for the event loop in a thread: one at a time, in turns among callers. The thread
 * exists while it is needed. A job that takes too long, or is abandoned, ends with its thread.
 */
export class CompileThread {
  readonly #mostMillis: number;
  readonly #places = new Admission({ concurrency: 1, concurrencyPerSubject: 1, waitMillis: WAIT_MILLIS, maxWaiting: MOST_WAITING });
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor({ mostMillis = MOST_MILLIS }: { readonly mostMillis?: number } = {}) {
    this.#mostMillis = mostMillis;
  }

  /** Throws a QueryFailure with all that is wrong, an interrupted EngineFailure when the world's signal is aborted. */
  async run<J extends Job>(job: J, commission: Commission): Promise<Jobs[J['kind']]['found']> {
    const { signal } = commission.world;
    const leave = await this.#places.enter(commission.subject, signal).catch((thrown: unknown) => {
      throw signal.aborted ? interrupted() : thrown;
    });
    try {
      return (await this.#perform(job, commission)) as Jobs[J['kind']]['found']; // a job finds what is of its kind
    } finally {
      leave();
    }
  }

  /** Ends the thread and its current job. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #perform(job: Job, { world, onRead }: Commission): Promise<unknown> {
    const worker = this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const giveUp = (reason: unknown): void => {
      reject(reason);
      this.#end(worker);
    };
    const cancel = (): void => giveUp(interrupted());
    const tooLong = (): void => giveUp(tooLarge(job.text, `compiling it takes more than ${this.#mostMillis / 1000} s: ${ADVICE}`));
    const limit = new WorkLimit(this.#mostMillis, tooLong);
    const onMessage = (message: FromThread): void => {
      if (message.kind === 'found') resolve(message.found);
      else if (message.kind === 'invalid') reject(invalidQuery(message.errors));
      else if (message.kind === 'failed') reject(new Error(message.reason));
      else if (message.kind === 'begun') limit.goOn();
      else {
        limit.pause();
        answer(message.needs, world, onRead)
          .then((found) => {
            limit.goOn();
            worker.postMessage({ kind: 'answer', id: message.id, answer: found } satisfies ToThread);
          })
          .catch(reject);
      }
    };
    const onError = (error: unknown): void =>
      giveUp(isOutOfMemory(error) ? tooLarge(job.text, `compiling it takes more than ${MEMORY_MEGABYTES} MB: ${ADVICE}`) : error);
    const onExit = (): void => giveUp(interrupted());
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    world.signal.addEventListener('abort', cancel, { once: true });
    try {
      if (world.signal.aborted) throw interrupted();
      worker.postMessage({ kind: 'job', job, namespace: world.namespace, hasCatalog: world.catalog !== null } satisfies ToThread);
      return await promise;
    } finally {
      limit.end();
      world.signal.removeEventListener('abort', cancel);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      this.#rest(worker);
    }
  }

  #start(): Worker {
    clearTimeout(this.#idle);
    this.#worker ??= new Worker(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEGABYTES, stackSizeMb: STACK_MEGABYTES } });
    this.#worker.ref();
    return this.#worker;
  }

  /** Marks the thread as idle: it does not keep the process alive, and ends after a while. */
  #rest(worker: Worker): void {
    if (this.#worker !== worker) return;
    worker.unref();
    this.#idle = setTimeout(() => this.#end(worker), IDLE_MILLIS).unref();
  }

  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
    worker.on('error', () => undefined); // it is given up, whatever it says
    void worker.terminate();
  }
}

/** Calls back if the thread has worked too long since its start. Waiting does not count. */
class WorkLimit {
  readonly #onReached: () => void;
  #timer: NodeJS.Timeout | undefined;
  #leftMillis: number;
  #beganAt = 0;
  /** The thread itself is waited for, until it begins. */
  #asked = 1;
  #isOver = false;

  constructor(mostMillis: number, onReached: () => void) {
    this.#leftMillis = mostMillis;
    this.#onReached = onReached;
  }

  pause(): void {
    if (this.#asked === 0) this.#leftMillis -= performance.now() - this.#beganAt;
    this.#asked += 1;
    clearTimeout(this.#timer);
  }

  goOn(): void {
    this.#asked -= 1;
    if (this.#asked > 0 || this.#isOver) return;
    this.#beganAt = performance.now();
    this.#timer = setTimeout(this.#onReached, Math.max(0, this.#leftMillis));
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}

/** Names are resolved together, reads one by one. */
async function answer(needs: readonly Need[], world: CheckWorld, onRead: Commission['onRead']): Promise<unknown> {
  const [first] = needs;
  if (first?.kind !== 'read')
    return world.catalog?.answer(
      world.namespace,
      needs.filter((need) => need.kind !== 'read'),
    );
  const { reading, lease, signal } = world;
  const read = await world.sources.resolve(first, { reading, lease, signal });
  if ('problem' in read) return read;
  onRead?.(first.key, read);
  return asData(read);
}

/** Returns the serializable part of a read: not its functions. */
function asData(read: ResolvedRead): object {
  return Object.fromEntries(Object.entries(read).filter(([, member]) => typeof member !== 'function'));
}

function interrupted(): EngineFailure {
  return new EngineFailure('interrupted', 'the query was cancelled');
}

function tooLarge(text: string, reason: string): Error {
  const span = { start: 0, end: text.length };
  return invalidQuery([{ message: `the program is too large: ${reason}`, positions: [createSourceText(text).positionOf(span)] }]);
}

function isOutOfMemory(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
