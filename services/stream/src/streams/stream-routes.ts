import { X509Certificate } from 'node:crypto';

import type { Principal } from '@svc/auth';
import { ServiceError } from '@svc/errors';
import { routeDefiner, type Route } from '@svc/service-kit';

import type { BrokerAddress, BrokerTls } from '../kafka/broker-address.ts';
import { replayDeadLetters, type ReplayWorld } from './replay-dead-letters.ts';
import {
  base64,
  DEAD_LETTER,
  deadLetterDetail,
  JOB_STATUS,
  printLogLine,
  printTime,
  REPLAY_RESULT,
  STREAM_ITEM,
  STREAM_POST,
  STREAM_VALIDATE,
  streamItem,
  VALIDATION,
} from './stream-wire.ts';
import type { Streams } from './streams.ts';
import { sampleTransform, type SampledMessage, type SampleWorld } from './validate-transform.ts';
import { tableTypeOf } from './wanted-table.ts';

const defineRoute = routeDefiner<Principal>();

const DEFAULT_INTERVAL_MILLIS = 1000;

/** Dependencies of the stream endpoints. */
export interface StreamRoutesOptions {
  readonly streams: Streams;
  readonly world: ReplayWorld & SampleWorld;
}

/** The endpoints of streams. */
export function streamRoutes(options: StreamRoutesOptions): readonly Route<Principal>[] {
  const { streams } = options;
  return [
    defineRoute({
      method: 'post',
      path: '/stream/:name',
      tag: 'streams',
      summary: 'Creates a stream: messages of a topic become rows of a table, each exactly once.',
      request: { body: { kind: 'json', schema: STREAM_POST } },
      responses: { 200: { description: 'It runs, and its table is there.' } },
      errors: ['stream_name_invalid', 'stream_already_exists', 'stream_error'],
      handler: async ({ params, body, caller, signal }) => {
        const post = {
          address: addressOf(body),
          topic: body.topic,
          transform: body.transform,
          intervalMillis: body.intervalMillis ?? DEFAULT_INTERVAL_MILLIS,
          indexes: body.indexes ?? [],
          location: body.location ?? null,
          retention: body.retention ?? null,
          keyFields: keyFieldsOf(body),
          evolve: body.evolve ?? false,
        };
        await streams.create(caller, params.name, post, signal);
        return { status: 200 };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/stream',
      tag: 'streams',
      summary: 'Lists streams by name.',
      responses: { 200: { description: 'The streams.', content: { 'application/json': { type: 'array', items: STREAM_ITEM } } } },
      handler: async ({ caller }) => ({ status: 200, json: (await streams.list(caller)).map(streamItem) }),
    }),
    defineRoute({
      method: 'get',
      path: '/stream/:name',
      tag: 'streams',
      summary: 'Shows the jobs of a stream.',
      responses: { 200: { description: 'Its jobs.', content: { 'application/json': { type: 'array', items: JOB_STATUS } } } },
      errors: ['stream_not_found'],
      handler: async ({ params, caller }) => ({ status: 200, json: await streams.jobs(caller, params.name) }),
    }),
    defineRoute({
      method: 'delete',
      path: '/stream/:name',
      tag: 'streams',
      summary: 'Stops a stream and forgets it. Its table stays, and so does how far it came.',
      request: {
        query: {
          properties: { force: { type: 'boolean', default: false, description: 'Does not wait for a batch that is being stored.' } },
        },
      },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['stream_not_found', 'stream_error'],
      handler: async ({ params, query, caller }) => {
        await streams.delete(caller, params.name, { isForced: query.force });
        return { status: 204 };
      },
    }),
    ...changes(streams),
    ...(['get', 'post'] as const).map((method) => logs(streams, method)),
    validate(options),
    ...deadLetters(options),
  ];
}

interface ModeBody {
  readonly mode?: 'append' | 'upsert' | undefined;
  readonly keyFields?: readonly string[] | undefined;
}

/** Null for a stream that appends. */
function keyFieldsOf({ mode = 'append', keyFields }: ModeBody): readonly string[] | null {
  if (mode === 'upsert' && keyFields === undefined)
    throw new ServiceError('bad_request', 'keyFields: a stream with mode "upsert" needs them.');
  if (mode === 'append' && keyFields !== undefined)
    throw new ServiceError('bad_request', 'keyFields: only a stream with mode "upsert" has them.');
  return keyFields ?? null;
}

function changes(streams: Streams): readonly Route<Principal>[] {
  const summaries = {
    kill: 'Stops all jobs of a stream for good; a POST of its name starts it anew.',
    pause: 'Stops all jobs of a stream until it is resumed.',
    resume: 'Lets a paused stream go on where it was.',
  } as const;
  return (['kill', 'pause', 'resume'] as const).map((change) =>
    defineRoute({
      method: 'post',
      path: `/stream/:name/${change}`,
      tag: 'streams',
      summary: summaries[change],
      responses: { 200: { description: 'Done.' } },
      errors: ['stream_not_found', 'stream_error'],
      handler: async ({ params, caller }) => {
        await streams[change](caller, params.name);
        return { status: 200 };
      },
    }),
  );
}

function logs(streams: Streams, method: 'get' | 'post'): Route<Principal> {
  return defineRoute({
    method,
    path: '/stream/:name/logs/:job',
    tag: 'streams',
    summary: 'The latest lines that a job wrote, of all processes.',
    responses: { 200: { description: 'A line each: time of day, level, message.', content: { 'text/plain': { type: 'string' } } } },
    errors: ['stream_not_found', 'stream_job_not_found'],
    handler: async ({ params, caller }) => ({
      status: 200,
      text: (await streams.log(caller, params.name, params.job)).map(printLogLine).join(''),
    }),
  });
}

function validate({ streams, world }: StreamRoutesOptions): Route<Principal> {
  return defineRoute({
    method: 'post',
    path: '/stream-validate',
    tag: 'streams',
    summary: 'The table that a transform would make, and what it makes of the latest messages of a topic. Stores nothing.',
    request: { body: { kind: 'json', schema: STREAM_VALIDATE } },
    responses: { 200: { description: 'The transform can be used.', content: { 'application/json': VALIDATION } } },
    errors: ['stream_error'],
    handler: async ({ body, caller, signal }) => {
      const transform = await streams.compile(caller, body.transform, signal);
      const type = tableTypeOf(transform.rowType);
      const { host, port, topic, sample } = body;
      if (sample === undefined) return { status: 200, json: { type } };
      if (host === undefined || port === undefined || topic === undefined)
        throw new ServiceError('bad_request', 'sample: messages are taken from a topic, so host, port and topic are needed too.');
      const address = addressOf({ ...body, host, port });
      const sampled = await sampleTransform(world, transform, { address, topic, count: sample, caller, signal });
      return { status: 200, json: { type, sample: sampled.map(sampledDetail) } };
    },
  });
}

function sampledDetail({ message, row, error }: SampledMessage) {
  const { topic, partition, offset, timestampMillis, key, value } = message;
  return {
    ...{ topic, partition, offset: Number(offset), timestamp: printTime(timestampMillis), key: base64(key), value: base64(value) },
    row: row === null ? null : (JSON.parse(row) as unknown),
    error: error === null ? null : { message: error.message, position: error.positions[0] ?? null },
  };
}

function deadLetters({ streams, world }: StreamRoutesOptions): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'get',
      path: '/stream/:name/dead-letters',
      tag: 'streams',
      summary: 'Messages that could not be stored, in the order in which they came, with the reason.',
      request: {
        query: {
          properties: {
            after: { type: 'integer', minimum: 0, default: 0, description: 'The id behind which to go on.' },
            limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
          },
        },
      },
      responses: { 200: { description: 'The letters.', content: { 'application/json': { type: 'array', items: DEAD_LETTER } } } },
      errors: ['stream_not_found'],
      handler: async ({ params, query, caller }) => ({
        status: 200,
        json: (await streams.deadLetters(caller, params.name, query)).map(deadLetterDetail),
      }),
    }),
    defineRoute({
      method: 'post',
      path: '/stream/:name/dead-letters/replay',
      tag: 'streams',
      summary: 'Runs the transform over the dead letters once more. What is stored is dead no longer.',
      responses: { 200: { description: 'What became of them.', content: { 'application/json': REPLAY_RESULT } } },
      errors: ['stream_not_found', 'stream_error'],
      handler: async ({ params, caller, signal }) => {
        const stream = await streams.get(caller, params.name);
        const transform = await streams.compile(stream, stream.settings.transform, signal);
        return { status: 200, json: await replayDeadLetters(world, { stream, transform, signal }) };
      },
    }),
  ];
}

interface AddressBody {
  readonly host: string;
  readonly port: number;
  readonly security?:
    | {
        readonly tls?: BrokerTls | undefined;
        readonly sasl?:
          | { readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; readonly username: string; readonly password: string }
          | null
          | undefined;
      }
    | null
    | undefined;
}

function addressOf({ host, port, security }: AddressBody): BrokerAddress {
  const tls = security === null || security === undefined ? false : (security.tls ?? true);
  if (typeof tls === 'object' && !isCertificate(tls.ca))
    throw new ServiceError('bad_request', 'security.tls.ca must hold a certificate in PEM: -----BEGIN CERTIFICATE----- and so on.');
  return { host, port, tls, login: security?.sasl ?? null };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
