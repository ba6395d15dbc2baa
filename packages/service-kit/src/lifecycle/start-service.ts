import type { RequestListener } from 'node:http';

import type { Registry } from 'prom-client';

import { createAdminListener, type ReadinessCheck } from '../http/admin-server.ts';
import type { Logger } from '../logging/logger.ts';
import { listenHttp, type HttpListener } from './http-listener.ts';
import type { SlowClientOptions } from './slow-clients.ts';

/** A resource of a service, closed when it stops. */
export interface Resource {
  readonly name: string;
  readonly close: () => Promise<void>;
  /** Afterwards the next resource is closed all the same. */
  readonly timeoutMs?: number;
}

/** Options of a service. */
export interface ServiceOptions extends Partial<SlowClientOptions> {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly adminPort: number;
  readonly listener: RequestListener;
  readonly registry: Registry;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Facts for the operator that `/ready` shows in addition. */
  readonly details?: () => Readonly<Record<string, unknown>>;
  /** Closed in this order, after the last request. */
  readonly resources: readonly Resource[];
  readonly logger: Logger;
  /** Time between "not ready" and the end of accepting connections, in which clients leave their kept connections. */
  readonly unreadyMs?: number;
  /** Time for running requests after a stop signal; then they are aborted. */
  readonly drainTimeoutMs?: number;
  /** Time for the drain and for closing all resources: each has a limit of its own, and several may wait for the same server that hangs. */
  readonly stopTimeoutMs?: number;
  readonly headersTimeoutMs?: number;
  /** Further headers with an id that responses carry beside `X-Request-Id`, even those to malformed requests. */
  readonly idHeaders?: readonly string[];
}

/** A service that runs. */
export interface RunningService {
  readonly url: string;
  readonly adminUrl: string;
  readonly logger: Logger;
  /** Stops in phases; a second call waits for the first. Answers whether everything ended within its limit. */
  readonly stop: () => Promise<boolean>;
}

/**
 * Listens on the public and on the admin port. Rejects with a StartError if a port is not available, after closing the other
 * port and the resources.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  let isStopping = false;
  const listeners: HttpListener[] = [];
  try {
    const adminListener = createAdminListener({ ...options, isStopping: () => isStopping });
    const { name, host, adminPort } = options;
    const admin = await listenHttp({ name: `${name} (admin)`, host, port: adminPort, listener: adminListener });
    listeners.push(admin);
    const main = await listenHttp(options);
    options.logger.info({ url: main.url, adminUrl: admin.url }, 'service started');
    let stopped: Promise<boolean> | undefined;
    const stop = (): Promise<boolean> => {
      isStopping = true;
      stopped ??= stopInPhases(options, { main, admin });
      return stopped;
    };
    return { url: main.url, adminUrl: admin.url, logger: options.logger, stop };
  } catch (error) {
    for (const listener of listeners) await listener.drain(0);
    await closeResources(options, performance.now() + STOP_TIMEOUT_MS);
    throw error;
  }
}

async function stopInPhases(options: ServiceOptions, { main, admin }: Readonly<Record<'main' | 'admin', HttpListener>>): Promise<boolean> {
  const { logger, unreadyMs = 0, drainTimeoutMs = 20_000 } = options;
  logger.info('service stops: not ready any more');
  main.retire();
  if (unreadyMs > 0) await new Promise((resolve) => setTimeout(resolve, unreadyMs));
  const deadline = performance.now() + (options.stopTimeoutMs ?? STOP_TIMEOUT_MS);
  const cutOff = await main.drain(drainTimeoutMs);
  if (cutOff > 0) logger.warn({ requests: cutOff }, 'requests were cut off');
  const isClean = await closeResources(options, deadline);
  // Last: probes are answered until the end.
  await admin.drain(500);
  logger.info('service stopped');
  return isClean && cutOff === 0;
}

/** Kubernetes kills a process after 30 s by default. */
const STOP_TIMEOUT_MS = 24_000;
/** Even after the time for stopping, a resource that waits for nothing closes within this. */
const LEAST_CLOSE_MS = 500;

async function closeResources({ resources, logger }: ServiceOptions, deadline: number): Promise<boolean> {
  let isClean = true;
  for (const { name, close, timeoutMs = 5000 } of resources) {
    try {
      const leftMs = Math.round(deadline - performance.now());
      await withLimit(close(), Math.min(timeoutMs, Math.max(leftMs, LEAST_CLOSE_MS)));
    } catch (error) {
      isClean = false;
      logger.error({ err: error, resource: name }, 'resource did not close');
    }
  }
  return isClean;
}

async function withLimit(work: Promise<void>, timeoutMs: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not closed within ${timeoutMs} ms`)), timeoutMs);
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
