import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { freePort, freePortSettings, isPortFree } from './free-port.ts';

/** Finds ports in a process of its own, prints them, and keeps none of them open. */
const FINDS = `
  import { freePort } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'free-port.ts')).href)};
  const ports = [];
  while (ports.length < 60) ports.push(await freePort());
  console.log(JSON.stringify(ports));
`;

async function portsOfProcess(): Promise<number[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=@svc/source',
    '--input-type=module-typescript',
    '-e',
    FINDS,
  ]);
  return JSON.parse(stdout) as number[];
}

test('a port is found once, also by processes that search at the same time and leave it unused', async () => {
  const own: number[] = [];
  const [first, second] = await Promise.all([
    portsOfProcess(),
    portsOfProcess(),
    (async () => {
      while (own.length < 120) own.push(await freePort());
    })(),
  ]);
  expect(new Set([...own, ...first]).size).toBe(180);
  expect(new Set([...own, ...second]).size).toBe(180);
});

test('a port with a listener is not free', async () => {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await isPortFree(port, '127.0.0.1')).toBe(false);
  server.close();
});

test('a local stack has a port for each setting', async () => {
  const ports = Object.entries(await freePortSettings([]));
  expect(ports.map(([name]) => name)).toEqual(['SVC_AUTHORIZATION_PORT', 'SVC_KAFKA_PORT']);
  expect(new Set(ports.map(([, port]) => port)).size).toBe(2);
});
