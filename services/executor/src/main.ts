import { runMain } from '@svc/service-kit';

import { createExecutorApp } from './app.ts';
import { EXECUTOR_SETTINGS } from './config.ts';
import { openDependencies } from './dependencies.ts';
import { lowerThreadPriority } from './thread-priority.ts';

/** Besides one thread per query: for files, DNS and cryptography. */
const SPARE_THREADS = 16;

let interruptAll = (): void => {};

await runMain(process, {
  name: 'executor',
  settings: EXECUTOR_SETTINGS,
  open: async (settings, logger) => {
    const wantedThreads = settings.queryConcurrency + SPARE_THREADS;
    if (settings.threadPoolSize < wantedThreads)
      logger.warn({ threads: settings.threadPoolSize, wantedThreads }, 'UV_THREADPOOL_SIZE is small: queries will wait for threads');
    await lowerThreadPriority();
    const { app, guard, checks, resources, engine } = await openDependencies(settings, logger);
    interruptAll = () => void engine.close();
    return {
      listener: guard(createExecutorApp(app)),
      registry: app.metrics.registry,
      checks,
      resources,
      idHeaders: ['X-SVC-Query-Id'],
    };
  },
  beforeForcedExit: () => interruptAll(),
});
