import type { Socket } from 'node:net';

import kafkajs, { type Kafka, type SASLOptions } from 'kafkajs';

import { isAddressNotAllowed, type NetworkGuard } from '@svc/network-guard';
import { ownValue } from '@svc/query-language';
import { catchListeners } from '@svc/service-kit';

import type { BrokerAddress, BrokerLogin } from './broker-address.ts';
import { calmRequestQueues } from './calm-request-queues.ts';
import { registerCodecs } from './codecs.ts';
import { isKafkaProblem, KafkaProblem } from './kafka-problem.ts';
import { mendFetches } from './mend-fetches.ts';

/** A client of one cluster; all its connections go through the network guard. */
export interface KafkaClient {
  readonly kafka: Kafka;
  /** Converts a failure to a KafkaProblem, in words for the owner of the stream. */
  readonly explain: (thrown: unknown) => KafkaProblem;
}

const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 20_000;

/** Creates a client without connecting. `retries` applies to each request, within the client. */
export function createKafkaClient(address: BrokerAddress, guard: NetworkGuard, { retries }: { readonly retries: number }): KafkaClient {
  registerCodecs();
  calmRequestQueues();
  mendFetches();
  const { host, port, tls, login } = address;
  let socketFailure: Error | null = null;
  const kafka = new kafkajs.Kafka({
    clientId: 'svc-stream',
    brokers: [host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`],
    ssl: typeof tls === 'boolean' ? tls : { ca: [tls.ca] },
    ...(login === null ? {} : { sasl: saslOf(login) }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    authenticationTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: { retries, initialRetryTime: 200, maxRetryTime: 2000, restartOnFailure: async () => false },
    // Relevant failures are thrown.
    logLevel: kafkajs.logLevel.NOTHING,
    socketFactory: ({ host: broker, port: brokerPort, ssl, onConnect }): Socket => {
      const socket = guard.connect({ host: broker, port: brokerPort, ...(tls === false ? {} : { tls: ssl }) });
      socket.once(tls === false ? 'connect' : 'secureConnect', onConnect);
      socket.once('error', (error) => void (socketFailure = error));
      limitAnswers(socket);
      // The client reads whatever comes as answers, and nothing else would catch the exceptions of its reading.
      catchListeners(socket, (cause) => socket.destroy(new Error('it does not answer as a broker does', { cause })));
      socket.setKeepAlive(true, 60_000);
      return socket;
    },
  });
  return { kafka, explain: (thrown) => explainFailure(thrown, { address, socketFailure }) };
}

/** Longer than any answer that is asked for, and than a batch that a broker takes with other than exceptional settings. */
const MOST_ANSWER_BYTES = 256 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** Ends a connection that announces a longer answer: the client would hold all of it in memory. */
function limitAnswers(socket: Socket): void {
  let left = 0;
  let length = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    for (let at = 0; at < bytes.byteLength;) {
      const part = bytes.subarray(at, at + (left > 0 ? left : LENGTH_BYTES - length.byteLength));
      at += part.byteLength;
      if (left > 0) left -= part.byteLength;
      else length = Buffer.concat([length, part]);
      if (length.byteLength < LENGTH_BYTES) continue;
      left = length.readUInt32BE();
      length = Buffer.alloc(0);
      if (left > MOST_ANSWER_BYTES) socket.destroy(new Error('it does not answer as a broker does'));
    }
  });
}

function saslOf({ mechanism, username, password }: BrokerLogin): SASLOptions {
  return { mechanism, username, password };
}

/** Names of KafkaJS's errors, and codes of the protocol. */
const LOGIN_FAILURES = new Set(['KafkaJSSASLAuthenticationError', 'SASL_AUTHENTICATION_FAILED', 'UNSUPPORTED_SASL_MECHANISM']);
const REFUSALS: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED: 'does not let this user read the topic',
  GROUP_AUTHORIZATION_FAILED: 'does not let this user be in a consumer group',
  CLUSTER_AUTHORIZATION_FAILED: 'does not let this user in',
  UNSUPPORTED_VERSION: 'speaks another version of the protocol',
};

interface FailedAt {
  readonly address: BrokerAddress;
  readonly socketFailure: Error | null;
}

function explainFailure(thrown: unknown, { address: { host, port, login }, socketFailure }: FailedAt): KafkaProblem {
  const known = causesOf(thrown).find(isKafkaProblem);
  if (known !== undefined) return known;
  const broker = `${host}:${port}`;
  const refused = [socketFailure, ...causesOf(thrown)].find(isAddressNotAllowed);
  if (refused !== undefined && refused !== null) return new KafkaProblem('not-allowed', `${broker}: ${(refused as Error).message}`, thrown);
  const marks = causesOf(thrown).flatMap(({ name, type }) => [name, type ?? '']);
  if (marks.some((mark) => LOGIN_FAILURES.has(mark)))
    return new KafkaProblem(
      'login',
      `The broker ${broker} does not accept the login${login === null ? '' : ` of ${login.username}`}.`,
      thrown,
    );
  const refusal = marks.flatMap((mark) => ownValue(REFUSALS, mark) ?? []).at(0);
  if (refusal !== undefined) return new KafkaProblem('refused', `The broker ${broker} ${refusal}.`, thrown);
  const what = socketFailure === null ? 'it does not answer' : reasonOf(socketFailure);
  return new KafkaProblem('unreachable', `The broker ${broker} cannot be reached: ${what}.`, thrown);
}

interface KafkaFailure extends Error {
  /** The code of the protocol. */
  readonly type?: string;
}

function causesOf(thrown: unknown): readonly KafkaFailure[] {
  const causes: KafkaFailure[] = [];
  for (let at = thrown; at instanceof Error && causes.length < 10; at = at.cause) causes.push(at);
  return causes;
}

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host cannot be looked up now',
  ECONNRESET: 'the connection was closed',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
};

function reasonOf(error: NodeJS.ErrnoException): string {
  return (
    ownValue(CODES, error.code ?? '') ??
    (error.code?.startsWith('ERR_') === true || error.code?.includes('CERT') === true ? `TLS failed (${error.code})` : error.message)
  );
}
