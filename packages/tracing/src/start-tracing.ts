import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';

import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

import { StorageContexts } from './storage-contexts.ts';
import { traceSourceSteps } from './trace-source-steps.ts';
import { withoutTexts } from './without-texts.ts';

/** The service, and the names of its responses. */
export interface TracingOptions {
  /** The default of `OTEL_SERVICE_NAME`. */
  readonly service: string;
  /** The path pattern of the route that answered. */
  readonly routeOf: (response: ServerResponse) => string | undefined;
}

/** Traces that are sent. */
export interface Tracing {
  /** Sends the remaining spans. */
  readonly close: () => Promise<void>;
}

/** Paths of the admin port: probes and scrapes are not traced. */
const ADMIN_PATHS = new Set(['/live', '/ready', '/metrics']);

/** Starts to trace this process: HTTP in and out, PostgreSQL, and the steps of sources. The standard variables `OTEL_…` configure the SDK. */
export function startTracing({ service, routeOf }: TracingOptions): Tracing {
  const contexts = new StorageContexts();
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [withoutTexts, new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register({ contextManager: contexts });
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({
        requireParentforOutgoingSpans: true,
        ignoreIncomingRequestHook: ({ url = '' }) => ADMIN_PATHS.has(url),
        applyCustomAttributesOnSpan: (span, request, response) => {
          const route = isAnswer(response) ? routeOf(response) : undefined;
          if (route === undefined) return;
          span.setAttribute('http.route', route);
          span.updateName(`${request.method ?? ''} ${route}`);
        },
      }),
      new UndiciInstrumentation({ requireParentforSpans: true }),
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  });
  // Instrumentations change what `require` returns. ES modules loaded before share those objects, and named imports of
  // Node's own modules are updated.
  const require = createRequire(import.meta.url);
  require('http');
  require('https');
  require('pg');
  syncBuiltinESMExports();
  traceSourceSteps(provider.getTracer('svc'), contexts);
  return { close: () => provider.shutdown() };
}

function isAnswer(response: IncomingMessage | ServerResponse): response is ServerResponse {
  return 'writableFinished' in response;
}
