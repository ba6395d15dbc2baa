import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';

import { classifyFailure } from '../statements/classify-failure.ts';
import { EngineFailure, type EngineFailureClass } from '../statements/engine-failure.ts';
import type { EngineKind } from './engine-kind.ts';
import type { EngineSession } from './engine-session.ts';
import type { FileSpace } from './file-space.ts';
import type { Place, Places } from './places.ts';

/** How often an interrupt is repeated: one that comes before the statement has begun is forgotten by the engine. */
const INTERRUPT_AGAIN_MILLIS = 20;

/**
 * An engine that ran out of memory or of disk can go on, but what it still holds would be missed by the next: where the disk is full, its
 * spilled files stay as they are until it is closed.
 */
const SPENT: ReadonlySet<EngineFailureClass> = new Set(['out-of-memory', 'spool-full']);

/** In which state an engine comes back: its session can serve the next lease, must be closed, or the engine is broken. */
export type LeaseEnd = 'clean' | 'used' | 'broken';

/** What leases share. */
interface LeaseSurroundings {
  readonly kind: EngineKind;
  readonly fileSpace: FileSpace;
  /** For streams that are made far ahead of their reader. */
  readonly farPlaces: Places;
  readonly onRelease: (end: LeaseEnd) => Promise<void>;
}

/**
 * A connection of an engine, for the one who holds it. One statement at a time; `release` ends what still runs and
 * gives the engine back, with the connection's temporary tables and open stream gone.
 */
export class EngineLease {
  /** Of its engine. */
  readonly kind: EngineKind;
  /** For files that are written with this lease. */
  readonly fileSpace: FileSpace;
  readonly #session: EngineSession;
  readonly #farPlaces: Places;
  readonly #onRelease: (end: LeaseEnd) => Promise<void>;
  #running: Promise<unknown> | null = null;
  #end: LeaseEnd = 'clean';
  #released: Promise<void> | null = null;

  constructor(session: EngineSession, at: LeaseSurroundings) {
    this.kind = at.kind;
    this.fileSpace = at.fileSpace;
    this.#farPlaces = at.farPlaces;
    this.#session = session;
    this.#onRelease = at.onRelease;
  }

  /** Runs one step on the connection, after which this serves no other lease. Otherwise as `step`. */
  async run<T>(signal: AbortSignal, step: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    this.dropSession();
    return this.step(signal, () => step(this.#session.connection));
  }

  /** Prepares a statement that only reads, or finds it prepared: see EngineSession. Otherwise as `step`. */
  async prepare(
    signal: AbortSignal,
    { sql, version }: { readonly sql: string; readonly version: string },
  ): Promise<DuckDBPreparedStatement> {
    return this.step(signal, () => this.#session.prepare(sql, version));
  }

  /**
   * A place for a stream that is made far ahead of its reader, which several threads then make; null where that would
   * be too many, or the engine is not wide.
   */
  takeFarPlace(): Place | null {
    return this.kind === 'wide' ? this.#farPlaces.take() : null;
  }

  /** The connection is left in a state that the next lease must not see, such as an open stream. */
  dropSession(): void {
    if (this.#end === 'clean') this.#end = 'used';
  }

  /**
   * Runs one step of a statement; the signal interrupts it. Fails with an EngineFailure, `interrupted` where the
   * signal was the reason.
   */
  async step<T>(signal: AbortSignal, step: () => Promise<T>): Promise<T> {
    if (this.#released !== null) throw new Error('The lease was given back.');
    if (this.#running !== null) throw new Error('The lease already runs a statement.');
    if (signal.aborted) throw interrupted(signal);
    const running = step();
    this.#running = running;
    const stopWatching = whenAborted(signal, () => this.interrupt());
    try {
      return await running;
    } catch (thrown) {
      this.dropSession();
      if (signal.aborted) throw interrupted(signal);
      const failure = classifyFailure(thrown);
      if (failure.isFatal || SPENT.has(failure.failureClass)) this.#end = 'broken';
      throw failure;
    } finally {
      stopWatching();
      this.#running = null;
    }
  }

  /**
   * Ends a stream in its middle: the files and the memory that it holds are given back now, and not when its result is collected. The
   * engine looks for an interrupt only where it makes rows, so those that wait are taken from it first.
   */
  async endStream(stream: Pick<DuckDBResult, 'fetchChunk'>): Promise<void> {
    this.dropSession();
    while (this.#released === null) {
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
        this.#running = null;
      }
    }
  }

  /** Tells the engine to stop what it does now; the promise of that step then rejects. */
  interrupt(): void {
    this.#session.connection.interrupt();
  }

  /** Ends what runs, closes the connection and lets the next one have the engine. Can be called twice. */
  release(): Promise<void> {
    this.#released ??= this.#close();
    return this.#released;
  }

  async #close(): Promise<void> {
    const running = this.#running;
    if (running !== null) {
      await this.#cutShort(() => running.then(ignore, ignore));
      this.dropSession();
    }
    if (this.#end !== 'clean') this.#session.close();
    await this.#onRelease(this.#end);
  }

  /** Waits for what the engine does, and tells it to stop as long as that takes. */
  async #cutShort<T>(wait: () => Promise<T>): Promise<T> {
    const stop = repeat(() => this.interrupt());
    try {
      return await wait();
    } finally {
      stop();
    }
  }
}

function whenAborted(signal: AbortSignal, act: () => void): () => void {
  let stop = ignore;
  const begin = (): void => {
    stop = repeat(act);
  };
  signal.addEventListener('abort', begin, { once: true });
  return () => {
    signal.removeEventListener('abort', begin);
    stop();
  };
}

function repeat(act: () => void): () => void {
  act();
  const timer = setInterval(act, INTERRUPT_AGAIN_MILLIS);
  return () => clearInterval(timer);
}

function interrupted(signal: AbortSignal): EngineFailure {
  return new EngineFailure('interrupted', 'the query was cancelled', { cause: signal.reason });
}

function ignore(): void {}
