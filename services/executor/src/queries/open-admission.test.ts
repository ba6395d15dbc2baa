import { createHttpMetrics, createLogger } from '@svc/service-kit';

import { openAdmission } from './open-admission.ts';
import { createRefusalCounter } from './overload-guard.ts';

const never = new AbortController().signal;

test('queries that waited too long, and those for which the queue is full, count as refused', async () => {
  const metrics = createHttpMetrics();
  const countRefusal = createRefusalCounter(metrics, createLogger({ service: 'admission', level: 'silent' }));
  const admission = openAdmission({ queryConcurrency: 1, queryConcurrencyPerSubject: undefined, waitMillis: 1, countRefusal });
  const leave = await admission.enter('ann', never);
  const waiting = Array.from({ length: 17 }, () => admission.enter('ann', never));
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 17 }, () => 'rejected'));
  expect(await metrics.registry.getSingleMetricAsString('svc_queries_refused_total')).toMatch(/svc_queries_refused_total 17$/);
  leave();
});
