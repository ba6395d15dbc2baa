import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@svc/test-kit';

import type { ExecutorUnderTest } from '../testing/executor-under-test.ts';
import { startExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let bearer: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest();
  bearer = `Bearer ${await executor.token()}`;
});
afterAll(() => executor.close());

const MEBIBYTE = 2 ** 20;

/** Returns the caller's running queries. */
async function running(): Promise<readonly { readonly rows: number; readonly bytes: number }[]> {
  const response = await fetch(`${executor.url}/queries`, { headers: { Authorization: bearer } });
  return (await response.json()) as readonly { readonly rows: number; readonly bytes: number }[];
}

/** A client with a small receive buffer that reads a kilobyte at intervals. */
async function askSlowly(query: string, headers = ''): Promise<Socket> {
  const socket = connect({ port: Number(new URL(executor.url).port), host: '127.0.0.1' });
  socket.pause();
  socket.write(
    `POST /query HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer}\r\n${headers}Content-Length: ${Buffer.byteLength(query)}\r\n\r\n${query}`,
  );
  for (let turn = 0; turn < 20; turn += 1) {
    await sleep(50);
    socket.read(1000);
  }
  return socket;
}

test.each([
  ['text as it is', ''],
  ['compressed text', 'Accept-Encoding: gzip\r\n'],
])('a reader that takes a kilobyte at a time holds its query, and neither rows nor memory: %s', async (_, headers) => {
  const before = process.memoryUsage().rss;
  const socket = await askSlowly(
    'SELECT x, "some text " || x * 7919 AS t, "other text " || x * 104729 AS u FROM RANGE(0, 100000) x, RANGE(0, 1000) y',
    headers,
  );
  try {
    await eventually(async () => {
      const [first, ...others] = await running();
      expect(others).toEqual([]);
      expect(first?.bytes).toBeGreaterThan(0);
    });
    // Data in flight fills the buffers of both systems; then production stops.
    const bytes = await eventually(async () => {
      const [earlier] = await running();
      await sleep(500);
      const [later] = await running();
      expect((later?.bytes ?? Infinity) - (earlier?.bytes ?? 0)).toBeLessThan(MEBIBYTE);
      return later?.bytes ?? Infinity;
    });
    expect(bytes / MEBIBYTE).toBeLessThan(40);
    expect((process.memoryUsage().rss - before) / MEBIBYTE).toBeLessThan(300);
    expect(executor.admission.load().running).toBe(1);
  } finally {
    socket.destroy();
  }
  await eventually(() => expect(executor.admission.load().running).toBe(0));
});
