import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

import { migrate } from '@svc/database';
import { createTestDatabase, eventually } from '@svc/test-kit';
import { Client } from 'pg';

import { openCuttingProxy } from '../testing/cutting-proxy.ts';
import { openStreamService } from '../testing/stream-under-test.ts';
import { createTopic } from '../testing/test-topic.ts';

const HEAD =
  '\\(key: binary nullable, value: binary nullable, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> ';
const IDS = `${HEAD} PARSE_JSON(DECODE(value) AS record(id: long))`;

function ids(from: number, count: number): readonly { readonly value: string }[] {
  return Array.from({ length: count }, (_, i) => ({ value: JSON.stringify({ id: from + i }) }));
}

test('a COMMIT whose answer is lost is settled by the stored offset', async () => {
  const { url, drop } = await createTestDatabase({ migrate });
  const proxy = await openCuttingProxy(url);
  const service = await openStreamService({
    databaseUrl: proxy.url,
    inject: (point) => {
      if (point === 'before-commit' && proxy.cuts() < 3) proxy.cutAfterCommit();
    },
  });
  const topic = await createTopic({ partitions: 2 });
  await service.create('unanswered', topic, IDS);
  for (let round = 0; round < 5; round += 1) {
    await topic.send(ids(round * 10, 10));
    await eventually(async () => expect((await service.rows('unanswered')).length).toBeGreaterThanOrEqual((round + 1) * 10));
  }
  expect(proxy.cuts()).toBe(3);
  expect(new Set(await service.rows('unanswered')).size).toBe(50);
  expect(await service.rows('unanswered')).toHaveLength(50);
  await topic.close();
  await service.close();
  await proxy.close();
  await drop();
});

test('sessions that are ended, locks and a read-only database are waited for, and never bad records', async () => {
  const service = await openStreamService();
  const topic = await createTopic();
  await service.create('waiting', topic, IDS);
  await topic.send(ids(0, 5));
  await eventually(async () => expect(await service.rows('waiting')).toHaveLength(5));
  const statement = (sql: string): Promise<unknown> => service.database.session((client) => client.query(sql));
  const name = new URL(service.databaseUrl).pathname.slice(1);
  await statement(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
  await statement(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'svc-stream%' AND datname = current_database()",
  );
  await topic.send(ids(5, 5));
  // While nothing can be written, the reason for waiting cannot be stored either.
  await eventually(async () => expect(await service.detail('waiting')).toMatch(/^preparing: waits for /));
  const apart = new Client({ connectionString: service.databaseUrl });
  await apart.connect();
  await apart.query('SET default_transaction_read_only = off');
  await apart.query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`);
  await apart.end();
  await statement(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'svc-stream%' AND datname = current_database()",
  );
  await eventually(async () => expect(await service.rows('waiting')).toHaveLength(10));
  expect((await service.call('GET', '/stream/waiting/dead-letters')).json).toEqual([]);
  await topic.close();
  await service.close();
});

test('a broker that hangs is waited for, also after a pause, and read on when it answers', async () => {
  const service = await openStreamService();
  const topic = await createTopic();
  const broker = watchSockets(topic.port);
  await service.create('hanging', topic, IDS);
  await topic.send(ids(0, 5));
  await eventually(async () => expect(await service.detail('hanging')).toBe('running: 5 rows stored, 0 dead letters, lag 0'));
  broker.hang();
  await eventually(async () =>
    expect(await service.detail('hanging')).toBe(`preparing: waits for Kafka: The broker ${topic.host}:${topic.port} does not answer.`),
  );
  broker.goOn();
  await eventually(async () => expect(await service.detail('hanging')).toBe('running: 5 rows stored, 0 dead letters, lag 0'));
  broker.hang();
  await service.call('POST', '/stream/hanging/pause');
  await service.call('POST', '/stream/hanging/resume');
  await eventually(async () => expect(await service.detail('hanging')).toMatch(/^preparing: waits for Kafka: .* does not answer\.$/));
  broker.goOn();
  await topic.send(ids(5, 5));
  await eventually(async () => expect(await service.detail('hanging')).toBe('running: 10 rows stored, 0 dead letters, lag 0'));
  broker.close();
  await topic.close();
  await service.close();
});

/** Lets the answers of a port of this machine get lost for this process, while its connections stay open. */
function watchSockets(port: number): { readonly hang: () => void; readonly goOn: () => void; readonly close: () => void } {
  const sockets = new Set<Socket>();
  let hangs = false;
  const watch = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket }; // as Node documents the channel
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.once('connect', () => {
      if (socket.remotePort === port && hangs) setImmediate(() => socket.pause());
    });
  };
  const each = (change: (socket: Socket) => void): void => {
    for (const socket of sockets) if (socket.remotePort === port) change(socket);
  };
  subscribe('net.client.socket', watch);
  return {
    hang: () => {
      hangs = true;
      each((socket) => socket.pause());
    },
    goOn: () => {
      hangs = false;
      each((socket) => socket.resume());
    },
    close: () => unsubscribe('net.client.socket', watch),
  };
}
