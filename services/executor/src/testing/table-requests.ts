import type { Asked, AskedMethod, StatusAndBody } from './ask.ts';
import { askingAs } from './ask.ts';

/** Requests of tests about tables, on behalf of one caller unless overridden. */
export interface TableRequests {
  readonly answer: (method: AskedMethod, path: string, asked?: Asked) => Promise<StatusAndBody>;
  /** Without a body: a table with the field `a: int`. */
  readonly put: (name: string, body?: object, as?: string) => Promise<StatusAndBody>;
  /** Appends rows, as JSON lines unless the headers override it. */
  readonly send: (name: string, body: string | Buffer, asked?: Pick<Asked, 'as' | 'headers'>) => Promise<StatusAndBody>;
}

/** Creates the requests to an executor; `at` is called for each request. */
export function tableRequests(at: () => { readonly url: string; readonly token: string }): TableRequests {
  const plain = askingAs(at);
  const answer: TableRequests['answer'] = async (...asked) => {
    const [status, body] = await plain(...asked);
    return [status, body ?? ''];
  };
  return {
    answer,
    put: (name, body = { type: 'collection(record(a: int))' }, as = at().token) => answer('put', `/tables/${name}`, { as, body }),
    send: (name, body, { headers = {}, ...asked } = {}) =>
      answer('post', `/tables/${name}/rows`, { ...asked, body, headers: { 'Content-Type': 'application/x-ndjson', ...headers } }),
  };
}

/** A refusal with this code and text. */
export function refusal(code: string, message: string | RegExp): readonly [number, unknown] {
  return [400, { code, message: typeof message === 'string' ? message : (expect.stringMatching(message) as unknown) }];
}
