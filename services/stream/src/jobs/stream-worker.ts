import { setTimeout as delay } from 'node:timers/promises';

import type { CatalogReader } from '@svc/catalog';
import { StreamOffsetStore, StreamStore, TableStore, type Database, type StoredStream, type StoredTable } from '@svc/database';
import { isQueryFailure } from '@svc/errors';
import type { NetworkGuard } from '@svc/network-guard';
import type { EnginePool } from '@svc/query-engine';
import { compileTransform, type CompiledTransform } from '@svc/query-runtime';
import type { Logger } from '@svc/service-kit';
import { gatherRows } from '@svc/user-tables';
import type { Vault } from '@svc/vault';

import { findTopic } from '../kafka/find-topic.ts';
import { isKafkaProblem } from '../kafka/kafka-problem.ts';
import { startTopicConsumer, type MessageBatch } from '../kafka/topic-consumer.ts';
import { brokerOfStream } from '../streams/broker-of-stream.ts';
import { fitProblem } from '../streams/fit-type.ts';
import { BackOff } from './back-off.ts';
import { BadRatio } from './bad-ratio.ts';
import { databaseTrouble, isTableGone } from './database-trouble.ts';
import type { Inject } from './injection.ts';
import { JobFailure, RunStopped } from './job-failure.ts';
import { storeBatch, type StoreResult } from './store-batch.ts';
import type { StreamLogWriter } from './stream-log.ts';
import { transformBatch, type TransformedBatch } from './transform-batch.ts';
import type { Turns } from './turns.ts';

/** What the workers of a process share. */
export interface WorkerWorld {
  readonly database: Database;
  /** For batches: a pool of its own. */
  readonly rows: Database;
  readonly catalog: CatalogReader;
  readonly engine: EnginePool;
  readonly guard: NetworkGuard;
  readonly vault: Pick<Vault, 'open'>;
  readonly log: StreamLogWriter;
  /** How many batches are worked on at once. */
  readonly turns: Turns;
  readonly inject: Inject;
  /** Of the latest messages; above it the stream fails. */
  readonly maxBadRatio: number;
  readonly transformTimeoutMillis: number;
  readonly logger: Logger;
}

/** A run of a stream. */
export type StreamRun = Pick<StoredStream, 'id' | 'run'>;

/** What a worker says of itself. */
export interface WorkerStatus {
  readonly isReading: boolean;
  readonly waitsFor: string;
  readonly lags: Readonly<Record<string, number>>;
}

interface Opened {
  readonly stream: StoredStream;
  readonly table: StoredTable;
  readonly transform: CompiledTransform;
}

/** How often the topic is looked at, which may have been made anew. */
const TOPIC_CHECK_MS = 15_000;
/** A topic that is not there may be found again by a cluster that has just started. */
const MISSING_TOPIC_MS = 30_000;

/** Works for a run of a stream in this process, until it is stopped: outages are waited for. */
export class StreamWorker {
  readonly run: StreamRun;
  readonly #world: WorkerWorld;
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;
  readonly #bad = new BadRatio();
  readonly #offsets = new StreamOffsetStore();
  #isReading = false;
  #waitsFor = 'starting';
  #lags: Record<string, number> = {};
  #missingSince: number | null = null;

  constructor(world: WorkerWorld, run: StreamRun) {
    this.#world = world;
    this.run = run;
    this.#done = this.#work();
  }

