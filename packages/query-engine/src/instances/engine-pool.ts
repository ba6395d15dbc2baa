import { Permits } from '@svc/concurrency';
import { EngineFailure } from '../statements/engine-failure.ts';
import { openInstance, type EngineInstance } from './engine-instance.ts';
import type { EngineKind } from './engine-kind.ts';
import { EngineLease } from './engine-lease.ts';
import type { EngineOptions } from './engine-options.ts';
import { EngineSession } from './engine-session.ts';
import { FileSpace } from './file-space.ts';
import { watchMemory, type WatchedMemory } from './memory-watch.ts';

const DEFAULT_MAX_WAITING = 1000;
/** Maximum number of streams buffered far ahead of their readers: each may take 100 MB besides its engine's memory. */
const FAR_STREAMS = 2;

/** The engines of a process, which are leased one statement's holder at a time. */
export interface EnginePool {
  /**
   * Leases an engine as soon as one is free, in order of arrival. A waiting caller may get one of another kind. Rejects with
   * EngineFailure `interrupted` if the signal aborts first, with EnginePoolBusy if too many wait.
   */
  readonly lease: (signal: AbortSignal, kind?: EngineKind) => Promise<EngineLease>;
  /** Leases given out, callers that wait, and engines that were given up and still work. */
  readonly load: () => PoolLoad;
  /** Ends running statements, rejects waiting callers, closes the engines. */
  readonly close: () => Promise<void>;
}

/** Load of a pool. */
export interface PoolLoad {
  readonly leased: number;
  readonly waiting: number;
  readonly givenUp: number;
  readonly concurrency: number;
}

/** More wait for an engine than the pool lets wait. */
export class EnginePoolBusy extends Error {
  constructor() {
    super('Too many queries wait for an engine.');
    this.name = 'EnginePoolBusy';
  }
}

interface Waiter {
  readonly admit: (instance: EngineInstance) => void;
  readonly refuse: (reason: Error) => void;
}

/** Creates a pool of engines; each is opened when first needed and used again after its connection is closed. */
export function createEnginePool(options: EngineOptions): EnginePool {
  return new Pool(options);
}

class Pool implements EnginePool {
  readonly #options: EngineOptions;
  readonly #fileSpace: FileSpace;
  readonly #memory: WatchedMemory;
  readonly #farPermits = new Permits(FAR_STREAMS);
  readonly #idle: Readonly<Record<EngineKind, EngineInstance[]>> = { wide: [], narrow: [] };
  /** Reusable sessions of engines that are not leased. */
  readonly #sessions = new Map<EngineInstance, EngineSession>();
  readonly #leases = new Set<EngineLease>();
  readonly #waiters = new Set<Waiter>();
  /** Leases of engines that did not stop: others have their places. */
  readonly #givenUp = new Set<EngineLease>();
  /** Number of engines that are leased, or being opened for a lease. */
  #taken = 0;
  #closed: Promise<void> | null = null;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#fileSpace = new FileSpace({ bytes: options.spoolMegabytes * 2 ** 20, files: options.concurrency });
    this.#memory = { shareMegabytes: options.memoryMegabytes / options.concurrency, leased: () => this.#leases.size };
    process.on('exit', this.#interruptAll);
  }

