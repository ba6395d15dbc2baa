import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { sql } from 'kysely';

import { eventually } from '@svc/test-kit';

import { openTestDatabase } from '../testing/open-test-database.ts';
import { openNotices, sendNotice, sessionsNamed } from './open-notices.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  database = await openTestDatabase('empty');
});
afterAll(() => database.close());

test('what one process says every listener hears, on its channel only', async () => {
  const heard: string[] = [];
  const open = (channel: string) =>
    openNotices({
      url: database.url,
      applicationName: 'test',
      channel,
      onNotice: (payload) => void heard.push(`${channel}: ${payload}`),
    });
  const listeners = [open('one'), open('one'), open('Two "quoted"')];
  await eventually(() => expect(listeners.map((listener) => listener.session())).not.toContain(null));
  const sessions = await sessionsNamed(database.db, 'test');
  for (const listener of listeners) expect(sessions).toContain(listener.session());
  await sendNotice(database.db, 'one', 'hello');
  await sendNotice(database.db, 'Two "quoted"', "it's");
  await eventually(() => expect(heard.toSorted()).toEqual(['Two "quoted": it\'s', 'one: hello', 'one: hello']));
  await Promise.all(listeners.map((listener) => listener.close()));
});

test('a session that the server ends is opened again', async () => {
  const heard: string[] = [];
  const lost: Error[] = [];
  const notices = openNotices({
    url: database.url,
    applicationName: 'listener',
    channel: 'again',
    onNotice: (payload) => void heard.push(payload),
    onLost: (error) => void lost.push(error),
  });
  await eventually(() => expect(notices.session()).not.toBeNull());
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'listener'`.execute(database.db);
  await eventually(() => expect(lost).toHaveLength(1));
  await eventually(() => expect(notices.session()).not.toBeNull());
  await sendNotice(database.db, 'again', 'still there');
  await eventually(() => expect(heard).toEqual(['still there']));
  await notices.close();
  const sessions = sql<{ n: number }>`SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'listener'`;
  await eventually(async () => expect((await sessions.execute(database.db)).rows).toEqual([{ n: 0 }]));
});

test('a session that no longer answers is noticed, and closing does not wait for it', async () => {
  const proxy = await openProxy(database.url);
  const lost: Error[] = [];
  const notices = openNotices({
    url: proxy.url,
    applicationName: 'deaf',
    channel: 'deaf',
    timeoutMs: 1000,
    heartbeatMs: 50,
    onNotice: () => undefined,
    onLost: (error) => void lost.push(error),
  });
  try {
    await eventually(() => expect(notices.session()).not.toBeNull());
    const before = lost.length;
    proxy.turnDeaf();
    await eventually(() => expect(lost.length).toBeGreaterThan(before));
    expect(notices.session()).toBeNull();
  } finally {
    await notices.close();
    proxy.close();
  }
});

/** A proxy to the server that can drop all data. */
async function openProxy(url: string) {
  const target = new URL(url);
  const { port, hostname } = target;
  let isDeaf = false;
  const links: Socket[] = [];
  const proxy = createServer((socket) => {
    const server = connect(Number(port), hostname);
    links.push(socket, server);
    for (const end of [socket, server]) end.on('error', () => end.destroy());
    socket.on('data', (bytes) => void (isDeaf ? null : server.write(bytes)));
    server.on('data', (bytes) => void (isDeaf ? null : socket.write(bytes)));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  target.hostname = '127.0.0.1';
  // A server that listens on a port has this kind of address.
  target.port = String((proxy.address() as AddressInfo).port);
  return {
    url: target.href,
    turnDeaf: () => {
      isDeaf = true;
    },
    close: () => {
      for (const link of links) link.destroy();
      proxy.close();
    },
  };
}
