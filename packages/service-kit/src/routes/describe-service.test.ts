import { Validator } from '@seriousme/openapi-schema-validator';

import { describeService } from './describe-service.ts';
import { routeDefiner } from './route.ts';

const defineRoute = routeDefiner<string>();

const route = defineRoute({
  method: 'put',
  path: '/views/:name',
  summary: 'Stores a view.',
  tag: 'views',
  request: {
    query: { properties: { replace: { type: 'boolean', description: 'Replace one that exists.' } } },
    headers: { properties: { 'X-SVC-max-bytes': { type: 'integer', minimum: 1 } } },
    body: { kind: 'text', description: 'The query.' },
  },
  responses: {
    200: { description: 'Its type.', content: { 'application/json': { type: 'object', properties: { type: { type: 'string' } } } } },
  },
  errors: ['query errors', 'view_already_exists'],
  // Type-level test: the types of a handler's input follow from the path and the schemas.
  handler: async ({ params, query, headers, body, caller }) => {
    const name: string = params.name;
    const replace: boolean | undefined = query.replace;
    const most: number | undefined = headers['X-SVC-max-bytes'];
    // @ts-expect-error There is no such parameter.
    const other = params.other;
    // @ts-expect-error A flag is no text.
    const text: string = query.replace;
    return { status: 200, json: { type: [name, replace, most, body, caller, other, text].join() } };
  },
});

const openRoute = defineRoute({
  method: 'get',
  path: '/public',
  summary: 'For anybody.',
  tag: 'public',
  auth: 'none',
  responses: { 204: { description: 'Nothing.' } },
  handler: async () => ({ status: 204 }),
});

const document = describeService({ title: 'Test', version: '1.2.3', description: 'A service.' }, [route, openRoute]);

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();

  const outcome = await validator.validate(structuredClone(document) as Record<string, unknown>);

  expect(outcome.errors).toBeUndefined();
  expect([outcome.valid, validator.version]).toEqual([true, '3.1']);
});

test('a route is described with its parameters, body, answers and errors', () => {
  const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>;
  const operation = paths['/views/{name}']?.['put'];

  expect(operation?.['parameters']).toEqual([
    { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'replace', in: 'query', required: false, description: 'Replace one that exists.', schema: { type: 'boolean' } },
    { name: 'X-SVC-max-bytes', in: 'header', required: false, schema: { type: 'integer', minimum: 1 } },
  ]);
  expect(Object.keys(operation?.['responses'] as object)).toEqual(['200', '400', '401', '403', '406', '408', '413', '415', '500', '503']);
  expect(operation?.['security']).toEqual([{ token: [] }]);
  expect(paths['/public']?.['get']?.['security']).toEqual([]);
});
