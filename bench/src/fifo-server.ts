/** The floor of the large results: a bare HTTP server that pipes a plain COPY of given rows through a FIFO. Prints its port. */
import { execFileSync } from 'node:child_process';
import { constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { DuckDBInstance } from '@duckdb/node-api';

const [rowsSql = 'SELECT 1'] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:', { threads: process.env['BENCH_THREADS'] ?? '2' });
const connection = await instance.connect();

const server = createServer((req, res) => {
  req.resume();
  // The path is the options of the COPY, or `/cpu` for the CPU seconds so far.
  req.once('end', () => {
    if (req.url === '/cpu') res.end(cpuSeconds());
    else void answer(decodeURIComponent((req.url ?? '/').slice(1)), res);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port)); // a listening TCP server has this kind of address

async function answer(options: string, res: ServerResponse): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-fifo-'));
  const path = join(folder, 'rows');
  execFileSync('mkfifo', [path]);
  const reader = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
  await Promise.all([connection.run(`COPY (${rowsSql}) TO '${path}' (${options})`), pipeline(reader, res)]);
  await rm(folder, { recursive: true });
}

function cpuSeconds(): string {
  const { user, system } = process.cpuUsage();
  return String((user + system) / 1e6);
}
