import { setTimeout as delay } from 'node:timers/promises';

import { compose } from './compose-commands.ts';

const GATEWAY = 'http://127.0.0.1:8080';
const EXECUTOR = 'http://127.0.0.1:8081';
const CREDENTIALS = 'http://127.0.0.1:8082';
const STREAM = 'http://127.0.0.1:8083';
const REQUEST_LIMIT_MS = 60_000;
const INGESTION_LIMIT_MS = 120_000;
const ORDERS_PER_WALK = 500;

/** A user's way through the composed stack. Each walk uses its own names, so that walks can be repeated on the same data. */
export class Walkthrough {
  readonly #token: string;
  readonly #name = `walk_${Date.now()}`;
  #apiKey = '';
  #orders = 0;

  constructor(token: string) {
    this.#token = token;
  }

  /** Repeats the query of the file and of the object, new messages for the table, and the call of the endpoint. */
  async repeat(): Promise<void> {
    await this.queryFile();
    await this.#queryObject();
    await this.#produceOrders();
    await this.#countOrders();
    await this.#callEndpoint();
  }

  async queryFile(): Promise<void> {
    const found = await this.#query('SELECT Species AS species, COUNT(*) AS n FROM READ("file:penguins.json") GROUP BY Species');
    expectEqual(found, '{"species":"Adelie","n":152}\n{"species":"Chinstrap","n":68}\n{"species":"Gentoo","n":124}\n');
  }

  async registerBucket(): Promise<void> {
    const secretKey = (await compose('exec', '-T', 's3', 'printenv', 'ROOT_SECRET_KEY')).trim();
    const bucket = { name: 'sample', region: 'us-east-1', credentials: { accessKey: 'svc', secretKey } };
    const response = await this.#send('POST', `${CREDENTIALS}/objbuckets`, { json: bucket });
    // An earlier walk has registered it for the same subject.
    if (response.status !== 201) expectEqual(await memberOf(response, 'code'), 'objstore_credentials_already_exists');
    await this.#queryObject();
  }

  async #queryObject(): Promise<void> {
    const counts = ['s3://sample/airports.csv', 'file:airports.csv'].map((location) =>
      this.#query(`SELECT COUNT(*) FROM READ("${location}")`),
    );
    const [object, file] = await Promise.all(counts);
    expectEqual(object, file);
  }

  async createStream(): Promise<void> {
    await this.#produceOrders();
    const parameters =
      'key: binary nullable, value: binary, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int';
    const transform = `\\(${parameters}) -> PARSE_JSON(DECODE(value) AS record(id: long, price: double))`;
    const stream = { host: 'kafka', port: 9092, topic: this.#name, transform, indexes: [], intervalMillis: 200, location: null };
    await this.#succeed('POST', `${STREAM}/stream/${this.#name}`, { json: stream });
    await this.#countOrders();
  }

  /** The image of the stream service has a Kafka client. */
  async #produceOrders(): Promise<void> {
    const program = `
      const { Kafka, logLevel } = require('kafkajs');
      (async () => {
        const kafka = new Kafka({ brokers: ['kafka:9092'], logLevel: logLevel.ERROR });
        const [admin, producer] = [kafka.admin(), kafka.producer()];
        await Promise.all([admin.connect(), producer.connect()]);
        await admin.createTopics({ topics: [{ topic: '${this.#name}', numPartitions: 2 }] });
        const messages = Array.from({ length: ${ORDERS_PER_WALK} }, (_, n) => ({ value: JSON.stringify({ id: ${this.#orders} + n, price: n / 4 }) }));
        await producer.send({ topic: '${this.#name}', messages });
        await Promise.all([admin.disconnect(), producer.disconnect()]);
      })();`;
    await compose('exec', '-T', 'stream', 'node', '-e', program);
    this.#orders += ORDERS_PER_WALK;
  }

  async #countOrders(): Promise<void> {
    const expected = `{"n":${this.#orders},"ids":${this.#orders}}\n`;
    const deadline = performance.now() + INGESTION_LIMIT_MS;
    for (;;) {
      const found = await this.#query(`SELECT COUNT(*) AS n, COUNT_DISTINCT(o.id) AS ids FROM ${this.#name} o`);
      if (found === expected || performance.now() > deadline) return expectEqual(found, expected);
      await delay(500);
    }
  }

  async publishFunction(): Promise<void> {
    const code = `
      @get("/towns/{town}/airports", scopes := ["airports:read"])
      airports(town: string) := SELECT a.iata FROM READ("file:airports.csv") a WHERE a.city = town;`;
    await this.#succeed('PUT', `${EXECUTOR}/packages/${this.#name}`, { text: code });
    const definition = { application: this.#application, scopes: [{ name: 'airports:read' }], packages: [this.#name] };
    await this.#succeed('PUT', `${GATEWAY}/svc/1/api/admin/applications/${this.#application}`, { json: definition });
    const key = { name: this.#name, scopes: ['airports:read'] };
    this.#apiKey = String(await memberOf(await this.#succeed('POST', `${GATEWAY}/svc/1/api/admin/keys`, { json: key }), 'key'));
    await this.#callEndpoint();
  }

  async #callEndpoint(): Promise<void> {
    const url = `${GATEWAY}/${this.#application}/1/public/towns/Boston/airports`;
    expectEqual((await fetch(url, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) })).status, 401);
    const response = await fetch(url, { headers: { 'X-SVC-API-KEY': this.#apiKey }, signal: AbortSignal.timeout(REQUEST_LIMIT_MS) });
    expectEqual(await response.text(), '["BOS"]\n');
  }

  get #application(): string {
    return this.#name.replace('_', '-');
  }

  async #query(text: string): Promise<string> {
    return (await this.#succeed('POST', `${EXECUTOR}/query`, { text })).text();
  }

  async #succeed(method: string, url: string, body: Body): Promise<Response> {
    const response = await this.#send(method, url, body);
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    return response;
  }

  async #send(method: string, url: string, body: Body): Promise<Response> {
    const [type, content] = 'text' in body ? ['text/plain', body.text] : ['application/json', JSON.stringify(body.json)];
    const headers = { Authorization: `Bearer ${this.#token}`, 'Content-Type': type };
    return fetch(url, { method, headers, body: content, signal: AbortSignal.timeout(REQUEST_LIMIT_MS) });
  }
}

type Body = { readonly text: string } | { readonly json: object };

async function memberOf(response: Response, name: string): Promise<unknown> {
  return ((await response.json()) as Readonly<Record<string, unknown>>)[name];
}

function expectEqual(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}
