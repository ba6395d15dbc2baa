import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { Batch } from 'kafkajs';
import pg from 'pg';
import * as copyStreams from 'pg-copy-streams';

import type { Row } from '../table.ts';
import { timed } from '../timed.ts';
import { ORDER_TRANSFORM, orderMessage } from './orders.ts';
import { cpuSecondsOf } from './process-usage.ts';
import type { StreamWorld } from './stream-world.ts';

const TOPIC = 'orders';
const PARTITIONS = 16;
const INSERTED_AT_ONCE = 1000;
const CPU_SECONDS_PER_MILLION = 6;

/** Measures a preloaded topic into a table, beside baselines that move the same messages or rows without the product. */
export async function measureThroughput(world: StreamWorld, { isSmall }: { readonly isSmall: boolean }): Promise<readonly Row[]> {
  const count = isSmall ? 100_000 : 1_000_000;
  await world.createTopic(TOPIC, { partitions: PARTITIONS });
  await world.produce(TOPIC, count, (i) => ({ value: orderMessage(i), partition: i % PARTITIONS }));
  const nothing = await timed(() => consume(world, { group: 'nothing', count, take: async () => undefined }));
  const naive = await insertNaively(world, count);
  await world.restart();
  const cpuBefore = await cpuSecondsOf(world.pid());
  const ours = await timed(async () => {
    await world.createStream('orders', { topic: TOPIC, transform: ORDER_TRANSFORM, intervalMillis: 1000 });
    await world.untilStored('orders', count);
  });
  const cpuSeconds = (await cpuSecondsOf(world.pid())) - cpuBefore;
  const copy = await copyBare(world);
  await world.deleteStream('orders');
  const perMilli = (millis: number): number => count / millis;
  const unit = 'messages/ms';
  return [
    { name: 'naive eachBatch with INSERT', ours: perMilli(ours), floor: perMilli(naive), unit, target: { kind: 'at-least', ratio: 2 } },
    { name: 'KafkaJS consuming into nothing', ours: perMilli(ours), floor: perMilli(nothing), unit },
    { name: 'bare binary COPY of the rows', ours: perMilli(ours), floor: perMilli(copy), unit },
    {
      name: 'our CPU for a million messages',
      ours: (cpuSeconds / count) * 1_000_000,
      floor: CPU_SECONDS_PER_MILLION,
      unit: 's',
      target: { kind: 'at-most', ratio: 1 },
    },
  ];
}

interface Consuming {
  readonly group: string;
  readonly count: number;
  readonly take: (batch: Batch) => Promise<void>;
}

/** Reads the whole topic with a plain consumer. */
async function consume({ cluster }: StreamWorld, { group, count, take }: Consuming): Promise<void> {
  const consumer = cluster.kafka.consumer({ groupId: `${group}-${Date.now()}` });
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) reject(payload.error); // else the client begins again by itself
  });
  let seen = 0;
  await consumer.connect();
  await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      await take(batch);
      seen += batch.messages.length;
      if (seen >= count) resolve();
    },
  });
  await done;
  await consumer.disconnect();
}

const NAIVE_COLUMNS = ['bigint', 'text', 'text', 'int', 'float8', 'timestamp', 'text', 'float8', 'date'];

/** The naive baseline: parse, derive, INSERT of many rows, commit to Kafka. */
async function insertNaively(world: StreamWorld, count: number): Promise<number> {
  const client = new pg.Client({ connectionString: world.cluster.databaseUrl });
  await client.connect();
  await client.query(`CREATE TABLE naive (${NAIVE_COLUMNS.map((type, i) => `c${i + 1} ${type}`).join(', ')})`);
  const insert = async (rows: readonly (readonly unknown[])[]): Promise<void> => {
    const places = rows.map((row, r) => `(${row.map((_, c) => `$${r * row.length + c + 1}`).join(', ')})`);
    await client.query(`INSERT INTO naive VALUES ${places.join(', ')}`, rows.flat());
  };
  try {
    return await timed(() =>
      consume(world, {
        group: 'naive',
        count,
        take: async ({ messages }) => {
          for (let from = 0; from < messages.length; from += INSERTED_AT_ONCE)
            await insert(messages.slice(from, from + INSERTED_AT_ONCE).map(({ value }) => rowOf(value?.toString() ?? '')));
        },
      }),
    );
  } finally {
    await client.query('DROP TABLE naive');
    await client.end();
  }
}

type Order = Readonly<Record<'customer' | 'product' | 'at', string>> &
  Readonly<Record<'id' | 'quantity' | 'price', number>> & { readonly country: string | null };

function rowOf(text: string): readonly unknown[] {
  const { id, customer, product, quantity, price, at, country } = JSON.parse(text) as Order; // it was made so
  return [id, customer, product, quantity, price, at, country, price * quantity, at.slice(0, 10)];
}

/** Copies the stored rows again, into a table with the same columns. */
async function copyBare(world: StreamWorld): Promise<number> {
  const place = await world.placeOf('orders');
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const file = join(directory, 'rows');
  const client = new pg.Client({ connectionString: world.cluster.databaseUrl });
  await client.connect();
  try {
    await pipeline(client.query(copyStreams.to(`COPY ${place} TO STDOUT (FORMAT binary)`)), createWriteStream(file));
    await client.query(`CREATE TABLE bare (LIKE ${place})`);
    return await timed(() => pipeline(createReadStream(file), client.query(copyStreams.from('COPY bare FROM STDIN (FORMAT binary)'))));
  } finally {
    await client.query('DROP TABLE IF EXISTS bare');
    await client.end();
    await rm(directory, { recursive: true, force: true });
  }
}
