import { types } from 'node:util';

import type { PoolClient } from 'pg';

import { asLostConnection, LostConnectionError } from './lost-connection-error.ts';

/**
 * Limits the duration of every statement of a connection on the client side too: a stopped server, or a network that drops
 * packets, ends no statement. The connection is closed then. A connection that breaks during a statement fails it with a
 * LostConnectionError. Streams (COPY) have no limit; their reader or writer ends them.
 */
export function limitAnswers(client: PoolClient, limitMillis: () => number): void {
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  const limited = (...args: readonly unknown[]): unknown => {
    const answer = query(...args);
    return types.isPromise(answer) ? withinLimit(client, answer, limitMillis()) : answer;
  };
  // Called as the method of before, with the same arguments and the same answer.
  client.query = limited as PoolClient['query'];
}

async function withinLimit(client: PoolClient, answer: Promise<unknown>, limitMillis: number): Promise<unknown> {
  let late: LostConnectionError | undefined;
  const timer = setTimeout(() => {
    late = new LostConnectionError(new Error(`no answer to a statement in ${limitMillis} ms`));
    endNow(client);
  }, limitMillis);
  try {
    return await answer;
  } catch (thrown) {
    const explained = late ?? asLostConnection(thrown);
    if (explained instanceof LostConnectionError) endNow(client);
    throw explained;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Destroys the socket: an unresponsive server does not answer a termination message. Pending statements fail, and the pool
 * does not reuse a client that is ending.
 */
function endNow(client: PoolClient): void {
  client.end().catch(() => undefined);
  client.connection.stream.destroy();
}
