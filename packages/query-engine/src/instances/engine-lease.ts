import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';

import type { Permit, Permits } from '@svc/concurrency';
import { classifyFailure } from '../statements/classify-failure.ts';
import { interrupted, type EngineFailureClass } from '../statements/engine-failure.ts';
import type { EngineKind } from './engine-kind.ts';
import type { EngineSession } from './engine-session.ts';
import type { FailureNotes } from './failure-notes.ts';
import type { FileSpace } from './file-space.ts';
import type { MemoryWatch } from './memory-watch.ts';

/** Interval at which an interrupt is repeated: the engine drops one that arrives before the statement has started. */
const INTERRUPT_AGAIN_MILLIS = 20;

/**
 * After it ran out of memory or disk, an engine could continue, but would not release what it holds: its spilled files stay
 * until it is closed.
 */
const SPENT: ReadonlySet<EngineFailureClass> = new Set(['out-of-memory', 'spool-full']);

/** Time for an engine to stop after its first interrupt: some functions do not check for interrupts while they process one value. */
const GIVE_UP_MILLIS = 5000;

/** State of a returned engine: its session can serve the next lease, must be closed, or the engine is broken. */
export type LeaseEnd = 'clean' | 'used' | 'broken';

/** Collaborators shared by leases. */
interface LeaseSurroundings {
  readonly kind: EngineKind;
  readonly fileSpace: FileSpace;
  readonly notes: FailureNotes;
  /** Permits for streams buffered far ahead of their reader. */
  readonly farPermits: Permits;
  readonly watchMemory: () => MemoryWatch;
  readonly onRelease: (end: LeaseEnd) => Promise<void>;
  /** Called instead of `onRelease` if the engine does not stop; `ended` settles when it does, and the session is closed. */
  readonly onGivenUp: (ended: Promise<void>) => void;
  /** For tests. Default 5 s. */
  readonly giveUpMillis?: number | undefined;
}

/**
 * A connection of an engine, for its holder. One statement at a time; `release` ends what is still running and returns the
 * engine, with the connection's temporary tables and open stream removed.
 */
export class EngineLease {
  /** Kind of its engine. */
  readonly kind: EngineKind;
  /** Spool space of files written with this lease. */
  readonly fileSpace: FileSpace;
  /** Failures that its statements note. */
  readonly notes: FailureNotes;
  /** Starts a watch over a statement whose memory the engine does not count. The statement must run with the watch's signal. */
  readonly watchMemory: () => MemoryWatch;
  readonly #session: EngineSession;
  readonly #at: LeaseSurroundings;
  #isGivenUp = false;
  #running: Promise<unknown> | null = null;
  #end: LeaseEnd = 'clean';
  #released: Promise<void> | null = null;

  constructor(session: EngineSession, at: LeaseSurroundings) {
    this.kind = at.kind;
    this.fileSpace = at.fileSpace;
    this.notes = at.notes;
    this.watchMemory = at.watchMemory;
    this.#session = session;
    this.#at = at;
  }

  /** True after a failure that the engine does not survive: it fails whatever runs on it, and is replaced when it is released. */
  get isBroken(): boolean {
    return this.#end === 'broken';
  }

