import { runMain } from '@svc/service-kit';

import { createStreamApp } from './app.ts';
import { STREAM_SETTINGS } from './config.ts';
import { openDependencies } from './dependencies.ts';
import { injectNothing } from './jobs/injection.ts';

await runMain(process, {
  name: 'stream',
  settings: STREAM_SETTINGS,
  open: async (settings, logger) => {
    const { app, checks, resources } = await openDependencies(settings, logger, injectNothing);
    return { listener: createStreamApp(app), registry: app.metrics.registry, checks, resources };
  },
});
