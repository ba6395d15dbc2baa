import { runMain } from '@svc/service-kit';

import { createCredentialsApp } from './app.ts';
import { CREDENTIALS_SETTINGS } from './config.ts';
import { openDependencies } from './dependencies.ts';

await runMain(process, {
  name: 'credentials',
  settings: CREDENTIALS_SETTINGS,
  open: async (settings, logger) => {
    const { app, checks, resources } = openDependencies(settings, logger);
    return { listener: createCredentialsApp(app), registry: app.metrics.registry, checks, resources };
  },
});
