import { parseDefinition, type ParseOptions } from './parse-definition.ts';

const YAML = { mediaType: 'application/yaml', name: 'air' };
const JSON_TEXT = { mediaType: 'application/json', name: 'air' };
const problemsOf = (text: string, options: ParseOptions = YAML) => {
  const parsed = parseDefinition(text, options);
  return parsed.kind === 'problems' ? parsed.problems : parsed.content;
};

test('a definition in YAML and the same in JSON are the same', () => {
  const yaml = `
    application: air
    title: Airports
    scopes: [{ name: "airports:read", description: Read }]
    packages: [airports]
    endpoints:
      - path: /airports/{id}
        method: get
        function: airports.by_id
        parameters: { id: { description: The number } }
  `;
  const value = {
    application: 'air',
    title: 'Airports',
    scopes: [{ name: 'airports:read', description: 'Read' }],
    packages: ['airports'],
    endpoints: [{ path: '/airports/{id}', method: 'get', function: 'airports.by_id', parameters: { id: { description: 'The number' } } }],
  };
  expect(problemsOf(yaml)).toEqual(value);
  expect(problemsOf(JSON.stringify(value), JSON_TEXT)).toEqual(value);
});

test('lists that are left out are empty', () => {
  expect(problemsOf('application: air')).toEqual({ application: 'air', scopes: [], packages: [], endpoints: [] });
});

test('YAML 1.2 is read: no is a text and 010 is ten', () => {
  expect(problemsOf('application: no', { ...YAML, name: 'no' })).toMatchObject({ application: 'no' });
  expect(problemsOf('application: air\ntitle: 010')).toEqual([{ message: 'must be a text', path: '/title' }]);
});

test('all faults of the form are found, each with a pointer', () => {
  const text = 'application: Air\nscope: []\nscopes: [{ name: "a b" }]\nendpoints: [{ path: x, method: HEAD, "a/b~c": 1 }]';
  const found = problemsOf(text, { ...YAML, name: 'Air' }) as readonly { readonly path: string }[];
  expect(found.map(({ path }) => path).toSorted()).toEqual([
    ...['/application', '/endpoints/0/a~1b~0c', '/endpoints/0/function', '/endpoints/0/method', '/endpoints/0/path'],
    ...['/scope', '/scopes/0/name'],
  ]);
});

test('a text that cannot be parsed is described without advice to programmers', () => {
  expect(problemsOf('application: air\n---\napplication: sea')).toEqual([
    { message: 'Source contains multiple documents at line 2, column 1', path: '' },
  ]);
});

test('a fault of the form says what is expected, and shows no pattern', () => {
  const text =
    'application: Air\nscopes: [{ name: "a b" }]\npackages: [p, p]\nendpoints: [{ path: x, method: get, function: f, format: 5 }]';
  expect(problemsOf(text, { ...YAML, name: 'Air' })).toEqual([
    {
      message: 'must be a lower-case letter, then lower-case letters, digits and "-", at most 64: the first part of every path',
      path: '/application',
    },
    { message: 'must be 1 to 128 letters, digits, ":", ".", "_" and "-"', path: '/scopes/0/name' },
    { message: 'stands in the list twice', path: '/packages/1' },
    {
      message: "must be / and letters, digits, -._~!$&'()*+,;=:@ and {name}, which stands for a parameter of the function",
      path: '/endpoints/0/path',
    },
    { message: 'must be a public function, as package.function', path: '/endpoints/0/function' },
    { message: 'must be a text', path: '/endpoints/0/format' },
    { message: 'must be one of json, hjson, csv, sqlite, parquet-avro, parquet-raw', path: '/endpoints/0/format' },
  ]);
});

test.each([
  ['svc', 'svc', 'this name is taken'],
  ['console', 'console', 'this name is taken'],
  ['openapi', 'openapi', 'this name is taken'],
  ['air', 'sea', 'must be sea, the name that the definition is put under'],
])('application: %s under the name %s: %s', (written, name, message) => {
  expect(problemsOf(`application: ${written}`, { ...YAML, name })).toEqual([{ message, path: '/application' }]);
});

test.each([
  ['a text that is no YAML', 'application: [', YAML, /^.*line 1/],
  ['a text that is no JSON', '{"application": air}', JSON_TEXT, /JSON/],
  ['YAML where JSON is promised', 'application: air', JSON_TEXT, /JSON/],
  ['a member that stands twice', 'application: air\napplication: air', YAML, /unique/],
  ['a member that stands twice in JSON', '{"application": "air", "application": "sea"}', JSON_TEXT, /unique/],
  ['a tag that is unknown', 'application: !!js/function air', YAML, /tag/],
  ['U+0000', 'application: "a\0"', YAML, /U\+0000/],
  ['two documents', 'application: air\n---\napplication: air', YAML, /document/],
])('%s is one problem of the whole', (_, text, options, message) => {
  expect(problemsOf(text, options)).toEqual([{ message: expect.stringMatching(message), path: '' }]);
});

test('anchors that would unfold to a huge value are refused', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...'bcdefgh'.split('').map((name, i) => {
      const before = String.fromCharCode(name.charCodeAt(0) - 1);
      return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}] # ${i}`;
    }),
  ].join('\n');
  expect(problemsOf(bomb)).toEqual([{ message: expect.stringContaining('alias'), path: '' }]);
});

test('a member called __proto__ is unknown, like any other', () => {
  expect(problemsOf('{"application": "air", "__proto__": {"scopes": []}}', JSON_TEXT)).toEqual([
    { message: 'this member is unknown', path: '/__proto__' },
  ]);
});

test('a text that an escape gives U+0000 or half a character is refused at its place', () => {
  const problem = { message: expect.stringContaining('cannot be stored') };
  expect(problemsOf('application: air\ntitle: "a\\0b"\npackages: ["\\ud800"]')).toEqual([
    { ...problem, path: '/title' },
    { ...problem, path: '/packages/0' },
  ]);
  expect(problemsOf('{"application": "air", "description": "\\u0000"}', JSON_TEXT)).toEqual([{ ...problem, path: '/description' }]);
  expect(problemsOf('namespace: "a\\0b"\napplication: air', { ...YAML, isFile: true })).toEqual([{ ...problem, path: '/namespace' }]);
});

test('a file names its owner, and only a file', () => {
  const file = { ...YAML, isFile: true };
  expect(parseDefinition('namespace: team\napplication: air', file)).toMatchObject({ kind: 'definition', namespace: 'team' });
  expect(problemsOf('application: air', file)).toEqual([{ message: expect.stringContaining('namespace'), path: '/namespace' }]);
  expect(problemsOf('namespace: team\napplication: air')).toEqual([{ message: 'this member is unknown', path: '/namespace' }]);
});
