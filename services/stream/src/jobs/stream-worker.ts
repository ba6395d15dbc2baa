import { setTimeout as delay } from 'node:timers/promises';

import { StreamOffsetStore, StreamStore, type StoredStream } from '@svc/database';

import { isKafkaProblem } from '../kafka/kafka-problem.ts';
import { startTopicConsumer } from '../kafka/topic-consumer.ts';
import { brokerOfStream } from '../streams/broker-of-stream.ts';
import { BackOff } from './back-off.ts';
import { BatchWorker } from './batch-worker.ts';
import { databaseTrouble } from './database-trouble.ts';
import { JobFailure, RunStopped } from './job-failure.ts';
import { openRun, type OpenedRun } from './open-run.ts';
import { TopicWatch } from './topic-watch.ts';
import type { StreamRun, WorkerWorld } from './worker-world.ts';

/** Status of a worker. */
export interface WorkerStatus {
  readonly isReading: boolean;
  readonly waitsFor: string;
  readonly lags: Readonly<Record<string, number>>;
}

/** Interval at which the topic is checked for having been recreated. */
const TOPIC_CHECK_MS = 15_000;

/** Works for a run of a stream in this process, until it is stopped: outages are waited for. */
export class StreamWorker {
  readonly run: StreamRun;
  readonly #world: WorkerWorld;
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;
  readonly #batches: BatchWorker;
  readonly #topic: TopicWatch;
  readonly #offsets = new StreamOffsetStore();
  readonly #backOff = new BackOff();
  #isReading = false;
  #waitsFor = 'its start';
  #lags: Record<string, number> = {};

  constructor(world: WorkerWorld, run: StreamRun) {
    this.#world = world;
    this.run = run;
    this.#topic = new TopicWatch(world);
    this.#batches = new BatchWorker(world, run, { reads: () => this.#reads(), waits: (waitsFor) => this.#wait(waitsFor) });
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
    while (!this.#stop.signal.aborted) {
      try {
        const opened = await openRun(this.#world, this.run, this.#stop.signal);
        await this.#topic.check(opened.stream);
        await this.#consume(opened);
      } catch (thrown) {
        if (!(await this.#goesOn(thrown))) return;
        await this.#backOff.wait(this.#stop.signal).catch(() => undefined); // it is told to stop
      }
    }
  }

  /** Returns whether to retry after a failure; if not, the stream has failed or was stopped. */
  async #goesOn(thrown: unknown): Promise<boolean> {
    if (this.#stop.signal.aborted || thrown instanceof RunStopped) return false;
    if (thrown instanceof JobFailure) return !(await this.#fail(thrown.message));
    const trouble = isKafkaProblem(thrown) ? thrown.message : databaseTrouble(thrown);
    if (trouble === null) this.#world.logger.error({ err: thrown, stream: this.run.id }, 'a stream met a fault of ours and tries again');
    this.#wait(trouble === null ? 'an internal fault' : isKafkaProblem(thrown) ? `Kafka: ${trouble}` : `PostgreSQL: ${trouble}`);
    return true;
  }

  /** Marks the stream as failed and returns true; false if that cannot be stored now. */
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

  async #consume(opened: OpenedRun): Promise<void> {
    const { guard, vault, sessionMillis } = this.#world;
    const { stream } = opened;
    const { topic, intervalMillis } = stream.settings;
    let silence = '';
    const consumer = await startTopicConsumer({
      address: brokerOfStream(stream, vault),
      guard,
      topic,
      topicId: stream.topicId,
      groupId: stream.groupId,
      intervalMillis,
      sessionMillis,
      signal: this.#abort.signal,
      storedOffset: (partition) => this.#storedOffset(stream, partition),
      onBatch: async (batch) => {
        const outcome = await this.#batches.take(opened, batch);
        this.#backOff.reset();
        return outcome;
      },
      onAssigned: (partitions) => {
        this.#lags = Object.fromEntries(partitions.map((partition) => [partition, this.#lags[partition] ?? 0]));
        this.#world.log.write(stream.id, 'data', 'DEBUG', `this process reads partitions ${partitions.join(', ') || 'none'}`);
        this.#reads();
      },
      onLag: (partition, lag) => void (this.#lags[partition] = lag),
      onSilence: ({ message }) => this.#wait((silence = `Kafka: ${message}`)),
      onAnswer: () => {
        // It may have begun to wait for something else.
        if (this.#waitsFor === silence) this.#reads();
      },
    });
    try {
      await this.#untilEnded(consumer.ended, stream);
    } finally {
      await consumer.stop();
    }
  }

  /** Waits until the consumer ends or is stopped, checking at intervals that the topic is unchanged. */
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
        // The failure of the consumer may be caused by a recreated topic.
        await this.#topic.check(stream);
        throw thrown;
      } finally {
        over.abort();
      }
      await this.#topic.check(stream).catch((thrown: unknown) => {
        // The consumer detects by itself that a broker is unavailable.
        if (thrown instanceof JobFailure) throw thrown;
      });
    }
  }

  async #storedOffset(stream: StoredStream, partition: number): Promise<number | null> {
    const offsets = await this.#offsets.read(this.#world.database.db, stream);
    return offsets.find((one) => one.partition === partition)?.nextOffset ?? null;
  }
}
