import { freePort } from '@svc/local-stack';
import { testAuthorization } from '@svc/test-kit';

import { ask } from './ask.ts';
import { startServiceProcess, type ServiceProcess } from './service-process.ts';

/** The executor behind a gateway, in a separate process. */
export interface ExecutorProcess extends ServiceProcess {
  /** Stores a package on behalf of a subject. */
  readonly putPackage: (name: string, code: string, subject?: string) => Promise<void>;
  readonly deletePackage: (name: string, subject?: string) => Promise<void>;
}

/** Starts one and waits until it listens. */
export async function startExecutorProcess(env: Readonly<Record<string, string>>): Promise<ExecutorProcess> {
  const port = env['SVC_EXECUTOR_PORT'] ?? String(await freePort());
  const executor = await startServiceProcess('executor', {
    UV_THREADPOOL_SIZE: '24',
    SVC_QUERY_MEMORY_MB: '512',
    ...env,
    SVC_EXECUTOR_PORT: port,
  });
  const send = async (method: 'put' | 'delete', path: string, { body, subject }: { readonly body?: string; readonly subject: string }) => {
    const { mint } = await testAuthorization();
    const headers = body === undefined ? {} : { 'Content-Type': 'text/plain' };
    const answer = await ask(executor.url, method, path, { as: await mint({ sub: subject }), body, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  return {
    ...executor,
    putPackage: (name, body, subject = 'ann') => send('put', `/packages/${name}?replace=true`, { body, subject }),
    deletePackage: (name, subject = 'ann') => send('delete', `/packages/${name}`, { subject }),
  };
}
