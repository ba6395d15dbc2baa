import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../testing/example-main.ts', import.meta.url));
/** Runs in the process before its main file: writes the address of each module that is loaded. */
const WATCH = `import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const write = (text) => { while (text !== '') try { text = text.slice(writeSync(2, text)); } catch (error) { if (error.code !== 'EAGAIN') throw error; } };
  registerHooks({ load: (url, context, next) => { write(url + '\\n'); return next(url, context); } });`;

/** The modules that a service has loaded when it has started. */
async function loadedModules(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const options = ['--conditions=@svc/source', `--import=data:text/javascript,${encodeURIComponent(WATCH)}`];
  const child = spawn(process.execPath, [...options, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { SVC_EXECUTOR_PORT: '0', SVC_EXECUTOR_ADMIN_PORT: '0', ...env },
    timeout: 120_000,
  });
  const closed = once(child, 'close');
  let loaded = '';
  child.stderr.on('data', (bytes: Buffer) => void (loaded += bytes.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('service started')) child.kill('SIGTERM');
  });
  await closed;
  return loaded.split('\n').filter((line) => line.startsWith('file:'));
}

/** SDK, instrumentation and exporter. The metrics library loads the API package alone, which has no effect by itself. */
const isOfTracing = (url: string): boolean => /@opentelemetry\/(?!api\/)|packages\/tracing\//.test(url);

test.each([
  ['nothing names an endpoint', {}],
  ['the SDK is disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' }],
  ['no traces are exported', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_EXPORTER: 'none' }],
])('nothing that traces is loaded where %s', async (_where, env) => {
  const loaded = await loadedModules(env);
  expect(loaded).toContainEqual(expect.stringContaining('trace-if-wanted.ts'));
  expect(loaded.filter(isOfTracing)).toEqual([]);
});

test('what traces is loaded where an endpoint is named', async () => {
  const loaded = await loadedModules({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' });
  expect(loaded.filter(isOfTracing).length).toBeGreaterThan(10);
});
