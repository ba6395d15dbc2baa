import type { DuckDBConnection } from '@duckdb/node-api';

import { classifyFailure } from '../statements/classify-failure.ts';
import { EngineFailure } from '../statements/engine-failure.ts';

/** How often an interrupt is repeated: one that comes before the statement has begun is forgotten by the engine. */
const INTERRUPT_AGAIN_MILLIS = 20;

/**
 * A connection of an engine, for the one who holds it. One statement at a time; `release` ends what still runs and
 * gives the engine back, with the connection's temporary tables and open stream gone.
 */
export class EngineLease {
  readonly connection: DuckDBConnection;
  readonly #onRelease: (hasBroken: boolean) => Promise<void>;
  #running: Promise<unknown> | null = null;
  #hasBroken = false;
  #released: Promise<void> | null = null;

  constructor(connection: DuckDBConnection, onRelease: (hasBroken: boolean) => Promise<void>) {
    this.connection = connection;
    this.#onRelease = onRelease;
  }

  /**
   * Runs one step of a statement; the signal interrupts it. Fails with an EngineFailure, `interrupted` where the
   * signal was the reason.
   */
  async run<T>(signal: AbortSignal, step: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.#released !== null) throw new Error('The lease was given back.');
    if (this.#running !== null) throw new Error('The lease already runs a statement.');
    if (signal.aborted) throw interrupted(signal);
    const running = step(this.connection);
    this.#running = running;
    const stopWatching = whenAborted(signal, () => this.interrupt());
    try {
      return await running;
    } catch (thrown) {
      if (signal.aborted) throw interrupted(signal);
      const failure = classifyFailure(thrown);
      this.#hasBroken ||= failure.isFatal;
      throw failure;
    } finally {
      stopWatching();
      this.#running = null;
    }
  }

  /** Tells the engine to stop what it does now; the promise of that step then rejects. */
  interrupt(): void {
    this.connection.interrupt();
  }

  /** Ends what runs, closes the connection and lets the next one have the engine. Can be called twice. */
  release(): Promise<void> {
    this.#released ??= this.#close();
    return this.#released;
  }

  async #close(): Promise<void> {
    const running = this.#running;
    if (running !== null) {
      const stop = repeat(() => this.interrupt());
      await running.then(ignore, ignore);
      stop();
    }
    this.connection.closeSync();
    await this.#onRelease(this.#hasBroken);
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
