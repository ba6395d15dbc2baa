import { gatherRows } from '@svc/user-tables';

import type { MessageBatch } from '../kafka/topic-consumer.ts';
import { BackOff } from './back-off.ts';
import { BadRatio } from './bad-ratio.ts';
import { databaseTrouble, isTableGone } from './database-trouble.ts';
import { JobFailure, RunStopped } from './job-failure.ts';
import type { OpenedRun } from './open-run.ts';
import { storeBatch, type StoreResult } from './store-batch.ts';
import { transformBatch, type TransformedBatch } from './transform-batch.ts';
import type { StreamRun, WorkerWorld } from './worker-world.ts';

/** Callbacks of a batch worker. */
export interface BatchListener {
  /** Something was stored. */
  readonly reads: () => void;
  readonly waits: (waitsFor: string) => void;
}

/** Stores the batches of a run. */
export class BatchWorker {
  readonly #world: WorkerWorld;
  readonly #run: StreamRun;
  readonly #listener: BatchListener;
  readonly #bad = new BadRatio();

  constructor(world: WorkerWorld, run: StreamRun, listener: BatchListener) {
    this.#world = world;
    this.#run = run;
    this.#listener = listener;
  }

  /**
   * Stores a batch, however long the database is unavailable. Throws JobFailure, RunStopped, the signal's reason, and
   * internal faults.
   */
  async take(opened: OpenedRun, batch: MessageBatch): Promise<'stored' | 'stale'> {
    const { batchPermits, rows: database, inject } = this.#world;
    const backOff = new BackOff();
    for (let transformed: TransformedBatch | null = null; ;) {
      try {
        const permit = await batchPermits.take(opened.stream.namespace, batch.signal);
        const result = await (async () => {
          transformed ??= await this.#transform(opened, batch);
          return storeBatch({ database, stream: opened.stream, inject }, transformed, batch);
        })().finally(permit.release);
        this.#listener.reads();
        if (result.kind === 'stale') return 'stale';
        this.#report(batch, result);
        await inject('before-courtesy');
        return 'stored';
      } catch (thrown) {
        if (batch.signal.aborted || thrown instanceof RunStopped || thrown instanceof JobFailure) throw thrown;
        if (isTableGone(thrown)) throw new JobFailure('The table of the stream is gone.', thrown);
        const trouble = databaseTrouble(thrown);
        if (trouble === null) throw thrown;
        this.#listener.waits(`PostgreSQL: ${trouble}`);
        // The partition is read again, by this process or another, from the stored offset.
        if (batch.isLost()) return 'stale';
        await backOff.wait(batch.signal);
      }
    }
  }

  async #transform({ stream, table, transform }: OpenedRun, batch: MessageBatch): Promise<TransformedBatch> {
    const { engine, transformTimeoutMillis: timeoutMillis, inject } = this.#world;
    await inject('before-transform');
    const caller = { subject: stream.subject, namespace: stream.namespace, scopes: [] };
    const rows = gatherRows(table, {
      fields: transform.rowType.fields.map(({ name }) => name),
      topicId: stream.topicId,
      partition: batch.partition,
      isReplay: false,
    });
    return transformBatch({ engine, transform, caller, rows, timeoutMillis }, batch.messages, batch.signal);
  }

  /** Writes the log; throws JobFailure if too many messages were bad. */
  #report({ partition, messages, next, lost }: MessageBatch, { rows, bad }: Extract<StoreResult, { kind: 'stored' }>): void {
    const { log, maxBadRatio } = this.#world;
    const { id } = this.#run;
    log.write(id, 'data', 'DEBUG', `partition ${partition}: ${rows} rows stored up to offset ${next - 1}`);
    if (lost > 0) log.write(id, 'data', 'WARN', `partition ${partition}: ${lost} messages were dropped by the topic before they were read`);
    const [first] = bad;
    if (first !== undefined)
      log.write(
        id,
        'data',
        'WARN',
        `partition ${partition}: ${bad.length} messages could not be stored, the first at offset ${first.offset}: ${first.reason}`,
      );
    this.#bad.add(messages.length, bad.length);
    if (this.#bad.value() > maxBadRatio) throw new JobFailure(`Too many messages could not be stored: ${this.#bad.describe()}.`);
  }
}
