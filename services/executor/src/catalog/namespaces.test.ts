import { ask, type AskedMethod } from '../testing/ask.ts';
import { startExecutorUnderTest, type ExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let ann: string;
let ben: string;
let eve: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest({ namespaceClaim: 'org' });
  [ann, ben, eve] = await Promise.all([
    executor.token('ann', { org: 'acme' }),
    executor.token('ben', { org: 'acme' }),
    executor.token('eve', { org: 'ann' }), // an organisation that is called like a subject of another
  ]);
  const own = { as: ann };
  await ask(executor.url, 'put', '/tables/films', { ...own, body: { type: 'collection(record(year: int))' } });
  await ask(executor.url, 'put', '/packages/tools', { ...own, body: '@get("/x/{x}") twice(x: int) := x * 2; who() := USER()' });
  await ask(executor.url, 'put', '/views/numbers', { ...own, body: '[1, 2]' });
});
afterAll(() => executor.close());

interface NamingRequest {
  readonly method: AskedMethod;
  /** `NAME` is the placeholder of the name. */
  readonly path: string;
  readonly name: string;
  readonly body?: string | object;
}

/** Every endpoint with a name in its path or body. */
const REQUESTS: readonly NamingRequest[] = [
  { method: 'get', path: '/views/NAME', name: 'numbers' },
  { method: 'delete', path: '/views/NAME', name: 'numbers' },
  { method: 'get', path: '/packages/NAME', name: 'tools' },
  { method: 'delete', path: '/packages/NAME', name: 'tools' },
  { method: 'get', path: '/openapi/v3/package/NAME', name: 'tools' },
  { method: 'post', path: '/packages/NAME/functions/twice', name: 'tools', body: { x: 1 } },
  { method: 'get', path: '/tables/NAME', name: 'films' },
  { method: 'delete', path: '/tables/NAME', name: 'films' },
  { method: 'delete', path: '/table/NAME', name: 'films' },
  { method: 'get', path: '/tables_optimize/NAME', name: 'films' },
  { method: 'post', path: '/tables_vacuum/NAME', name: 'films' },
  { method: 'post', path: '/query', name: 'numbers', body: 'SELECT n FROM NAME n' },
  { method: 'post', path: '/query-validate', name: 'films', body: 'NAME' },
  { method: 'post', path: '/query', name: 'tools', body: 'FROM NAME IMPORT twice; twice(1)' },
];

test.each(REQUESTS)("$method $path $body: another's object is, byte for byte, one that never was", async ({ method, path, name, body }) => {
  // Of the same length as the name, so that lengths agree too.
  const nameless = `${name.slice(0, -1)}Q`;
  const send = (named: string) => {
    const sent = typeof body === 'string' ? body.replace('NAME', named) : body;
    return ask(executor.url, method, path.replace('NAME', named), { as: eve, ...(sent === undefined ? {} : { body: sent }) });
  };
  const [theirs, never] = [await send(name), await send(nameless)];
  expect(theirs.status).toBe(400);
  const shown = (answer: typeof theirs) => JSON.stringify({ ...answer, headers: withoutChance(answer.headers) });
  expect(shown(theirs).replaceAll(name, nameless)).toBe(shown(never));
});

const BY_CHANCE: readonly string[] = ['date', 'x-request-id', 'x-svc-query-id'];

/** Drops the headers that differ between any two responses. */
function withoutChance(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !BY_CHANCE.includes(name)));
}

test('those of one organisation share what it has, and act as themselves', async () => {
  expect((await ask(executor.url, 'get', '/views/numbers', { as: ben })).status).toBe(200);
  expect((await ask(executor.url, 'get', '/openapi/v3/package/tools', { as: ben })).status).toBe(200);
  expect(await ask(executor.url, 'post', '/packages/tools/functions/who', { as: ben, body: {} })).toMatchObject({ body: '"ben"\n' });
  expect(await ask(executor.url, 'put', '/views/numbers', { as: ben, body: '1' })).toMatchObject({ body: { code: 'view_already_exists' } });
  expect(await ask(executor.url, 'post', '/query', { as: ben, body: 'SELECT n FROM numbers n' })).toMatchObject({ body: '1\n2\n' });
});

test('lists and the catalogue hold nothing of others', async () => {
  for (const path of ['/views', '/packages', '/tables']) expect((await ask(executor.url, 'get', path, { as: eve })).body).toEqual([]);
  expect((await ask(executor.url, 'get', '/catalog', { as: eve })).body).toEqual({ views: [], tables: [], packages: [] });
  expect((await ask(executor.url, 'get', '/catalog', { as: ben })).body).toMatchObject({ views: [{ name: 'numbers' }] });
});

test('a name that another organisation has is free', async () => {
  expect(await ask(executor.url, 'put', '/views/numbers', { as: eve, body: '"mine"' })).toMatchObject({ status: 200 });
  expect(await ask(executor.url, 'post', '/query', { as: eve, body: 'numbers' })).toMatchObject({ body: '"mine"\n' });
  expect(await ask(executor.url, 'post', '/query', { as: ann, body: 'LEN(numbers)' })).toMatchObject({ body: '2\n' });
  expect(await ask(executor.url, 'delete', '/views/numbers', { as: eve })).toMatchObject({ status: 204 });
});

test('a token without the claim is refused by its name', async () => {
  const answer = await ask(executor.url, 'get', '/views', { as: await executor.token('ann') });
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', message: expect.stringContaining('org') } });
});
