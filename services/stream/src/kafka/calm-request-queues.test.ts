import { setTimeout as delay } from 'node:timers/promises';

import { createNetworkGuard } from '@svc/network-guard';
import { testKafka } from '@svc/test-kit';
import type { Admin } from 'kafkajs';

import { createKafkaClient } from './kafka-client.ts';

async function connect(): Promise<Admin> {
  const { host, port } = await testKafka();
  const guard = createNetworkGuard({ allow: ['127.0.0.0/8'] });
  const admin = createKafkaClient({ host, port, tls: false, login: null }, guard, { retries: 0 }).kafka.admin();
  await admin.connect();
  return admin;
}

/** KafkaJS looks into its queue every 10 ms; its retries, and Jest's reporter, which may share the process, wait longer. */
const LONGEST_POLL_MILLIS = 50;

test('a connection that has nothing to send does not poll', async () => {
  const admin = await connect();
  await admin.listTopics();
  const { setTimeout: real } = globalThis;
  const waits: (number | undefined)[] = [];
  globalThis.setTimeout = Object.assign((act: () => void, millis?: number) => {
    waits.push(millis);
    return real(act, millis);
  }, real);
  await delay(300);
  globalThis.setTimeout = real;
  expect(waits.filter((millis = 0) => millis <= LONGEST_POLL_MILLIS)).toEqual([]);
  await admin.disconnect();
});

test('more requests than are sent at once are all answered', async () => {
  const admin = await connect();
  const answers = await Promise.all(Array.from({ length: 200 }, () => admin.listTopics()));
  expect(answers).toHaveLength(200);
  await admin.disconnect();
});