  status(): WorkerStatus {
    return { isReading: this.#isReading, waitsFor: this.#waitsFor, lags: this.#lags };
  }

  /** Ends the work: 'drain' lets batches that are being stored finish first, 'abort' does not. */
  async stop(how: 'drain' | 'abort'): Promise<void> {
    this.#stop.abort();
    if (how === 'abort') this.#abort.abort(new RunStopped());
    await this.#done;
  }

  async #work(): Promise<void> {
    const backOff = new BackOff();
    while (!this.#stop.signal.aborted) {
      try {
        const opened = await this.#open();
        backOff.reset();
        await this.#consume(opened);
      } catch (thrown) {
        if (!(await this.#goesOn(thrown))) return;
        await backOff.wait(this.#stop.signal).catch(() => undefined); // it is told to stop
      }
    }
  }

  /** Whether it is worth another attempt after a failure; where it is not, the stream has failed or was stopped. */
  async #goesOn(thrown: unknown): Promise<boolean> {
    if (this.#stop.signal.aborted || thrown instanceof RunStopped) return false;
    if (thrown instanceof JobFailure) return !(await this.#fail(thrown.message));
    const trouble = isKafkaProblem(thrown) ? thrown.message : databaseTrouble(thrown);
    if (trouble === null) this.#world.logger.error({ err: thrown, stream: this.run.id }, 'a stream met a fault of ours and tries again');
    this.#wait(trouble === null ? 'an internal fault' : isKafkaProblem(thrown) ? `Kafka: ${trouble}` : `PostgreSQL: ${trouble}`);
    return true;
  }

  /** Whether the stream has failed for good; false where that cannot be written down now. */
  async #fail(reason: string): Promise<boolean> {
    try {
      const { database, log } = this.#world;
      const hasFailed = await new StreamStore(database).change(database.db, this.run, { from: ['running'], state: 'failed', reason });
      if (hasFailed) log.write(this.run.id, 'data', 'WARN', `failed: ${reason}`);
      return true;
    } catch (thrown) {
      this.#wait(`PostgreSQL: ${databaseTrouble(thrown) ?? 'it cannot be worked with'}`);
      return false;
    }
  }

  #wait(waitsFor: string): void {
    if (this.#waitsFor !== waitsFor) this.#world.log.write(this.run.id, 'data', 'WARN', `waits for ${waitsFor}`);
    this.#isReading = false;
    this.#waitsFor = waitsFor;
  }

  #reads(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#waitsFor = '';
    this.#world.log.write(this.run.id, 'data', 'INFO', 'reads');
  }

  async #open(): Promise<Opened> {
    const { database, catalog } = this.#world;
    const stream = await new StreamStore(database).getById(this.run.id);
    if (stream === undefined || stream.run !== this.run.run || stream.state !== 'running') throw new RunStopped();
    const table = await new TableStore(database).get(stream.namespace, stream.name);
    if (table === undefined || table.id !== stream.tableId) throw new JobFailure('The table of the stream is gone.');
    const transform = await this.#compile(stream, catalog);
    const problem = fitProblem(transform.rowType, table.type);
    if (problem !== null) throw new JobFailure(`The transform no longer fits the table: ${problem}.`);
    await this.#checkTopic(stream);
    return { stream, table, transform };
  }

  async #compile({ namespace, settings }: StoredStream, catalog: CatalogReader): Promise<CompiledTransform> {
    try {
      return await compileTransform({ namespace, catalog, signal: this.#stop.signal }, settings.transform);
    } catch (thrown) {
      if (isQueryFailure(thrown)) throw new JobFailure(`The transform is no longer valid: ${thrown.message}.`, thrown);
      throw thrown;
    }
  }

  /** Throws where the topic is not the one that the stream was made for. */
  async #checkTopic(stream: StoredStream): Promise<void> {
    const { topic } = stream.settings;
    try {
      const found = await findTopic({ address: brokerOfStream(stream, this.#world.vault), topic }, this.#world.guard);
      this.#missingSince = null;
      if (found.clusterId !== stream.clusterId)
        throw new JobFailure(`The broker belongs to another cluster than when the stream was created.`);
      if (found.topicId !== stream.topicId)
        throw new JobFailure(`The topic ${topic} was deleted and made anew: create the stream again to read the new one from its start.`);
    } catch (thrown) {
      if (!isKafkaProblem(thrown) || thrown.kind !== 'unknown-topic') throw thrown;
      this.#missingSince ??= performance.now();
      if (performance.now() - this.#missingSince < MISSING_TOPIC_MS) throw thrown;
      throw new JobFailure(`The topic ${topic} no longer exists.`, thrown);
    }
  }

  async #consume(opened: Opened): Promise<void> {
    const { guard, vault } = this.#world;
    const { stream } = opened;
    const { topic, intervalMillis } = stream.settings;
    const consumer = await startTopicConsumer({
      address: brokerOfStream(stream, vault),
      guard,
      topic,
      groupId: stream.groupId,
      intervalMillis,
      signal: this.#abort.signal,
      storedOffset: (partition) => this.#storedOffset(stream, partition),
      onBatch: (batch) => this.#take(opened, batch),
      onAssigned: (partitions) => {
        this.#lags = Object.fromEntries(partitions.map((partition) => [partition, this.#lags[partition] ?? 0]));
        this.#world.log.write(stream.id, 'data', 'DEBUG', `this process reads partitions ${partitions.join(', ') || 'none'}`);
        this.#reads();
      },
      onLag: (partition, lag) => void (this.#lags[partition] = lag),
    });
    try {
      await this.#untilEnded(consumer.ended, stream);
    } finally {
      await consumer.stop();
    }
  }

  /** Until the consumer ends or is to be stopped; meanwhile it is made sure that the topic is still the same. */
  async #untilEnded(ended: Promise<void>, stream: StoredStream): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const over = new AbortController();
      const check = delay(TOPIC_CHECK_MS, 'check' as const, { signal: AbortSignal.any([signal, over.signal]) }).catch(
        () => 'stop' as const,
      );
      try {
        if ((await Promise.race([ended.then(() => 'ended' as const), check])) !== 'check') return;
      } catch (thrown) {
        // What broke the consumer may be that the topic is another one.
        await this.#checkTopic(stream);
        throw thrown;
      } finally {
        over.abort();
      }
      await this.#checkTopic(stream).catch((thrown: unknown) => {
        // The consumer finds out by itself that a broker is away.
        if (thrown instanceof JobFailure) throw thrown;
      });
    }
  }

  async #storedOffset(stream: StoredStream, partition: number): Promise<number | null> {
    const offsets = await this.#offsets.read(this.#world.database.db, stream);
    return offsets.find((one) => one.partition === partition)?.nextOffset ?? null;
  }

