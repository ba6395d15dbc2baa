import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type { Producer } from 'kafkajs';

import { createKafkaTopic } from './create-kafka-topic.ts';

/** Broker, topic and file of the sample messages. */
export interface FlightProducerOptions {
  readonly host: string;
  readonly port: number;
  /** A JSON array; each element becomes a message. */
  readonly file: string;
  /** Called with a line for the operator when messages could not be sent; sending continues. */
  readonly onNotice: (line: string) => void;
}

/** The topic of the sample messages. */
export const FLIGHTS_TOPIC = 'flights';
const PARTITIONS = 4;
const BATCH_MESSAGES = 5;
const BATCH_INTERVAL_MS = 250;

/**
 * Creates the topic if it is missing, and sends 20 messages a second, in a loop over the file. Resolves with the function
 * that stops it.
 */
export async function startFlightProducer({ host, port, file, onNotice }: FlightProducerOptions): Promise<() => Promise<void>> {
  const flights = JSON.parse(await readFile(file, 'utf8')) as readonly unknown[];
  // Loaded on demand: a stack without Kafka does not need it.
  const { Kafka, logLevel } = await import('kafkajs');
  const kafka = new Kafka({ clientId: 'svc-flights', brokers: [`${host}:${port}`], logLevel: logLevel.NOTHING });
  await createKafkaTopic(kafka, { topic: FLIGHTS_TOPIC, numPartitions: PARTITIONS });
  const producer = kafka.producer();
  await producer.connect();
  const stopping = new AbortController();
  const sending = keepSending(producer, flights, onNotice, stopping.signal);
  return async () => {
    stopping.abort();
    await sending;
    await producer.disconnect();
  };
}

async function keepSending(
  producer: Producer,
  flights: readonly unknown[],
  onNotice: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let start = 0; !signal.aborted; start = start + BATCH_MESSAGES < flights.length ? start + BATCH_MESSAGES : 0) {
    const messages = flights.slice(start, start + BATCH_MESSAGES).map((flight) => ({ value: JSON.stringify(flight) }));
    try {
      await producer.send({ topic: FLIGHTS_TOPIC, messages });
    } catch (error) {
      onNotice(`Sample messages could not be sent to Kafka: ${(error as Error).message}`);
    }
    await delay(BATCH_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}
