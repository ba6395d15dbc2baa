import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Kafka, logLevel, type Admin } from 'kafkajs';

import { identifyProcess } from '../process-identity.ts';
import { withTemporaryDirectory } from '../testing/temporary-directory.ts';
import { startKafkaBroker, type KafkaBroker } from './kafka-broker.ts';
import { fetchKafka } from './kafka-files.ts';

async function administer<Answer>(port: number, ask: (admin: Admin) => Promise<Answer>, sasl?: { username: string; password: string }) {
  const login = sasl === undefined ? {} : { sasl: { mechanism: 'plain' as const, ...sasl }, retry: { retries: 0 } };
  const admin = new Kafka({ brokers: [`127.0.0.1:${port}`], logLevel: logLevel.NOTHING, ...login }).admin();
  await admin.connect();
  try {
    return await ask(admin);
  } finally {
    await admin.disconnect();
  }
}

test('topics outlive the broker, which comes back as the same cluster on the same port', () =>
  withTemporaryDirectory(async (directory) => {
    const first = await startKafkaBroker({ directory, env: process.env });
    await administer(first.port, (admin) => admin.createTopics({ topics: [{ topic: 'orders', numPartitions: 2 }] }));
    const { clusterId } = await administer(first.port, (admin) => admin.describeCluster());
    await first.stop();
    expect(identifyProcess(first.pid)).toBeUndefined();
    const second: KafkaBroker = await startKafkaBroker({ directory, env: process.env, port: first.port });
    expect(second.port).toBe(first.port);
    expect(await administer(first.port, (admin) => admin.listTopics())).toContain('orders');
    expect(await administer(first.port, (admin) => admin.describeCluster())).toMatchObject({ clusterId });
    await second.stop();
  }));

test('a listener of its own lets in who has the password', () =>
  withTemporaryDirectory(async (directory) => {
    const user = { username: 'ingest', password: 'a word' };
    const broker = await startKafkaBroker({ directory, env: process.env, user });
    const list = (password: string) => administer(broker.saslPort ?? 0, (admin) => admin.listTopics(), { ...user, password });
    expect(await list(user.password)).toEqual([]);
    await expect(list('another word')).rejects.toThrow('SASL');
    await broker.stop();
  }));

test('a broker that cannot start says why', () =>
  withTemporaryDirectory(async (directory) => {
    const settings = { 'num.network.threads': 'many' };
    await expect(startKafkaBroker({ directory, env: process.env, settings })).rejects.toThrow('num.network.threads');
  }));

test('a machine without Maven, and Kafka not fetched yet, is told so', () =>
  withTemporaryDirectory(async (directory) => {
    const programs = join(directory, 'programs');
    await mkdir(programs);
    await writeFile(join(programs, 'java'), '#!/bin/sh\necho \'openjdk version "21.0.1"\' >&2\n', { mode: 0o700 });
    await symlink('/bin/sh', join(programs, 'sh'));
    const env = { XDG_CACHE_HOME: join(directory, 'cache'), PATH: programs };
    await expect(fetchKafka(env)).rejects.toThrow('Apache Kafka is fetched by Maven, and there is no mvn on the PATH.');
    await writeFile(join(programs, 'java'), '#!/bin/sh\necho \'openjdk version "11.0.1"\' >&2\n', { mode: 0o700 });
    await expect(fetchKafka(env)).rejects.toThrow('Apache Kafka needs Java 17 or later, and the java on the PATH is 11.');
  }));
