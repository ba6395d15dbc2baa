import { ServiceError, type QueryError } from '@svc/errors';
import type { NetworkGuard } from '@svc/network-guard';
import type { EnginePool, Message } from '@svc/query-engine';
import { runTransform, type Caller, type CompiledTransform } from '@svc/query-runtime';

import type { BrokerAddress } from '../kafka/broker-address.ts';
import { findTopic } from '../kafka/find-topic.ts';
import { isKafkaProblem } from '../kafka/kafka-problem.ts';
import { sampleMessages } from '../kafka/sample-messages.ts';

/** Location and number of the messages to sample. */
export interface SampleRequest {
  readonly address: BrokerAddress;
  readonly topic: string;
  readonly count: number;
}

/** Dependencies of samples. */
export interface SampleWorld {
  readonly guard: NetworkGuard;
  readonly engine: EnginePool;
  readonly transformTimeoutMillis: number;
}

/** A message and its transformed row as JSON text, or why there is none. */
export interface SampledMessage {
  readonly message: Message;
  readonly row: string | null;
  readonly error: QueryError | null;
}

/** Transforms the latest messages of a topic. Stores nothing. */
export async function sampleTransform(
  { guard, engine, transformTimeoutMillis: timeoutMillis }: SampleWorld,
  transform: CompiledTransform,
  request: SampleRequest & { readonly caller: Caller; readonly signal: AbortSignal },
): Promise<readonly SampledMessage[]> {
  const { address, topic, count, caller, signal } = request;
  const messages = await fromBroker(async () => {
    const { topicId } = await findTopic({ address, topic }, guard);
    return sampleMessages({ address, topic, topicId, count }, guard);
  });
  const sampled: SampledMessage[] = messages.map((message) => ({ message, row: null, error: null }));
  const set = (index: number, found: Partial<SampledMessage>): void => {
    const before = sampled[index];
    if (before !== undefined) sampled[index] = { ...before, ...found };
  };
  await runTransform({ engine, transform, caller, timeoutMillis, now: new Date(), signal, form: 'json' }, messages, {
    row: (index, bytes, start, end) => set(index, { row: bytes.toString('utf8', start, end) }),
    nothing: () => undefined,
    bad: (index, error) => set(index, { error }),
  });
  return sampled;
}

async function fromBroker<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (thrown) {
    if (isKafkaProblem(thrown)) throw new ServiceError('stream_error', thrown.message, { cause: thrown });
    throw thrown;
  }
}