  /** Runs one step on the connection, after which this serves no other lease. Otherwise as `step`. */
  async run<T>(signal: AbortSignal, step: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    this.dropSession();
    return this.step(signal, () => step(this.#session.connection));
  }

  /** Prepares a read-only statement, or returns it if it is prepared: see EngineSession. Otherwise like `step`. */
  async prepare(
    signal: AbortSignal,
    { sql, version }: { readonly sql: string; readonly version: string },
  ): Promise<DuckDBPreparedStatement> {
    return this.step(signal, () => this.#session.prepare(sql, version));
  }

  /**
   * Takes a permit for a stream buffered far ahead of its reader, which several threads produce; null if too many are taken,
   * or the engine is not wide.
   */
  takeFarPermit(): Permit | null {
    return this.kind === 'wide' ? this.#at.farPermits.tryTake() : null;
  }

  /** Marks the connection's state as unusable for the next lease, for example after an open stream. */
  dropSession(): void {
    if (this.#end === 'clean') this.#end = 'used';
  }

  /**
   * Runs one step of a statement; the signal interrupts it. Fails with an EngineFailure, `interrupted` if the signal caused
   * it, also if the engine does not stop in time: the lease cannot be used afterwards.
   */
  async step<T>(signal: AbortSignal, step: () => Promise<T>): Promise<T> {
    if (this.#released !== null) throw new Error('The lease was given back.');
    if (this.#running !== null) throw new Error('The lease already runs a statement.');
    if (signal.aborted) throw interrupted(signal);
    const running = step();
    this.#running = running;
    const interruption = this.#interruption();
    signal.addEventListener('abort', interruption.begin, { once: true });
    try {
      return await Promise.race([running, interruption.givenUp]);
    } catch (thrown) {
      this.dropSession();
      if (signal.aborted) throw interrupted(signal);
      const failure = classifyFailure(thrown);
      if (failure.isFatal || SPENT.has(failure.failureClass)) this.#end = 'broken';
      throw failure;
    } finally {
      signal.removeEventListener('abort', interruption.begin);
      interruption.end();
      if (!this.#isGivenUp) this.#running = null;
    }
  }

  /**
   * Ends a stream before its last row: its files and memory are released now, not when its result is garbage-collected. The
   * engine checks for interrupts only while it produces rows, so buffered ones are fetched first.
   */
  async endStream(stream: Pick<DuckDBResult, 'fetchChunk'>): Promise<void> {
    this.dropSession();
    while (this.#released === null && !this.#isGivenUp) {
      try {
        const chunk = await this.#cutShort(async () => {
          await this.#running?.then(ignore, ignore);
          return (this.#running = stream.fetchChunk());
        });
        if (chunk === null || chunk.rowCount === 0) return;
        chunk.reset();
      } catch {
        return;
      } finally {
        if (!this.#isGivenUp) this.#running = null;
      }
    }
  }

  /** Interrupts the engine; the promise of the current step rejects. */
  interrupt(): void {
    this.#session.connection.interrupt();
  }

  /** Ends what is running, closes the connection and returns the engine to the pool. Idempotent. */
  release(): Promise<void> {
    this.#released ??= this.#close();
    return this.#released;
  }

  async #close(): Promise<void> {
    const running = this.#running;
    if (running !== null) {
      if (!this.#isGivenUp) await this.#cutShort(() => running.then(ignore, ignore)).catch(ignore);
      this.dropSession();
      if (this.#isGivenUp) return this.#at.onGivenUp(this.#endLater(running));
    }
    if (this.#end !== 'clean') this.#session.close();
    await this.#at.onRelease(this.#end);
  }

  /** Waits for an abandoned engine to stop, then closes its session. */
  async #endLater(running: Promise<unknown>): Promise<void> {
    const stop = repeat(() => this.interrupt());
    await running.then(ignore, ignore);
    stop();
    this.#session.close();
  }

  /** Waits for the engine while interrupting it; fails if it does not stop. */
  async #cutShort<T>(wait: () => Promise<T>): Promise<T> {
    const interruption = this.#interruption();
    interruption.begin();
    try {
      return await Promise.race([wait(), interruption.givenUp]);
    } finally {
      interruption.end();
    }
  }

  #interruption(): Interruption {
    const { promise: givenUp, reject } = Promise.withResolvers<never>();
    let stop = ignore;
    let timer: NodeJS.Timeout | undefined;
    return {
      begin: () => {
        stop = repeat(() => this.interrupt());
        timer = setTimeout(() => {
          this.#isGivenUp = true;
          reject(new Error('The engine does not stop.'));
        }, this.#at.giveUpMillis ?? GIVE_UP_MILLIS);
      },
      givenUp,
      end: () => {
        stop();
        clearTimeout(timer);
      },
    };
  }
}

/** Interrupts of a running statement, repeated from `begin` to `end`. */
interface Interruption {
  readonly begin: () => void;
  /** Rejects if the engine does not stop in time. The lease is then given up. */
  readonly givenUp: Promise<never>;
  readonly end: () => void;
}

function repeat(act: () => void): () => void {
  act();
  const timer = setInterval(act, INTERRUPT_AGAIN_MILLIS);
  return () => clearInterval(timer);
}

function ignore(): void {}
