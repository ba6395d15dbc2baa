import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { StartError } from '@svc/service-kit';

import { endProcess, type Farewell } from '../end-process.ts';
import { freePort } from '../free-port.ts';
import { commandLineOf } from '../process-identity.ts';
import { waitUntil } from '../wait-until.ts';
import { prepareCluster, type Cluster } from './cluster.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { unprivilegedCommand, type UnprivilegedCommand } from './unprivileged-command.ts';

/** Data directory and settings of the server. */
export interface EmbeddedPostgresOptions {
  /** Created if it does not exist. */
  readonly directory: string;
  /** Settings of PostgreSQL that differ from its defaults. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A running PostgreSQL server on a free port of 127.0.0.1. */
export interface EmbeddedPostgres {
  /** URL of its database `postgres`, with the password. */
  readonly url: string;
  /** Resolves when the server has ended for any reason. */
  readonly ended: Promise<void>;
  /** Ends sessions and server, and waits for that. */
  readonly stop: () => Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
/** Fast shutdown, immediate shutdown, kill. */
const FAREWELL: Farewell = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/** Temporary failures: another process took the free port, or processes of a killed server are still ending. */
const PASSING_FAULTS = /could not bind|pre-existing shared memory block/;

/** Starts a server on the data in the directory. A leftover server on the same data, whose owner was killed, is ended first. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await findPostgresBinaries();
  const command = unprivilegedCommand();
  const cluster = await prepareCluster(options.directory, binaries, command);
  await endLeftBehindServer(cluster.directory);
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const attempt = await launchServer({ binaries, command, cluster, settings: options.settings ?? {} });
    if (attempt.kind === 'running') return attempt.server;
    if (!PASSING_FAULTS.test(attempt.log) || performance.now() > deadline) {
      throw new StartError(`PostgreSQL did not start on ${cluster.directory}: ${attempt.log.trim()}`);
    }
  }
}

async function endLeftBehindServer(directory: string): Promise<void> {
  const file = await readPostmasterFile(directory);
  if (file === undefined) return;
  if (commandLineOf(file.pid)?.includes(directory) === true) await endProcess(file.pid, FAREWELL);
  // PostgreSQL would mistake another process with the recorded number, perhaps after a restart of the machine, for a running
  // server.
  await rm(join(directory, 'postmaster.pid'), { force: true });
}

interface Launch {
  readonly binaries: PostgresBinaries;
  readonly command: UnprivilegedCommand;
  readonly cluster: Cluster;
  readonly settings: Readonly<Record<string, string>>;
}

type Attempt = { readonly kind: 'running'; readonly server: EmbeddedPostgres } | { readonly kind: 'failed'; readonly log: string };

async function launchServer({ binaries, command, cluster, settings }: Launch): Promise<Attempt> {
  const port = await freePort();
  // TCP only: the path of a socket is limited to about 100 characters, and the directory is the user's choice.
  const all = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program = '', ...args] = [...command.prefix, binaries.postgres, '-D', cluster.directory, ...flags];
  const logPath = `${cluster.directory}.log`;
  const log = openSync(logPath, 'w', 0o600);
  // Detached: Ctrl-C in a terminal signals the whole process group, and the database must outlive the services that use it.
  const child = spawn(program, args, { stdio: ['ignore', log, log], detached: true, ...command.owner });
  closeSync(log);
  const ended = new Promise<void>((resolve, reject) => child.once('exit', () => resolve()).once('error', reject));
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && !hasEnded(child)) await endProcess(child.pid, FAREWELL);
    await ended;
  };
  try {
    if (!(await becomesReady(child, cluster.directory))) return { kind: 'failed', log: await readFile(logPath, 'utf8') };
  } catch (error) {
    await stop();
    throw error;
  }
  const url = `postgresql://${cluster.user}:${cluster.password}@127.0.0.1:${port}/postgres`;
  return { kind: 'running', server: { url, ended, stop } };
}

/** False if the server ended instead. */
async function becomesReady(child: ChildProcess, directory: string): Promise<boolean> {
  return waitUntil(
    async () => {
      if (hasEnded(child)) return false;
      const file = await readPostmasterFile(directory);
      return file?.pid === child.pid && file?.isReady === true ? true : undefined;
    },
    { timeoutMs: START_TIMEOUT_MS, what: 'PostgreSQL to start' },
  );
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
