import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

import type { Environment } from '@svc/service-kit';

import { dieWithParent } from '../die-with-parent.ts';
import { endProcess, type Farewell } from '../end-process.ts';
import { freePort } from '../free-port.ts';
import { runToEnd } from '../run-to-end.ts';
import { waitUntil } from '../wait-until.ts';
import { fetchKafka } from './kafka-files.ts';
import { makeKeystore } from './kafka-keystore.ts';
import { kafkaSettings, SCRAM_MECHANISMS, type KafkaUser } from './kafka-settings.ts';

/** Data directory and access of the broker. */
export interface KafkaBrokerOptions {
  /** Created if it does not exist. */
  readonly directory: string;
  readonly env: Environment;
  /** Defaults to a free port. Given to restart a broker on its data with the same port. */
  readonly port?: number;
  /** Opens a second listener with SASL, and a third with SASL over TLS and a certificate of its own. */
  readonly user?: KafkaUser;
  /** Settings of Kafka that override the defaults here. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A running Apache Kafka broker, a cluster of one node on 127.0.0.1. */
export interface KafkaBroker {
  readonly host: string;
  readonly port: number;
  /** Port of the SASL listener; undefined if there is none. */
  readonly saslPort: number | undefined;
  /** The listener with SASL over TLS, and the certificate to trust for it, as PEM; undefined if there is none. */
  readonly tls: { readonly port: number; readonly certificate: string } | undefined;
  /** Process id. */
  readonly pid: number;
  /** Resolves when the broker has ended for any reason. */
  readonly ended: Promise<void>;
  /** Stops the broker and waits for its end. The data is kept. */
  readonly stop: () => Promise<void>;
}

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 90_000;
/** Without the optimizing compiler: most of the work of a broker for development is its start, which it makes twice as long. */
const JAVA = ['java', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const FAREWELL: Farewell = [
  ['SIGTERM', 15_000],
  ['SIGKILL', 5_000],
];

/** Starts a broker on the data in the directory. Throws a StartError that names missing programs of the machine. */
export async function startKafkaBroker(options: KafkaBrokerOptions): Promise<KafkaBroker> {
  const files = join(await fetchKafka(options.env), '*');
  const ports = {
    port: options.port ?? (await freePort()),
    controllerPort: await freePort(),
    saslPort: options.user === undefined ? undefined : await freePort(),
  };
  const data = join(options.directory, 'data');
  await mkdir(data, { recursive: true });
  const settingsFile = join(options.directory, 'server.properties');
  const made = options.user === undefined ? undefined : await makeKeystore(options.directory, HOST);
  const tls = made === undefined ? undefined : { port: await freePort(), ...made };
  await writeFile(settingsFile, kafkaSettings({ ...ports, ...options, tls, data, host: HOST }), { mode: 0o600 });
  const format = [
    'format',
    '--ignore-formatted',
    // In one argument: an identity may begin with a dash.
    `--cluster-id=${await clusterId(options.directory)}`,
    '-c',
    settingsFile,
    ...scramUsers(options.user),
  ];
  await runToEnd([...JAVA, '-cp', files, 'kafka.tools.StorageTool', ...format], undefined);
  const child = launch(files, settingsFile, options.directory);
  const ended = new Promise<void>((resolve, reject) => child.once('exit', () => resolve()).once('error', reject));
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && !hasEnded(child)) await endProcess(child.pid, FAREWELL);
    await ended;
  };
  try {
    await becomesReady(
      child,
      [ports.port, ports.saslPort, tls?.port].filter((port) => port !== undefined),
      options.directory,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const overTls = tls === undefined ? undefined : { port: tls.port, certificate: tls.certificate };
  return { host: HOST, port: ports.port, saslPort: ports.saslPort, tls: overTls, pid: child.pid ?? -1, ended, stop };
}

function scramUsers(user: KafkaUser | undefined): readonly string[] {
  if (user === undefined) return [];
  return SCRAM_MECHANISMS.flatMap((mechanism) => ['--add-scram', `${mechanism}=[name=${user.username},password=${user.password}]`]);
}

/** Returns the id of the cluster: 16 bytes, stored with its data. */
async function clusterId(directory: string): Promise<string> {
  const path = join(directory, 'cluster-id');
  const made = Buffer.from(crypto.randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
  await writeFile(path, made, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readFile(path, 'utf8');
}

function launch(files: string, settingsFile: string, directory: string): ChildProcess {
  const log = openSync(logPath(directory), 'w', 0o600);
  const java = [...JAVA, '-Xmx512m', '-cp', files, 'kafka.Kafka', settingsFile];
  const [program = '', ...args] = [...dieWithParent('TERM'), ...java];
  // Detached: Ctrl-C in a terminal signals the whole process group, and the broker must outlive the services that use it.
  const child = spawn(program, args, { cwd: directory, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  return child;
}

function logPath(directory: string): string {
  return join(directory, 'broker.log');
}

/** Waits until every listener accepts connections: the broker opens one after the other. */
async function becomesReady(child: ChildProcess, ports: readonly number[], directory: string): Promise<void> {
  await waitUntil(
    async () => {
      if (hasEnded(child)) throw new Error(`Kafka did not start: ${(await readFile(logPath(directory), 'utf8')).slice(-2000)}`);
      for (const port of ports) if (!(await accepts(port))) return undefined;
      return true;
    },
    { timeoutMs: START_TIMEOUT_MS, intervalMs: 100, what: 'Kafka to start' },
  );
}

async function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
