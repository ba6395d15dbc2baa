import { randomBytes } from 'node:crypto';

import { openHttpServer, type HttpServer } from '@svc/test-kit';

import { tokenOf, type StackSettings } from '../stack.ts';
import type { TestTopic } from './test-topic.ts';

type Area = 'EXECUTOR' | 'GATEWAY' | 'CREDENTIALS' | 'STREAM';

/** The path of an administrator's call at the gateway. */
const ADMIN = '/svc/1/api/admin';
const TRANSFORM = String.raw`\(key: binary nullable, value: binary, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) ->
  PARSE_JSON(DECODE(value) AS record(id: long))`;

/** Answers of the services. */
export interface Seen {
  readonly table: string;
  readonly view: string;
  readonly endpoint: string;
  readonly credential: string;
  readonly secret: string;
  readonly catalogue: string;
}

/** One object of each kind that a user can store, created over HTTP and read back. Uses whatever stack has the settings. */
export class LiveData {
  readonly #settings: StackSettings;
  readonly #topic: TestTopic;
  readonly #secretServer: HttpServer;
  #token = '';
  #apiKey = '';
  #uploads = 0;

  private constructor(settings: StackSettings, topic: TestTopic, secretServer: HttpServer) {
    this.#settings = settings;
    this.#topic = topic;
    this.#secretServer = secretServer;
  }

  /** Creates a table with rows, a view, a package, an application with a key, a credential and a stream. */
  static async create(settings: StackSettings, topic: TestTopic): Promise<LiveData> {
    const authorization = `Basic ${Buffer.from(`ann:${randomBytes(8).toString('hex')}`).toString('base64')}`;
    const secretServer = await openHttpServer();
    secretServer.answer(({ headers }, response) => {
      const isKnown = headers.authorization === authorization;
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end(isKnown ? '[{"secret": 7}]' : '{}');
    });
    const data = new LiveData(settings, topic, secretServer);
    await data.#createAll(authorization);
    return data;
  }

  async close(): Promise<void> {
    await this.#secretServer.close();
  }

  /** After a start with another signing key, tokens are new. */
  async signIn(): Promise<void> {
    this.#token = (await tokenOf(this.#settings, '--sub', 'ann', '--scope', 'svc:admin')).trim();
  }

