import { runMain } from '@svc/service-kit';

import { createGatewayApp } from './app.ts';
import { GATEWAY_SETTINGS } from './config.ts';
import { openDependencies } from './dependencies.ts';

await runMain(process, {
  name: 'gateway',
  settings: GATEWAY_SETTINGS,
  open: async (settings, logger) => {
    const { app, checks, details, resources } = openDependencies(settings, logger);
    return { listener: createGatewayApp(app), registry: app.metrics.registry, checks, details, resources };
  },
});
