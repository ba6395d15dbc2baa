import { functionsOf } from '../testing/describe-text.ts';
import { listEndpoint } from './application-endpoint.ts';
import { parseDefinition } from './parse-definition.ts';
import { packagesOf, resolveApplication, type PackageFunctions } from './resolve-application.ts';

const AIRPORTS = functionsOf(`
  @get("/airports/{city}", scopes := ["air:read"], summary := "In a city") airports_in(city: string, n: int := 10) := city;
  by_id(id: long) := id;
  rows(ids: collection(int)) := ids;
  add(body: record(a: int)) := body.a;
  over(x: int) := x; over(x: string) := x;
`);
const PACKAGES: PackageFunctions = new Map([
  ['air', AIRPORTS],
  ['old', null],
]);

function contentOf(text: string) {
  const parsed = parseDefinition(`application: app\n${text}`, { mediaType: 'application/yaml', name: 'app' });
  if (parsed.kind === 'problems') throw new Error(JSON.stringify(parsed.problems));
  return parsed.content;
}

const resolve = (text: string, functions = PACKAGES) => resolveApplication(contentOf(text), functions);
const endpoint = (members: string): string => `endpoints: [{ path: /x, method: GET, function: air.by_id, ${members} }]`;

test('annotated and defined endpoints are found, with parameters spelled as the function spells them', () => {
  const { endpoints, problems } = resolve(`
scopes: [{ name: "air:read" }]
packages: [air]
endpoints:
  - { path: "/by/{ID}", method: get, function: air.by_id, visibility: public, parameters: { id: { description: The number } } }
`);
  expect(problems).toEqual([]);
  expect(endpoints.map(listEndpoint)).toEqual([
    { method: 'GET', path: '/by/{id}', visibility: 'public', scopes: [], function: 'air.by_id' },
    { method: 'GET', path: '/airports/{city}', visibility: 'private', scopes: ['air:read'], function: 'air.airports_in' },
  ]);
  expect(endpoints[0]).toMatchObject({ kind: 'working', descriptions: new Map([['id', 'The number']]) });
});

test.each([
  ['function: none.f', '/endpoints/0/function', 'package none does not exist'],
  ['function: old.f', '/endpoints/0/function', 'package old was stored by an earlier version: put it again'],
  ['function: air.none', '/endpoints/0/function', 'package air has no public function none that can be called from outside'],
  ['function: air.over', '/endpoints/0/function', 'function over of package air has several forms: an endpoint needs a name with one'],
  ['path: "/x/{n}"', '/endpoints/0/path', '{n} is no parameter of air.by_id'],
  ['path: "/{id}/{id}"', '/endpoints/0/path', '{id} stands in the path twice'],
  ['path: "/{ids}", function: air.rows', '/endpoints/0/path', '{ids} stands in the path and cannot be collection(int)'],
  ['function: air.add', '/endpoints/0/method', 'air.add takes a request body, and GET has none'],
  ['scopes: [unheard]', '/endpoints/0/scopes', 'GET /x needs unheard, which scopes does not declare'],
  ['parameters: { no: {} }', '/endpoints/0/parameters/no', 'air.by_id has no parameter no'],
])('%s is a problem at %s', (members, path, message) => {
  const own = members.split(/, (?=\w+:)/).map((member) => member.split(':', 1)[0]);
  const usual = { path: '/x', method: 'GET', function: 'air.by_id' };
  const rest = Object.entries(usual)
    .filter(([name]) => !own.includes(name))
    .map(([name, value]) => `${name}: ${value}`);
  const { endpoints, problems } = resolve(`endpoints: [{ ${[...rest, members].join(', ')} }]`);
  expect(problems).toEqual([{ message, path }]);
  expect(endpoints).toMatchObject([{ kind: 'broken' }]);
});

test('method and path are one endpoint, whatever parameters are called', () => {
  const { problems } = resolve(`
endpoints:
  - { path: "/a/{id}", method: GET, function: air.by_id }
  - { path: "/a/{city}", method: GET, function: air.airports_in }
  - { path: "/a/{city}", method: POST, function: air.airports_in }
`);
  expect(problems).toEqual([{ message: 'GET /a/{} is an endpoint already', path: '/endpoints/1' }]);
});

test('a scope is declared once', () => {
  expect(resolve('scopes: [{ name: a }, { name: a }]').problems).toEqual([
    { message: 'scope a is declared twice', path: '/scopes/1/name' },
  ]);
});

test('a broken endpoint takes no other down', () => {
  const { endpoints } = resolve(`
endpoints:
  - { path: /broken, method: GET, function: air.none }
  - { path: /works, method: GET, function: air.by_id }
`);
  expect(endpoints.map(({ kind }) => kind)).toEqual(['broken', 'working']);
});

test('the endpoints of a package that is gone are broken, and not forgotten', () => {
  const content = contentOf('scopes: [{ name: "air:read" }]\npackages: [air]');
  const before = resolveApplication(content, PACKAGES).endpoints.map(listEndpoint);
  const after = resolveApplication(content, new Map(), before);
  expect(after.endpoints.map(({ kind }) => kind)).toEqual(['broken']);
  expect(after.endpoints.map(listEndpoint)).toEqual(before);
  expect(after.problems).toEqual([{ message: 'package air does not exist', path: '/packages/0' }]);
});

test('a definition names each package that it uses, once', () => {
  expect(packagesOf(contentOf(`packages: [a]\n${endpoint('scopes: []')}`))).toEqual(['a', 'air']);
});
