import type { Principal } from '@svc/auth';
import { routeDefiner, type Route } from '@svc/service-kit';
import type { CredentialContents, Credentials } from '@svc/vault';

import { OPTIONAL_TEXT, TEXT } from '../text-schemas.ts';

const defineRoute = routeDefiner<Principal>();

/** Drivers treat a path as a Unix socket, so a host contains no slash. A single colon is no IPv6 address: it stands before a port. */
const HOST = {
  type: 'string',
  maxLength: 253,
  pattern: '^(?![^:]*:[^:]*$)[A-Za-z0-9_.:-]+$',
  description: 'a host name or an IP address, without a port',
} as const;

const PORT = { type: 'integer', minimum: 1, maximum: 65_535 } as const;

const CERTIFICATES = {
  type: 'string',
  pattern: '^(system|[^\\u0000\\ud800-\\udfff]*-----BEGIN CERTIFICATE-----[^\\u0000\\ud800-\\udfff]*)$',
  description: 'the text of PEM certificates, or system',
} as const;

const PROPERTIES = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    sslmode: { type: 'string', enum: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] },
    sslrootcert: CERTIFICATES,
  },
} as const;

const SERVER_POST = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'vendor', 'host', 'port', 'database'],
  properties: {
    name: TEXT,
    vendor: { type: 'string', enum: ['postgresql'] },
    host: HOST,
    port: PORT,
    database: TEXT,
    username: OPTIONAL_TEXT,
    password: OPTIONAL_TEXT,
    properties: PROPERTIES,
  },
} as const;

const SERVER_DETAIL = {
  type: 'object',
  required: ['type', 'host', 'port', 'database', 'username', 'password'],
  properties: {
    type: { type: 'string', enum: ['postgresql'] },
    host: { type: 'string' },
    port: PORT,
    database: { type: 'string' },
    username: { type: ['string', 'null'] },
    password: { type: ['string', 'null'] },
  },
} as const;

/** The endpoints of relational database servers. */
export function databaseServerRoutes(credentials: Credentials): readonly Route<Principal>[] {
  const server = (subject: string, name: string) => ({ subject, kind: 'rdbmsserver', name }) as const;
  return [
    defineRoute({
      method: 'post',
      path: '/rdbmsservers',
      tag: 'database servers',
      summary: 'Registers a database server under a name that queries use.',
      request: { body: { kind: 'json', schema: SERVER_POST } },
      responses: { 201: { description: 'It is registered.' } },
      errors: ['database_credentials_already_exists'],
      handler: async ({ body, caller }) => {
        const { name, username = null, password = null, properties, ...address } = body;
        await credentials.register(server(caller.subject, name), { ...address, username, password, properties: { ...properties } });
        return { status: 201 };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/rdbmsservers',
      tag: 'database servers',
      summary: 'Lists the names of the registered database servers.',
      responses: { 200: { description: 'Names.', content: { 'application/json': { type: 'array', items: { type: 'string' } } } } },
      handler: async ({ caller }) => ({ status: 200, json: await credentials.listNames(caller.subject, 'rdbmsserver') }),
    }),
    defineRoute({
      method: 'get',
      path: '/rdbmsservers/:name',
      tag: 'database servers',
      summary: 'Shows a database server with its password.',
      responses: { 200: { description: 'The server.', content: { 'application/json': SERVER_DETAIL } } },
      errors: ['database_credentials_not_found', 'credentials_unreadable'],
      handler: async ({ params, caller }) => {
        const { contents } = await credentials.read(server(caller.subject, params.name));
        return { status: 200, json: serverDetail(contents) };
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/rdbmsservers/:name',
      tag: 'database servers',
      summary: 'Forgets a database server.',
      responses: { 204: { description: 'It is forgotten.' } },
      errors: ['database_credentials_not_found'],
      handler: async ({ params, caller }) => {
        await credentials.delete(server(caller.subject, params.name));
        return { status: 204 };
      },
    }),
  ];
}

function serverDetail({ vendor, host, port, database, username, password }: CredentialContents['rdbmsserver']) {
  return { type: vendor, host, port, database, username, password };
}
