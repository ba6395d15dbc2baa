import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of a process, and the middleware that counts requests. Services add their own to `registry`. */
export interface HttpMetrics {
  readonly registry: Registry;
  readonly observe: RequestHandler;
}

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** A registry with Node's own metrics, `svc_http_requests_total` and `svc_http_request_duration_seconds`. */
export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'svc_http_requests_total',
    help: 'Requests answered, by method, path pattern and status; a request that ended early has the status "aborted".',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer, by method and path pattern.',
    labelNames: ['method', 'route'] as const,
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  const requestsOf = remember((method, route, status) => requests.labels({ method, route, status }));
  const durationsOf = remember((method, route) => durations.labels({ method, route }));
  const observe: RequestHandler = (req, res, next) => {
    const startedAt = performance.now();
    res.once('close', () => {
      const method = KNOWN_METHODS.has(req.method) ? req.method : 'other';
      const route = res.routePath ?? 'none';
      requestsOf(method, route, res.writableFinished ? String(res.statusCode) : 'aborted').inc();
      durationsOf(method, route).observe((performance.now() - startedAt) / 1000);
    });
    next();
  };
  return { registry, observe };
}

/** Adds a gauge whose value is read on each scrape. */
export function addGauge(
  { registry }: Pick<HttpMetrics, 'registry'>,
  { name, help, value }: { readonly name: string; readonly help: string; readonly value: () => number },
): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(value()) });
}

/** The number of label values must stay bounded, whatever callers send. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS']);

/** Caches counters by labels: the lookup costs more than counting, and there are few combinations. */
function remember<Labels extends readonly string[], Metric>(find: (...labels: Labels) => Metric): (...labels: Labels) => Metric {
  const found = new Map<string, Metric>();
  return (...labels) => {
    const key = labels.join(' ');
    const metric = found.get(key) ?? find(...labels);
    found.set(key, metric);
    return metric;
  };
}
