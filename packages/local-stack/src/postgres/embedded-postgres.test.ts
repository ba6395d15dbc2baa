import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { identifyProcess } from '../process-identity.ts';
import { withTemporaryDirectory } from '../testing/temporary-directory.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { readPostmasterFile } from './postmaster-file.ts';

/** Returns password and port of a URL. */
function parts(url: string): { readonly password: string; readonly port: string } {
  const { password, port } = new URL(url);
  return { password, port };
}

test('data outlives the server, below a directory of a long name that nobody else may enter', () =>
  withTemporaryDirectory(async (directory) => {
    const closed = join(directory, `a long name ${'x'.repeat(120)}`);
    await mkdir(closed);
    await chmod(closed, 0o700);
    const options = { directory: join(closed, 'postgres') };
    const first = await startEmbeddedPostgres(options);
    await first.stop();
    await first.ended;
    expect(await readPostmasterFile(options.directory)).toBeUndefined();
    const second = await startEmbeddedPostgres(options);
    expect(parts(second.url).password).toBe(parts(first.url).password);
    await second.stop();
  }));

test('a start interrupted while the data was made is made good by the next', () =>
  withTemporaryDirectory(async (directory) => {
    const options = { directory: join(directory, 'postgres') };
    await mkdir(`${options.directory}-unfinished/half`, { recursive: true });
    await writeFile(`${options.directory}-password`, 'of the interrupted start');
    const server = await startEmbeddedPostgres(options);
    expect(parts(server.url).password).not.toBe('of the interrupted start');
    await server.stop();
  }));

test('a server that was killed, and one whose owner was killed, are followed by another', () =>
  withTemporaryDirectory(async (directory) => {
    const options = { directory: join(directory, 'postgres') };
    const killed = await startEmbeddedPostgres(options);
    process.kill((await readPostmasterFile(options.directory))?.pid ?? 0, 'SIGKILL');
    await killed.ended;
    const leftBehind = await startEmbeddedPostgres(options);
    const next = await startEmbeddedPostgres(options);
    await leftBehind.ended;
    expect((await readPostmasterFile(options.directory))?.isReady).toBe(true);
    await next.stop();
  }));

test('another process with the number of a dead server is left alone', () =>
  withTemporaryDirectory(async (directory) => {
    const options = { directory: join(directory, 'postgres') };
    await (await startEmbeddedPostgres(options)).stop();
    const stranger = spawn('sleep', ['60']);
    await once(stranger, 'spawn');
    await writeFile(join(options.directory, 'postmaster.pid'), `${stranger.pid}\n${options.directory}\n`);
    const server = await startEmbeddedPostgres(options);
    expect(identifyProcess(stranger.pid ?? 0)).toBeDefined();
    stranger.kill();
    await server.stop();
  }));

test('data of another major version is refused in one line', () =>
  withTemporaryDirectory(async (directory) => {
    await writeFile(join(directory, 'PG_VERSION'), '19\n');
    await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(
      `${directory} holds data of PostgreSQL 19, and this is PostgreSQL 18: set SVC_DATA_DIR to another directory.`,
    );
  }));

test('a server that cannot start says why', () =>
  withTemporaryDirectory(async (directory) => {
    const options = { directory: join(directory, 'postgres'), settings: { shared_buffers: 'many' } };
    await expect(startEmbeddedPostgres(options)).rejects.toThrow('invalid value for parameter "shared_buffers"');
  }));
