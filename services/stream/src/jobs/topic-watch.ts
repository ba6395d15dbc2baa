import type { StoredStream } from '@svc/database';

import { findTopic } from '../kafka/find-topic.ts';
import { isKafkaProblem } from '../kafka/kafka-problem.ts';
import { brokerOfStream } from '../streams/broker-of-stream.ts';
import { JobFailure } from './job-failure.ts';
import type { WorkerWorld } from './worker-world.ts';

/** A topic that is not there may be found again by a cluster that has just started. */
const MISSING_TOPIC_MS = 30_000;

/** Checks that a topic is the one that a stream was created for. */
export class TopicWatch {
  readonly #world: Pick<WorkerWorld, 'guard' | 'vault'>;
  #missingSince: number | null = null;

  constructor(world: Pick<WorkerWorld, 'guard' | 'vault'>) {
    this.#world = world;
  }

  /** Throws JobFailure if the topic is another one or has long been missing, and a KafkaProblem if that cannot be determined. */
  async check(stream: StoredStream): Promise<void> {
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
}
