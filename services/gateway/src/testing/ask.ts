import supertest from 'supertest';

/** A request of a test. */
export interface Asked {
  /** An access token. */
  readonly as?: string | undefined;
  /** An API key. */
  readonly key?: string | undefined;
  /** Objects are sent as JSON, strings unchanged. */
  readonly body?: string | Buffer | object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response; `body` is parsed if it is JSON, else text. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** The methods of test requests. */
export type AskedMethod = 'get' | 'put' | 'delete' | 'post' | 'head' | 'patch';

/** Sends a request and reads the whole response. */
export async function ask(url: string, method: AskedMethod, path: string, { as, key, body, headers = {} }: Asked = {}): Promise<Answered> {
  const answer = await supertest(url)
    [method](path)
    .set({ ...(as !== undefined && { Authorization: `Bearer ${as}` }), ...(key !== undefined && { 'X-SVC-API-KEY': key }), ...headers })
    .send(body);
  return {
    status: answer.status,
    body: answer.type.includes('json') && !answer.type.includes('ndjson') ? (answer.body as unknown) : answer.text,
    headers: answer.headers as Readonly<Record<string, string>>, // Node joins what is repeated, save for set-cookie, which nobody sends
  };
}