  lease = async (signal: AbortSignal, kind: EngineKind = 'wide'): Promise<EngineLease> => {
    // With one thread the kinds are equivalent.
    const instance = await this.#instance(signal, this.#options.threads > 1 ? kind : 'narrow');
    try {
      const session = this.#sessions.get(instance) ?? new EngineSession(await instance.connect());
      this.#sessions.delete(instance);
      const lease = new EngineLease(session, {
        kind: instance.kind,
        fileSpace: this.#fileSpace,
        notes: instance.notes,
        farPermits: this.#farPermits,
        watchMemory: () => watchMemory(this.#memory),
        onRelease: async (end) => {
          this.#leases.delete(lease);
          if (end === 'clean') this.#sessions.set(instance, session);
          await this.#giveBack(instance, end === 'broken');
        },
        onGivenUp: (ended) => this.#giveUp(lease, instance, ended),
        ...(this.#options.giveUpMillis === undefined ? {} : { giveUpMillis: this.#options.giveUpMillis }),
      });
      this.#leases.add(lease);
      if (this.#closed !== null) {
        await lease.release();
        throw closedFailure();
      }
      return lease;
    } catch (thrown) {
      if (!(thrown instanceof EngineFailure)) await this.#giveBack(instance, true);
      throw thrown;
    }
  };

  load = (): PoolLoad => ({
    leased: this.#leases.size,
    waiting: this.#waiters.size,
    givenUp: this.#givenUp.size,
    concurrency: this.#options.concurrency,
  });

  close = (): Promise<void> => {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  };

  async #instance(signal: AbortSignal, kind: EngineKind): Promise<EngineInstance> {
    if (this.#closed !== null) throw closedFailure();
    if (signal.aborted) throw new EngineFailure('interrupted', 'the query was cancelled', { cause: signal.reason });
    if (this.#taken < this.#options.concurrency) return this.#take(kind);
    if (this.#waiters.size >= (this.#options.maxWaiting ?? DEFAULT_MAX_WAITING)) throw new EnginePoolBusy();
    return this.#wait(signal);
  }

  async #take(kind: EngineKind): Promise<EngineInstance> {
    this.#taken++;
    try {
      return this.#idle[kind].pop() ?? (await openInstance(this.#options, kind));
    } catch (thrown) {
      this.#taken--;
      throw thrown;
    }
  }

  #wait(signal: AbortSignal): Promise<EngineInstance> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        admit: (instance) => {
          leave();
          resolve(instance);
        },
        refuse: (reason) => {
          leave();
          reject(reason);
        },
      };
      const abort = (): void => waiter.refuse(new EngineFailure('interrupted', 'the query was cancelled', { cause: signal.reason }));
      signal.addEventListener('abort', abort, { once: true });
      this.#waiters.add(waiter);
    });
  }

  /** Releases an engine to the caller that has waited longest. */
  async #giveBack(instance: EngineInstance, hasBroken: boolean): Promise<void> {
    const isUsable = !hasBroken && this.#closed === null;
    if (isUsable) this.#idle[instance.kind].push(instance);
    else await this.#closeInstance(instance);
    this.#taken--;
    await this.#admitNext(isUsable ? instance.kind : 'wide');
  }

  /** Gives a free engine to the caller that has waited longest. */
  async #admitNext(kind: EngineKind): Promise<void> {
    if (this.#closed !== null || this.#waiters.size === 0) return;
    const admitted = await this.#take(kind).catch(asError);
    const [next] = this.#waiters;
    if (admitted instanceof Error) next?.refuse(admitted);
    else if (next === undefined) await this.#giveBack(admitted, false);
    else next.admit(admitted);
  }

  /**
   * Replaces an engine that does not stop, and closes it when it does. Memory is not reserved twice: only as many engines as
   * the pool has may be abandoned; after that their slots stay taken.
   */
  #giveUp(lease: EngineLease, instance: EngineInstance, ended: Promise<void>): void {
    this.#leases.delete(lease);
    this.#options.onGivenUp?.();
    const isReplaced = this.#givenUp.size < this.#options.concurrency;
    this.#givenUp.add(lease);
    if (isReplaced) this.#freePlace();
    void ended.then(async () => {
      this.#givenUp.delete(lease);
      await instance.close();
      if (!isReplaced) this.#freePlace();
    });
  }

  #freePlace(): void {
    this.#taken--;
    void this.#admitNext('wide');
  }

  async #closeAll(): Promise<void> {
    process.removeListener('exit', this.#interruptAll);
    for (const waiter of this.#waiters) waiter.refuse(closedFailure());
    await Promise.all([...this.#leases].map((lease) => lease.release()));
    const idle = Object.values(this.#idle).flatMap((instances) => instances.splice(0));
    await Promise.all(idle.map((instance) => this.#closeInstance(instance)));
  }

  async #closeInstance(instance: EngineInstance): Promise<void> {
    this.#sessions.get(instance)?.close();
    this.#sessions.delete(instance);
    await instance.close();
  }

  /** A process that exits while a statement runs would hang at full load. */
  readonly #interruptAll = (): void => {
    for (const lease of [...this.#leases, ...this.#givenUp]) lease.interrupt();
  };
}

function closedFailure(): EngineFailure {
  return new EngineFailure('interrupted', 'the server is stopping');
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
