import type { Environment } from '../settings/read-env.ts';
import type { Resource } from './start-service.ts';

/**
 * Starts OpenTelemetry if the standard variables name an endpoint; otherwise none of it is loaded. Returns the resource that
 * sends the last traces when closed.
 */
export async function traceIfWanted(service: string, env: Environment): Promise<readonly Resource[]> {
  if (!isTracingWanted(env)) return [];
  const { startTracing } = await import('@svc/tracing');
  const { close } = startTracing({ service, routeOf: ({ routePath }) => routePath });
  return [{ name: 'tracing', close }];
}

function isTracingWanted(env: Environment): boolean {
  if (env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return false;
  return ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some((name) => (env[name] ?? '') !== '');
}
