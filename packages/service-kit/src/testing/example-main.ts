/** A minimal service for tests that need a process: depending on the path it answers, hangs, or throws outside of any handler. */
import { commonSettings, createHttpMetrics, runMain } from '../index.ts';
import { createFaultyApp } from './faulty-app.ts';

await runMain(process, {
  name: 'example',
  settings: commonSettings('EXECUTOR', { port: 8081, adminPort: 9081 }),
  open: async (_settings, logger) => {
    const metrics = createHttpMetrics();
    const app = createFaultyApp(logger, metrics);
    return {
      listener: (req, res) => {
        if (req.url === '/hang') logger.info('hanging');
        else if (req.url === '/outside') throw new Error('a fault outside of requests');
        else app(req, res);
      },
      registry: metrics.registry,
      checks: {},
      resources: [],
    };
  },
});