  /** Stores a batch, however long the database is away. */
  async #take(opened: Opened, batch: MessageBatch): Promise<'stored' | 'stale'> {
    const { turns } = this.#world;
    const backOff = new BackOff();
    for (let transformed: TransformedBatch | null = null; ;) {
      try {
        const result = await turns.take(batch.signal, async () => {
          transformed ??= await this.#transform(opened, batch);
          return storeBatch({ database: this.#world.rows, stream: opened.stream, inject: this.#world.inject }, transformed, batch);
        });
        this.#reads();
        if (result.kind === 'stale') return 'stale';
        await this.#told(batch, result);
        await this.#world.inject('before-courtesy');
        return 'stored';
      } catch (thrown) {
        if (batch.signal.aborted || thrown instanceof RunStopped || thrown instanceof JobFailure) throw thrown;
        if (isTableGone(thrown)) throw new JobFailure('The table of the stream is gone.', thrown);
        const trouble = databaseTrouble(thrown);
        if (trouble === null) throw thrown;
        this.#wait(`PostgreSQL: ${trouble}`);
        // The partition is read again, here or elsewhere, from what is stored.
        if (batch.isLost()) return 'stale';
        await backOff.wait(batch.signal);
      }
    }
  }

  async #transform({ stream, table, transform }: Opened, batch: MessageBatch): Promise<TransformedBatch> {
    const { engine, transformTimeoutMillis: timeoutMillis, inject } = this.#world;
    await inject('before-transform');
    const caller = { subject: stream.subject, namespace: stream.namespace, scopes: [] };
    const rows = gatherRows(table, { topicId: stream.topicId, partition: batch.partition, isReplay: false });
    return transformBatch({ engine, transform, caller, rows, timeoutMillis }, batch.messages, batch.signal);
  }

  async #told({ partition, messages, next, lost }: MessageBatch, { rows, bad }: Extract<StoreResult, { kind: 'stored' }>): Promise<void> {
    const { log, maxBadRatio } = this.#world;
    const { id } = this.run;
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
