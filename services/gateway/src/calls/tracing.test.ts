import { CredentialEventStore, CredentialStore } from '@svc/database';
import { freePort } from '@svc/local-stack';
import { eventually, serverOf } from '@svc/test-kit';
import { createVault, Credentials } from '@svc/vault';

import { administrate } from '../testing/administrate.ts';
import { ask } from '../testing/ask.ts';
import { startExecutorProcess } from '../testing/executor-process.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';
import { startServiceProcess } from '../testing/service-process.ts';
import { startTraceCollector, type ReceivedSpan, type TraceCollector } from '../testing/trace-collector.ts';

let gateway: GatewayUnderTest;
let collector: TraceCollector;
beforeAll(async () => {
  [gateway, collector] = await Promise.all([startGatewayUnderTest(), startTraceCollector()]);
});
afterAll(async () => {
  await gateway.close();
  await collector.close();
});

/** Registers the gateway's own database as an external server. */
async function registerServer(): Promise<void> {
  const { SVC_DATABASE_URL: databaseUrl = '', SVC_MASTER_KEY: masterKey = '' } = gateway.env;
  const credentials = new Credentials({
    store: new CredentialStore(gateway.database),
    events: new CredentialEventStore(gateway.database),
    vault: createVault({ masterKey: Buffer.from(masterKey, 'base64') }),
  });
  await credentials.register(
    { subject: 'ann', kind: 'rdbmsserver', name: 'meta' },
    { vendor: 'postgresql', ...serverOf(databaseUrl), properties: {} },
  );
}

/** The span and those around it, innermost first, as "service name". */
function pathOf(span: ReceivedSpan | undefined): readonly string[] {
  if (span === undefined) return [];
  const parent = collector.spans.find(({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId);
  return [`${span.service} ${span.name}`, ...pathOf(parent)];
}

test('a call is one trace through gateway, executor, source and PostgreSQL, and nothing that was sent is in it', async () => {
  const env = {
    ...gateway.env,
    SVC_NETWORK_ALLOW: '127.0.0.0/8,::1/128',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  await registerServer();
  const executor = await startExecutorProcess(env);
  const traced = await startServiceProcess('gateway', { ...env, SVC_GATEWAY_PORT: String(await freePort()) });
  try {
    await executor.putPackage(
      'p',
      `@get("/versions", visibility := "public")
       versions(word: string) := SELECT COUNT(*) AS n FROM READ_PGSQL("meta", "public", "schema_versions") v WHERE v.name <> word;`,
    );
    await administrate(gateway).putApplication('app', 'application: app\npackages: [p]');
    expect((await ask(traced.url, 'get', '/app/1/public/versions?word=hunter2')).status).toBe(200);
    await eventually(() => {
      const paths = collector.spans.map((span) => pathOf(span).join(' < ')).filter((path) => /gateway GET[^<]*$/.test(path));
      expect(paths).toContainEqual(
        expect.stringMatching(/^executor pg.* < executor source \w+ < executor POST \S*functions\S* < gateway POST < gateway GET[^<]*$/),
      );
    });
    expect(collector.bodies.join('')).not.toMatch(/hunter2|SELECT COUNT|FROM |"db\.(statement|query\.text)"/);
  } finally {
    await traced.end();
    await executor.end();
  }
});
