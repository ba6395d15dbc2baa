/**
 * A program for tests: the stream service, which kills its own process when it reaches a point for the nth time
 * (`TEST_STOP_AT=after-rows:2`) with the signal `TEST_STOP_SIGNAL`.
 */
import { runMain } from '@svc/service-kit';

import { createStreamApp } from '../app.ts';
import { STREAM_SETTINGS } from '../config.ts';
import { openDependencies } from '../dependencies.ts';
import type { Inject } from '../jobs/injection.ts';

const [stopAt = '', count = '1'] = (process.env['TEST_STOP_AT'] ?? '').split(':');
let left = Number(count);

const inject: Inject = (point) => {
  if (point !== stopAt) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, process.env['TEST_STOP_SIGNAL'] ?? 'SIGKILL');
};

await runMain(process, {
  name: 'stream',
  settings: STREAM_SETTINGS,
  open: async (settings, logger) => {
    const { app, checks, resources } = await openDependencies(settings, logger, inject);
    return { listener: createStreamApp(app), registry: app.metrics.registry, checks, resources };
  },
});
