import { ask } from './ask.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

/** A key as its creation answers it. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
}

/** Administrative steps of tests before they call endpoints. */
export interface Administration {
  readonly putApplication: (name: string, definition: string, subject?: string) => Promise<void>;
  readonly createKey: (body?: Readonly<Record<string, unknown>>, subject?: string) => Promise<CreatedKey>;
  readonly changeKey: (id: string, body: Readonly<Record<string, unknown>>, subject?: string) => Promise<void>;
  readonly rotateKey: (id: string, graceSeconds: number) => Promise<CreatedKey>;
  readonly showKey: (id: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** Administrates a gateway; a rejected request fails the test. The subject is `ann` by default. */
export function administrate(gateway: Pick<GatewayUnderTest, 'url' | 'token'>): Administration {
  const send = async (
    method: 'put' | 'post' | 'patch' | 'get',
    path: string,
    { body, subject = 'ann', type = 'application/json' }: Sent,
  ) => {
    const headers = body === undefined ? {} : { 'Content-Type': type };
    const answer = await ask(gateway.url, method, `/svc/1/api/admin/${path}`, { as: await gateway.token(subject), body, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    putApplication: async (name, body, subject) =>
      void (await send('put', `applications/${name}`, { body, subject, type: 'application/yaml' })),
    createKey: async (body = {}, subject) => (await send('post', 'keys', { body: { name: 'a key', ...body }, subject })) as CreatedKey,
    changeKey: async (id, body, subject) => void (await send('patch', `keys/${id}`, { body, subject })),
    rotateKey: async (id, graceSeconds) => (await send('post', `keys/${id}/rotate`, { body: { graceSeconds } })) as CreatedKey,
    showKey: async (id) => (await send('get', `keys/${id}`, {})) as Readonly<Record<string, unknown>>,
  };
}

interface Sent {
  readonly body?: string | object;
  readonly subject?: string | undefined;
  readonly type?: string;
}
