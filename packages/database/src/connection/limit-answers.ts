import { types } from 'node:util';

import type { PoolClient } from 'pg';

import { asLostConnection, LostConnectionError } from './lost-connection-error.ts';

/**
 * Gives every statement of a connection a limit on this side too: a server that is stopped, or a network that drops it, ends no statement
 * itself. The connection is of no use then and is ended. A connection that breaks under a statement makes it fail with a
 * LostConnectionError. Streams (COPY) have no limit: whoever reads or writes them ends them.
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
 * Ends the socket: a server that answers nothing takes no good-bye. What waits for the connection then fails, and the pool, which looks at
 * whether a client is ending when it comes back, gives it to nobody.
 */
function endNow(client: PoolClient): void {
  client.end().catch(() => undefined);
  client.connection.stream.destroy();
}
