/** The smallest service, for the tests that need a process: it answers, or hangs where asked to. */
import { commonSettings, createHttpMetrics, runMain } from '../index.ts';

await runMain(process, {
  name: 'example',
  settings: commonSettings('EXECUTOR', { port: 8081, adminPort: 9081 }),
  open: async (_settings, logger) => ({
    listener: (req, res) => {
      if (req.url === '/hang') logger.info('hanging');
      else res.end('ok');
    },
    registry: createHttpMetrics().registry,
    checks: {},
    resources: [],
  }),
});
