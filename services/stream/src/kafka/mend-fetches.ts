import { createRequire } from 'node:module';

import { metadataOfTopic, readTopicMetadata, type TopicMetadata } from './topic-metadata.ts';
import { readMessages, type ReadMessage } from './read-messages.ts';

/** Limits of the messages of an answer: compression may have packed many more into one. */
const MOST_MESSAGES = 200_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Version of fetch requests. Brokers that know topic ids have it. */
const VERSION = 11;

/** A message of a fetch, with the id of its topic. */
interface FetchedMessage extends ReadMessage {
  topicId?: string;
}

/** Returns the topic's id and the timestamp's type of a message that KafkaJS has passed on; its types declare neither. */
export function sourceOf(message: object): { readonly topicId: string; readonly timestampType: number } {
  const { topicId = '', timestampType } = message as FetchedMessage; // `mendFetches` has made it
  return { topicId, timestampType };
}

/**
 * Makes KafkaJS read answers to fetch requests by `readMessages`. Its own way passes on some messages of aborted transactions
 * (those with the key 00000000, and those of transactions within others), fails for batches of more than some 120,000
 * messages, and holds whatever an answer decompresses to. Idempotent.
 *
 * Messages get the id of their topic from the same broker after the fetch: a topic that was recreated meanwhile has the same name and
 * offsets of its own.
 */
export function mendFetches(): void {
  Reflect.set(definition, 'versions', [VERSION]);
  Reflect.set(definition, 'protocol', () => fetchExchange);
  Reflect.set(Broker.prototype, 'fetch', async function fetch(this: Broker, options: FetchOptions): Promise<FetchAnswer> {
    const answer = await originalFetch.call(this, options);
    for (const { topicName, partitions } of answer.responses) {
      const messages = partitions.flatMap((partition) => partition.messages);
      if (messages.length === 0) continue;
      const { topic } = await this.connectionPool.send({
        request: metadataOfTopic(topicName),
        response: { decode: readTopicMetadata, parse: async (of) => of },
      });
      for (const message of messages) message.topicId = topic.topicId;
    }
    return answer;
  });
}

function fetchExchange(options: FetchOptions) {
  const from = new Map(
    options.topics.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, fetchOffset }) => [placeOf(topic, partition), Number(fetchOffset)] as const),
    ),
  );
  const exchange = originalExchange(options);
  const decode = (bytes: Buffer): Promise<FetchAnswer> => readAnswer(bytes, (topic, partition) => from.get(placeOf(topic, partition)) ?? 0);
  return { ...exchange, response: { ...exchange.response, decode } };
}

function placeOf(topic: string, partition: number): string {
  return `${partition} ${topic}`;
}

async function readAnswer(bytes: Buffer, fromOf: (topic: string, partition: number) => number): Promise<FetchAnswer> {
  const reader = new Decoder(bytes);
  const head = {
    throttleTime: 0,
    clientSideThrottleTime: reader.readInt32(),
    errorCode: reader.readInt16(),
    sessionId: reader.readInt32(),
  };
  const room = { messages: MOST_MESSAGES, bytes: MOST_BYTES };
  const responses = await reader.readArrayAsync(async () => {
    const topicName = reader.readString();
    const partitions = await reader.readArrayAsync(async () => {
      const partition = reader.readInt32();
      const errorCode = reader.readInt16();
      const highWatermark = reader.readInt64().toString();
      const lastStableOffset = reader.readInt64().toString();
      const lastStartOffset = reader.readInt64().toString();
      const aborted = reader.readArray(() => ({
        producerId: BigInt(reader.readInt64().toString()),
        firstOffset: Number(reader.readInt64().toString()),
      }));
      const preferredReadReplica = reader.readInt32();
      const records = reader.readBytes() ?? Buffer.alloc(0);
      const messages = await readMessages(records, { from: fromOf(topicName, partition), aborted, room, decompress });
      const offsets = { highWatermark, lastStableOffset, lastStartOffset };
      return { partition, errorCode, ...offsets, abortedTransactions: [], preferredReadReplica, messages };
    });
    return { topicName, partitions };
  });
  return { ...head, responses };
}

async function decompress(attributes: number, bytes: Buffer): Promise<Buffer> {
  const codec = lookupCodecByAttributes(attributes);
  return codec === null ? bytes : codec.decompress(bytes);
}

interface FetchOptions {
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly fetchOffset: string }[];
  }[];
}

interface FetchAnswer {
  readonly responses: readonly {
    readonly topicName: string;
    readonly partitions: readonly { readonly messages: readonly FetchedMessage[] }[];
  }[];
}

/** Parts of KafkaJS, whose types declare none of them. Its version is pinned, and tests cover them against a real broker. */
interface Broker {
  readonly fetch: (options: FetchOptions) => Promise<FetchAnswer>;
  readonly connectionPool: {
    readonly send: (exchange: {
      readonly request: ReturnType<typeof metadataOfTopic>;
      readonly response: { readonly decode: typeof readTopicMetadata; readonly parse: <Of>(of: Of) => Promise<Of> };
    }) => Promise<{ readonly topic: TopicMetadata }>;
  };
}

interface AnswerReader {
  readInt16(): number;
  readInt32(): number;
  readInt64(): { toString(): string };
  readString(): string;
  readBytes(): Buffer | null;
  readArray<Element>(read: () => Element): readonly Element[];
  readArrayAsync<Element>(read: () => Promise<Element>): Promise<readonly Element[]>;
}

interface FetchDefinition {
  readonly protocol: (of: {
    readonly version: number;
  }) => (options: FetchOptions) => { readonly request: object; readonly response: object; readonly requestTimeout: number };
}

const require = createRequire(import.meta.url);
const definition = require('kafkajs/src/protocol/requests/fetch') as FetchDefinition;
const Broker = require('kafkajs/src/broker') as { readonly prototype: Broker };
const Decoder = require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => AnswerReader;
const { lookupCodecByAttributes } = require('kafkajs/src/protocol/message/compression') as {
  readonly lookupCodecByAttributes: (attributes: number) => { readonly decompress: (bytes: Buffer) => Promise<Buffer> } | null;
};
const originalExchange = definition.protocol({ version: VERSION });
const originalFetch = Broker.prototype.fetch;
