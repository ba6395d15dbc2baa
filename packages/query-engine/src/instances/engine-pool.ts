import { type Permit, Permits } from '@svc/concurrency';

import { EngineFailure, interrupted } from '../statements/engine-failure.ts';
import { openInstance, type EngineInstance } from './engine-instance.ts';
import type { EngineKind } from './engine-kind.ts';
import { EngineLease } from './engine-lease.ts';
import type { EngineOptions } from './engine-options.ts';
import { EngineSession } from './engine-session.ts';
import { FileSpace } from './file-space.ts';
import { watchMemory, type WatchedMemory } from './memory-watch.ts';

/** Maximum number of streams buffered far ahead of their readers: each may take 100 MB besides its engine's memory. */
const FAR_STREAMS = 2;

/** The engines of a process, which are leased one statement's holder at a time. */
export interface EnginePool {
  /**
   * Leases an engine as soon as one is free, in order of arrival. Rejects with EngineFailure `interrupted` if the signal aborts
   * first. Callers limit their number, by an admission or by permits.
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

/** Creates a pool of engines; each is opened when first needed and used again after its connection is closed. */
export function createEnginePool(options: EngineOptions): EnginePool {
  return new Pool(options);
}

class Pool implements EnginePool {
  readonly #options: EngineOptions;
  readonly #fileSpace: FileSpace;
  readonly #memory: WatchedMemory;
  /** One for each lease, also while its engine is opened or closed. */
  readonly #permits: Permits;
  readonly #farPermits = new Permits(FAR_STREAMS);
  readonly #idle: Readonly<Record<EngineKind, EngineInstance[]>> = { wide: [], narrow: [] };
  /** Reusable sessions of engines that are not leased. */
  readonly #sessions = new Map<EngineInstance, EngineSession>();
  readonly #leases = new Set<EngineLease>();
  /** Leases of engines that did not stop. */
  readonly #givenUp = new Set<EngineLease>();
  #closed: Promise<void> | null = null;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#permits = new Permits(options.concurrency);
    this.#fileSpace = new FileSpace({ bytes: options.spoolMegabytes * 2 ** 20, files: options.concurrency });
    this.#memory = { shareMegabytes: options.memoryMegabytes / options.concurrency, leased: () => this.#leases.size };
    process.on('exit', this.#interruptAll);
  }

  lease = async (signal: AbortSignal, kind: EngineKind = 'wide'): Promise<EngineLease> => {
    const permit = await this.#permit(signal);
    let instance: EngineInstance | undefined;
    try {
      // With one thread the kinds are equivalent.
      const openKind = this.#options.threads > 1 ? kind : 'narrow';
      instance = this.#idle[openKind].pop() ?? (await openInstance(this.#options, openKind));
      const session = this.#sessions.get(instance) ?? new EngineSession(await instance.connect());
      this.#sessions.set(instance, session);
      if (this.#closed !== null) throw closedFailure();
      this.#sessions.delete(instance);
      return this.#leaseOf(instance, session, permit);
    } catch (thrown) {
      if (instance !== undefined) await this.#closeInstance(instance);
      permit.release();
      throw thrown;
    }
  };

  load = (): PoolLoad => ({
    leased: this.#leases.size,
    waiting: this.#waiting(),
    givenUp: this.#givenUp.size,
    concurrency: this.#options.concurrency,
  });

  close = (): Promise<void> => {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  };

  async #permit(signal: AbortSignal): Promise<Permit> {
    if (this.#closed !== null) throw closedFailure();
    try {
      return await this.#permits.take(ALL, signal);
    } catch (thrown) {
      throw signal.aborted ? interrupted(signal) : thrown;
    }
  }

  #waiting(): number {
    return this.#permits.waiting().get(ALL) ?? 0;
  }

  #leaseOf(instance: EngineInstance, session: EngineSession, permit: Permit): EngineLease {
    const lease = new EngineLease(session, {
      kind: instance.kind,
      fileSpace: this.#fileSpace,
      notes: instance.notes,
      farPermits: this.#farPermits,
      watchMemory: () => watchMemory(this.#memory),
      onRelease: async (end) => {
        this.#leases.delete(lease);
        if (end === 'clean') this.#sessions.set(instance, session);
        if (end === 'broken' || this.#closed !== null) await this.#closeInstance(instance);
        else this.#idle[instance.kind].push(instance);
        permit.release();
      },
      onGivenUp: (ended) => this.#giveUp(lease, instance, { ended, permit }),
      giveUpMillis: this.#options.giveUpMillis,
    });
    this.#leases.add(lease);
    return lease;
  }

  /**
   * Replaces an engine that does not stop, and closes it when it does. Memory is not reserved twice: only as many engines as
   * the pool has may be abandoned; after that their permits stay taken.
   */
  #giveUp(
    lease: EngineLease,
    instance: EngineInstance,
    { ended, permit }: { readonly ended: Promise<void>; readonly permit: Permit },
  ): void {
    this.#leases.delete(lease);
    this.#options.onGivenUp?.();
    if (this.#givenUp.size < this.#options.concurrency) permit.release();
    this.#givenUp.add(lease);
    void ended.then(async () => {
      this.#givenUp.delete(lease);
      await instance.close();
      permit.release();
    });
  }

  async #closeAll(): Promise<void> {
    process.removeListener('exit', this.#interruptAll);
    while (this.#waiting() > 0) this.#permits.refuseLast(ALL, closedFailure());
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

/** The permits are fair among callers: here all are one, which is served in the order of arrival. */
const ALL = '';

function closedFailure(): EngineFailure {
  return new EngineFailure('interrupted', 'the server is stopping');
}
