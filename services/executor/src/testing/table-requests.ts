import type { Asked, AskedMethod } from './ask.ts';
import { ask } from './ask.ts';

/** The status and the body of an answer, which is JSON or text. */
export type StatusAndBody = readonly [status: number, body: unknown];

/** What tests of tables ask of an executor, on behalf of one caller unless they say otherwise. */
export interface TableRequests {
  readonly answer: (method: AskedMethod, path: string, asked?: Asked) => Promise<StatusAndBody>;
  /** Without a body: a table with the field `a: int`. */
  readonly put: (name: string, body?: object, as?: string) => Promise<StatusAndBody>;
  /** Rows, as JSON lines unless the headers say otherwise. */
  readonly send: (name: string, body: string | Buffer, asked?: Pick<Asked, 'as' | 'headers'>) => Promise<StatusAndBody>;
}

/** The requests to an executor; it and the caller's token are asked for when they are needed. */
export function tableRequests(at: () => { readonly url: string; readonly token: string }): TableRequests {
  const answer: TableRequests['answer'] = async (method, path, asked = {}) => {
    const { url, token } = at();
    const { status, body } = await ask(url, method, path, { as: token, ...asked });
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
