import supertest from 'supertest';

/** A request of a test. */
export interface Asked {
  /** A token; null sends none. */
  readonly as?: string | null;
  /** Strings are sent as text, buffers unchanged, other objects as JSON. */
  readonly body?: string | Buffer | object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response; `body` is parsed if it is JSON, else text. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** HTTP method of a test request. */
export type AskedMethod = 'get' | 'put' | 'delete' | 'post' | 'head';

/** Sends a request to an executor and reads the whole response. */
export async function ask(url: string, method: AskedMethod, path: string, { as, body, headers = {} }: Asked = {}): Promise<Answered> {
  const request = supertest(url)
    [method](path)
    .set(typeof as === 'string' ? { Authorization: `Bearer ${as}` } : {});
  const type = typeof body === 'string' ? { 'Content-Type': 'text/plain' } : {};
  const answer = await request.set({ ...type, ...headers }).send(body);
  return {
    status: answer.status,
    body: answer.type.includes('json') && answer.type !== 'application/x-ndjson' ? (answer.body as unknown) : answer.text,
    headers: answer.headers as Readonly<Record<string, string>>, // Node joins what is repeated, save for set-cookie, which nobody sends
  };
}

/** The status and the body of an answer, which is JSON or text. */
export type StatusAndBody = readonly [status: number, body: unknown];

/** Sends requests on behalf of one caller unless a request overrides it; `at` is called for each request. */
export function askingAs(
  at: () => { readonly url: string; readonly token: string },
): (method: AskedMethod, path: string, asked?: Asked) => Promise<StatusAndBody> {
  return async (method, path, asked = {}) => {
    const { url, token } = at();
    const { status, body } = await ask(url, method, path, { as: token, ...asked });
    return [status, body];
  };
}
