import { createLogger, readEnv, runService, startService } from '@svc/service-kit';

import { createExecutorApp } from './app.ts';
import { EXECUTOR_SETTINGS } from './config.ts';
import { openDependencies } from './dependencies.ts';
import { giveWayToEventLoop } from './give-way.ts';

/** Besides one for each query: for files, names of hosts and cryptography. */
const SPARE_THREADS = 16;

let interruptAll = (): void => {};

await runService(
  process,
  async () => {
    const { settings, warnings } = readEnv(process.env, EXECUTOR_SETTINGS);
    const logger = createLogger({ service: 'executor', level: settings.logLevel });
    for (const warning of warnings) logger.warn(warning);
    const wantedThreads = settings.queryConcurrency + SPARE_THREADS;
    if (settings.threadPoolSize < wantedThreads)
      logger.warn({ threads: settings.threadPoolSize, wantedThreads }, 'UV_THREADPOOL_SIZE is small: queries will wait for threads');
    await giveWayToEventLoop();
    const { app, guard, checks, resources, engine } = await openDependencies(settings, logger);
    interruptAll = () => void engine.close();
    return startService({
      name: 'executor',
      host: settings.host,
      port: settings.port,
      adminPort: settings.adminPort,
      listener: guard(createExecutorApp(app)),
      registry: app.metrics.registry,
      checks,
      resources,
      logger,
      idHeaders: ['X-SVC-Query-Id'],
    });
  },
  { beforeForcedExit: () => interruptAll() },
);