  async #createAll(authorization: string): Promise<void> {
    await this.signIn();
    const [user = '', password = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
    await this.#succeed('EXECUTOR', 'PUT', '/tables/visits', {
      type: 'collection(record(id: long, page: string))',
      indexes: [{ fields: ['id'], unique: true }],
    });
    await this.upload();
    await this.#succeed('EXECUTOR', 'PUT', '/views/pages', 'SELECT page, COUNT(*) AS n FROM visits GROUP BY page');
    const code = '@get("/pages", scopes := ["pages:read"]) listed() := SELECT p.page FROM pages p ORDER BY p.page;';
    await this.#succeed('EXECUTOR', 'PUT', '/packages/site', code);
    const application = { application: 'site', scopes: [{ name: 'pages:read' }], packages: ['site'] };
    await this.#succeed('GATEWAY', 'PUT', `${ADMIN}/applications/site`, application);
    const key = await this.#succeed('GATEWAY', 'POST', `${ADMIN}/keys`, { name: 'a partner', scopes: ['pages:read'] });
    this.#apiKey = (JSON.parse(key) as { readonly key: string }).key;
    const credential = { prefixUrl: this.#secretServer.origin, credentials: { type: 'basic-auth', user, password } };
    await this.#succeed('CREDENTIALS', 'POST', '/http-creds', credential);
    const { host, port, name } = this.#topic;
    const stream = { host, port, topic: name, intervalMillis: 100, transform: TRANSFORM };
    await this.#succeed('STREAM', 'POST', '/stream/events', stream);
  }

  /** Stores one more row in the table. */
  async upload(): Promise<void> {
    const id = this.#uploads;
    this.#uploads += 1;
    const row = JSON.stringify({ id, page: `/${id % 3}` });
    await this.#succeed('EXECUTOR', 'POST', '/tables/visits/rows', row, 'application/x-ndjson');
  }

  /** Rows that were acknowledged. */
  get uploads(): number {
    return this.#uploads;
  }

  /** Returns the user-visible state, except the rows of the stream. */
  async see(): Promise<Seen> {
    const [table, view, endpoint, credential, secret, catalogue] = await Promise.all([
      this.query('SELECT COUNT(*) AS n, COUNT_DISTINCT(v.id) AS ids FROM visits v'),
      this.query('SELECT SUM(p.n) FROM pages p'),
      this.callEndpoint(),
      this.#succeed('CREDENTIALS', 'GET', '/http-creds'),
      this.readSecret(),
      this.#succeed('EXECUTOR', 'GET', '/catalog'),
    ]);
    return { table, view, endpoint, credential, secret, catalogue };
  }

  async callEndpoint(): Promise<string> {
    const response = await fetch(`${this.#at('GATEWAY')}/site/1/public/pages`, { headers: { 'X-SVC-API-KEY': this.#apiKey } });
    const text = await response.text();
    return `${response.status} ${text}`;
  }

  /** Reads a source that requires the stored credential. */
  async readSecret(): Promise<string> {
    return this.#send('EXECUTOR', 'POST', '/query', `SELECT s.secret FROM READ_JSON("${this.#secretServer.origin}/a") s`).then(
      async (response) => `${response.status} ${await response.text()}`,
    );
  }

  /** Returns the number of rows the stream has stored, and of distinct ones. */
  async countEvents(): Promise<{ readonly rows: number; readonly ids: number }> {
    const counted = await this.query('SELECT COUNT(*) AS rows, COUNT_DISTINCT(e.id) AS ids FROM events e');
    return JSON.parse(counted) as { readonly rows: number; readonly ids: number };
  }

  async query(text: string): Promise<string> {
    return this.#succeed('EXECUTOR', 'POST', '/query', text);
  }

  /** Returns each service's response to `/ready`, by name. */
  async readiness(): Promise<Readonly<Record<string, string>>> {
    const areas = ['GATEWAY', 'EXECUTOR', 'CREDENTIALS', 'STREAM'] as const;
    const answers = areas.map(async (area) => {
      const response = await fetch(`http://127.0.0.1:${this.#port(`SVC_${area}_ADMIN_PORT`)}/ready`);
      return [area.toLowerCase(), `${response.status} ${await response.text()}`] as const;
    });
    return Object.fromEntries(await Promise.all(answers));
  }

  /** The status of one request of each sort, by its name. */
  async statuses(): Promise<Readonly<Record<string, string>>> {
    const unique = randomBytes(6).toString('hex');
    const row = JSON.stringify({ id: Date.now(), page: '/0' });
    const credential = { prefixUrl: `https://${unique}.example`, credentials: { type: 'basic-auth', user: 'u', password: 'p' } };
    const requests: Readonly<Record<string, () => Promise<Response>>> = {
      query: () => this.#send('EXECUTOR', 'POST', '/query', 'SELECT 1'),
      'query of a table': () => this.#send('EXECUTOR', 'POST', '/query', 'SELECT COUNT(*) FROM visits'),
      upload: () => this.#send('EXECUTOR', 'POST', '/tables/visits/rows', row, 'application/x-ndjson'),
      'new view': () => this.#send('EXECUTOR', 'PUT', `/views/v${unique}`, '1'),
      'call of an endpoint': () => fetch(`${this.#at('GATEWAY')}/site/1/public/pages`, { headers: { 'X-SVC-API-KEY': this.#apiKey } }),
      'new key': () => this.#send('GATEWAY', 'POST', `${ADMIN}/keys`, { name: unique, scopes: ['pages:read'] }),
      'list of credentials': () => this.#send('CREDENTIALS', 'GET', '/http-creds'),
      'new credential': () => this.#send('CREDENTIALS', 'POST', '/http-creds', credential),
      'state of a stream': () => this.#send('STREAM', 'GET', '/stream/events'),
    };
    const answered: [string, string][] = [];
    // Sequentially, so that none waits for a connection that another holds.
    for (const [name, request] of Object.entries(requests)) {
      const response = await request();
      await response.body?.cancel();
      answered.push([name, String(response.status)]);
    }
    const ready = new Set(Object.values(await this.readiness()).map((answer) => answer.slice(0, 3)));
    return { ...Object.fromEntries(answered), ready: [...ready].join(', ') };
  }

  async #succeed(area: Area, method: string, path: string, body?: object | string, type?: string): Promise<string> {
    const response = await this.#send(area, method, path, body, type);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }

  async #send(area: Area, method: string, path: string, body?: object | string, type?: string): Promise<Response> {
    const contentType = type ?? (typeof body === 'object' ? 'application/json' : 'text/plain');
    return fetch(this.#at(area) + path, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': contentType },
      ...(body !== undefined && { body: typeof body === 'object' ? JSON.stringify(body) : body }),
    });
  }

  #at(area: Area): string {
    return `http://127.0.0.1:${this.#port(`SVC_${area}_PORT`)}`;
  }

  #port(name: string): string {
    return String((this.#settings as Readonly<Record<string, string>>)[name]);
  }
}
