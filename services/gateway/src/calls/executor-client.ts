import { actAsHeaders, type Principal } from '@svc/auth';
import { ServiceError, serviceUnavailable } from '@svc/errors';
import { errors, Pool, type Dispatcher } from 'undici';

import type { ServiceToken } from './service-token.ts';

/** A call of a function on behalf of a principal. */
export interface FunctionCall {
  readonly packageName: string;
  readonly functionName: string;
  /** The arguments, a JSON object. */
  readonly json: string;
  readonly caller: Omit<Principal, 'kind'>;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The executor's answer; its body must be read or destroyed. */
export type ExecutorAnswer = Dispatcher.ResponseData;

/** Connection to the executor. */
export interface ExecutorClientOptions {
  readonly url: URL;
  readonly token: ServiceToken;
  /** Timeout for the head of a response, and between two chunks of its body. */
  readonly timeoutMillis: number;
}

const CONNECT_TIMEOUT_MILLIS = 5_000;

/** Calls functions of packages at the executor, over keep-alive connections. */
export class ExecutorClient {
  readonly #options: ExecutorClientOptions;
  readonly #pool: Pool;

  constructor(options: ExecutorClientOptions) {
    const { timeoutMillis } = options;
    this.#options = options;
    this.#pool = new Pool(options.url.origin, {
      headersTimeout: timeoutMillis,
      bodyTimeout: timeoutMillis,
      connect: { timeout: CONNECT_TIMEOUT_MILLIS },
      connections: 256,
    });
  }

  /** Calls a function. A rejected token is replaced once. Responses that are not for the caller become `service_unavailable`. */
  async call(call: FunctionCall): Promise<ExecutorAnswer> {
    const token = await this.#getToken();
    const answer = await this.#send(call, token);
    if (answer.statusCode !== 401) return refuseUnfit(answer);
    await answer.body.dump();
    await this.#options.token.forget(token);
    return refuseUnfit(await this.#send(call, await this.#getToken()));
  }

  /** Closes the connections and aborts running calls. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #getToken(): Promise<string> {
    try {
      return await this.#options.token.get();
    } catch (error) {
      throw serviceUnavailable('The endpoint cannot be answered now. Try again later.', error);
    }
  }

  async #send({ packageName, functionName, json, caller, headers, signal }: FunctionCall, token: string): Promise<ExecutorAnswer> {
    const path = `/packages/${encodeURIComponent(packageName)}/functions/${encodeURIComponent(functionName)}`;
    try {
      return await this.#pool.request({
        path,
        method: 'POST',
        headers: { ...headers, ...actAsHeaders(caller), 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: json,
        signal,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof errors.HeadersTimeoutError) throw new ServiceError('query_timeout', `${this.#options.timeoutMillis} ms`);
      throw serviceUnavailable('The endpoint cannot be answered now. Try again later.', error);
    }
  }
}

/** Statuses that concern the gateway, not the caller: its token was rejected, or the function was removed after its lookup. */
async function refuseUnfit(answer: ExecutorAnswer): Promise<ExecutorAnswer> {
  const { statusCode } = answer;
  if (statusCode !== 401 && statusCode !== 403 && statusCode !== 404) return answer;
  const cause = new Error(`The executor answered ${statusCode}: ${(await answer.body.text()).slice(0, 1000)}`);
  throw serviceUnavailable('The endpoint cannot be answered now. Try again later.', cause);
}
