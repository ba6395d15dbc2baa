import { eventually, testKafka } from '@svc/test-kit';

import { openStreamService, type StreamUnderTest } from '../testing/stream-under-test.ts';
import { createTopic, type TestTopic } from '../testing/test-topic.ts';

const IDS =
  '\\(key: binary nullable, value: binary, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> PARSE_JSON(DECODE(value) AS record(id: long))';

let service: StreamUnderTest;
let topic: TestTopic;

beforeAll(async () => {
  service = await openStreamService();
  topic = await createTopic();
  await topic.send([1, 2, 3].map((id) => ({ value: JSON.stringify({ id }) })));
});

afterAll(async () => {
  await topic.close();
  await service.close();
});

type Login = NonNullable<Awaited<ReturnType<typeof testKafka>>['sasl']>;
type Broker = Login & Required<Pick<Login, 'tls'>>;

/** Returns the broker's listeners with logins; an external broker, or one in a container, has none with TLS. */
async function guardedBroker(): Promise<Broker | null> {
  const { sasl } = await testKafka();
  return sasl?.tls === undefined ? null : { ...sasl, tls: sasl.tls };
}

function loginOf({ username, password }: Broker, mechanism = 'plain') {
  return { mechanism, username, password };
}

/** An attempt to read the topic. */
async function sample(at: { readonly port: number; readonly security: unknown }) {
  const { status, json } = await service.call('POST', '/stream-validate', {
    host: '127.0.0.1',
    topic: topic.name,
    transform: IDS,
    sample: 1,
    ...at,
  });
  return { status, ...(json as { readonly code?: string; readonly message?: string; readonly sample?: readonly unknown[] }) };
}

test('a stream over TLS with a login stores rows, and its password is shown nowhere', async () => {
  const broker = await guardedBroker();
  if (broker === null) return;
  const security = { tls: { ca: broker.tls.certificate }, sasl: loginOf(broker) };
  await service.create('guarded', topic, IDS, { port: broker.tls.port, security });
  await eventually(async () => expect(await service.detail('guarded')).toBe('running: 3 rows stored, 0 dead letters, lag 0'));
  const shown = [
    await service.call('GET', '/stream'),
    await service.call('GET', '/stream/guarded'),
    await service.call('GET', '/stream/guarded/logs/data'),
    await service.metrics(),
    service.log,
  ];
  expect(JSON.stringify(shown)).not.toContain(broker.password);
  const stored = await service.database.session((client) => client.query('SELECT * FROM streams'));
  expect(stored.rows).toHaveLength(1);
  expect(JSON.stringify(stored.rows)).not.toContain(broker.password);
});

test.each(['plain', 'scram-sha-256', 'scram-sha-512'])(
  'a login by %s lets in who has the password, with TLS and without',
  async (mechanism) => {
    const broker = await guardedBroker();
    if (broker === null) return;
    const sasl = loginOf(broker, mechanism);
    const wrong = { ...sasl, password: 'another' };
    const isRefused = {
      status: 400,
      code: 'stream_error',
      message: expect.stringContaining(`does not accept the login of ${sasl.username}`) as unknown,
    };
    for (const at of [
      { port: broker.port, tls: false },
      { port: broker.tls.port, tls: { ca: broker.tls.certificate } },
    ]) {
      expect(await sample({ port: at.port, security: { tls: at.tls, sasl } })).toMatchObject({ status: 200, sample: [{ row: { id: 3 } }] });
      expect(await sample({ port: at.port, security: { tls: at.tls, sasl: wrong } })).toMatchObject(isRefused);
    }
  },
);

test('a certificate that nobody trusts, and a CA that is no certificate, are named', async () => {
  const broker = await guardedBroker();
  if (broker === null) return;
  const sasl = loginOf(broker);
  expect(await sample({ port: broker.tls.port, security: { sasl } })).toMatchObject({
    status: 400,
    code: 'stream_error',
    message: expect.stringContaining('TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)') as unknown,
  });
  expect(await sample({ port: broker.tls.port, security: { tls: { ca: 'no certificate' }, sasl } })).toMatchObject({
    status: 400,
    code: 'bad_request',
    message: expect.stringContaining('security.tls.ca') as unknown,
  });
});
