import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { StartError } from '@svc/service-kit';

import { identifyProcess } from '../process-identity.ts';
import { withTemporaryDirectory } from '../testing/temporary-directory.ts';
import { prepareCluster } from './cluster.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
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

test('data of another user are refused in one line', () =>
  withTemporaryDirectory(async (directory) => {
    await writeFile(join(directory, 'PG_VERSION'), '18\n');
    const { uid } = await stat(directory);
    const command = { prefix: [], owner: { uid: uid + 1, gid: 0 } };
    await expect(prepareCluster(directory, await findPostgresBinaries(), command)).rejects.toThrow(
      new StartError(`${directory} belongs to the user with number ${uid}: start as that user, or set SVC_DATA_DIR to another directory.`),
    );
  }));

test('data that cannot be made say why, without a stack', () =>
  withTemporaryDirectory(async (directory) => {
    const binaries = { ...(await findPostgresBinaries()), initdb: 'false' };
    const made = prepareCluster(join(directory, 'postgres'), binaries, { prefix: [] });
    await expect(made).rejects.toThrow(StartError);
    await expect(made).rejects.toThrow(/^PostgreSQL could not make its data: false .* ended with code 1/);
  }));

test('a server that cannot start says why, without a stack', () =>
  withTemporaryDirectory(async (directory) => {
    const options = { directory: join(directory, 'postgres'), settings: { shared_buffers: 'many' } };
    const start = startEmbeddedPostgres(options);
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow('invalid value for parameter "shared_buffers"');
  }));
