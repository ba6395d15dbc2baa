/** The smallest service, for the tests that need a process: it answers, or hangs where asked to. */
import { commonSettings, createHttpMetrics, createLogger, readEnv, runService, startService } from '../index.ts';

await runService(process, async () => {
  const { settings } = readEnv(process.env, commonSettings('EXECUTOR', { port: 8081, adminPort: 9081 }));
  const logger = createLogger({ service: 'example', level: settings.logLevel });
  return startService({
    name: 'example',
    host: settings.host,
    port: settings.port,
    adminPort: settings.adminPort,
    listener: (req, res) => {
      if (req.url === '/hang') logger.info('hanging');
      else res.end('ok');
    },
    registry: createHttpMetrics().registry,
    checks: {},
    resources: [],
    logger,
  });
});
