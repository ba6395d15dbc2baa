import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import createClient from 'openapi-fetch';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import typescript from 'typescript';

import { OPENAPI_VERSIONS, type OpenApiVersion } from './openapi-version.ts';
import { SHOP, describeText } from './testing/describe-text.ts';

/** Returns the output of openapi-typescript for the document. */
async function generate(version: OpenApiVersion): Promise<string> {
  const document = structuredClone(describeText(SHOP, version)) as unknown as OpenAPI3; // valid, as another test shows
  return astToString(await openapiTypescript(document));
}

const CLIENT = `
import createClient from 'openapi-fetch';
import type { paths } from './shop.ts';
const client = createClient<paths, 'application/json'>({ baseUrl: 'http://shop.example' });
const { data } = await client.GET('/items/{id}', { params: { path: { id: 5 } } });
export const flag: boolean | undefined = data?.parts[0]?.b[0];
export const maybe: number | null | undefined = data?.maybe;
const listed = await client.GET('/items', { params: { query: { least: 2, since: '2024-01-01', q: null, names: JSON.stringify(['a']) } } });
export const texts: string[] | undefined = listed.data?.map((row) => row.text);
const added = await client.POST('/items', { body: [{ sku: 'a', price: 1.5, tags: null }], params: { query: { dry: true } } });
export const count: number | undefined = added.data;
const failure = added.error;
export const message: string | undefined = failure !== undefined && 'validationErrors' in failure ? failure.validationErrors[0]?.message : failure?.code;
// @ts-expect-error A number is needed.
await client.GET('/items/{id}', { params: { path: { id: 'x' } } });
// @ts-expect-error A field is missing.
await client.PUT('/items/{id}', { params: { path: { id: 1 } }, body: { price: 1 } });
// @ts-expect-error There is no such path.
await client.GET('/nothing');
`;

/** Returns TypeScript's diagnostics for a program of these files. */
function faultsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const options: typescript.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    allowImportingTsExtensions: true,
    target: typescript.ScriptTarget.ES2022,
    module: typescript.ModuleKind.NodeNext,
    moduleResolution: typescript.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  };
  const disk = typescript.createCompilerHost(options);
  const own = (name: string): string | undefined => (name.startsWith(folder) ? files[name.slice(folder.length)] : undefined);
  const host: typescript.CompilerHost = {
    ...disk,
    fileExists: (name) => own(name) !== undefined || disk.fileExists(name),
    readFile: (name) => own(name) ?? disk.readFile(name),
    getSourceFile: (name, language, ...rest) => {
      const text = own(name);
      return text === undefined ? disk.getSourceFile(name, language, ...rest) : typescript.createSourceFile(name, text, language);
    },
  };
  const program = typescript.createProgram(
    Object.keys(files).map((name) => folder + name),
    options,
    host,
  );
  return typescript.getPreEmitDiagnostics(program).map(({ messageText }) => typescript.flattenDiagnosticMessageText(messageText, '\n'));
}

test('openapi-typescript makes a typed client of a document of each version', async () => {
  const files: Record<string, string> = {};
  for (const version of OPENAPI_VERSIONS) {
    files[`shop-${version}.ts`] = await generate(version);
    files[`client-${version}.ts`] = CLIENT.replace('shop.ts', `shop-${version}.ts`);
  }
  expect(faultsOf(files)).toEqual([]);
  expect(faultsOf({ 'faulty.ts': 'export const text: string = 1;' })).toEqual(["Type 'number' is not assignable to type 'string'."]);
});

let server: Server;
let asked: { readonly method: string; readonly url: string; readonly key: unknown; readonly body: string };

beforeAll(async () => {
  server = createServer((req, res) => {
    let body = '';
    req.on('data', (bytes: Buffer) => (body += bytes.toString()));
    req.on('end', () => {
      asked = { method: req.method ?? '', url: req.url ?? '', key: req.headers['x-svc-api-key'], body };
      res.setHeader('Content-Type', 'application/json').end('7');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test('a client that is made so calls the endpoint with its parameters, its body and the key', async () => {
  const { port } = server.address() as AddressInfo; // a listening TCP server has this kind of address
  type Paths = {
    '/items/{id}': {
      put: { parameters: { path: { id: number } }; requestBody: { content: { 'application/json': unknown } }; responses: Answers };
    };
  };
  type Answers = { 200: { content: { 'application/json': number } } };
  const [security] = [describeText(SHOP)['components'] as { securitySchemes: { apiKey: { name: string } } }];
  const headers = { [security.securitySchemes.apiKey.name]: 'the key' };
  const client = createClient<Paths>({ baseUrl: `http://127.0.0.1:${port}/shop/1/public`, headers });
  const { data } = await client.PUT('/items/{id}', { params: { path: { id: 5 } }, body: { sku: 'a', price: 1 } });
  expect(data).toBe(7);
  expect(asked).toEqual({ method: 'PUT', url: '/shop/1/public/items/5', key: 'the key', body: '{"sku":"a","price":1}' });
});
