import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';

/** A running query; its id is in the head of the response. */
export interface RunningQuery {
  readonly id: string | undefined;
  readonly text: string;
}

const TIMEOUT_MS = 3000;

/** Cancels a query in the executor. Errors are ignored: the executor also detects that its client has disconnected. */
export async function cancelQuery(cli: Cli, { id, text }: RunningQuery): Promise<void> {
  try {
    const { executor } = await cli.services({ signal: AbortSignal.timeout(TIMEOUT_MS) });
    const cancel = async (found: string): Promise<unknown> => unwrap(executor.DELETE('/queries/{id}', { params: { path: { id: found } } }));
    if (id !== undefined) return void (await cancel(id));
    const running = await unwrap(executor.GET('/queries'));
    // The list shows the beginning of each text. Of two equal ones, either could be that of another window.
    const [found, ...others] = running.filter((query) => query.query !== '' && text.trim().startsWith(query.query.trim()));
    if (found !== undefined && others.length === 0) await cancel(found.id);
  } catch {
    // The connection is closed next.
  }
}
