import { startCredentialsUnderTest, type CredentialsUnderTest } from '../testing/credentials-under-test.ts';

let service: CredentialsUnderTest;

beforeAll(async () => {
  service = await startCredentialsUnderTest();
});
afterAll(() => service.close());

test.each([{}, { credentials: null }])('a bucket may have no keys: %j', async (keys) => {
  expect((await service.send('post', '/objbuckets', { body: { name: 'open-data', region: 'us-east-1', ...keys } })).status).toBe(201);
  expect((await service.send('get', '/objbuckets/open-data')).body).toEqual({ name: 'open-data', credentials: null });
  await service.send('delete', '/objbuckets/open-data');
});

test('names are listed in code-point order', async () => {
  for (const name of ['b.b', 'b-b', 'b0b', 'abc', 'b1'.padEnd(63, 'x')])
    expect((await service.send('post', '/objbuckets', { body: { name, region: 'r' } })).status).toBe(201);
  expect((await service.send('get', '/objbuckets')).body).toEqual(['abc', 'b-b', 'b.b', 'b0b', 'b1'.padEnd(63, 'x')]);
});

test.each(['ab', 'x'.repeat(64), 'Upper', 'under_score', '-a-', 'a..b', '192.168.1.1', 'a b c', 'a/b', 'ａｂｃ'])(
  'a name against the rule of buckets is refused: %j',
  async (name) => {
    expect(await service.send('post', '/objbuckets', { body: { name, region: 'r' } })).toMatchObject({
      status: 400,
      body: { code: 'bad_request', message: expect.stringMatching(/^The field name must be the name of a bucket/) },
    });
  },
);

test.each([
  [{ name: 'abc' }, 'The field region is missing.'],
  [{ name: 'abc', region: '' }, 'The field region must be 1 to 64 letters, digits, "_" and "-".'],
  [{ name: 'abc', region: 'evil.example/' }, 'The field region must be 1 to 64 letters, digits, "_" and "-".'],
  [{ name: '', region: 'r' }, 'The field name must not be empty.'],
  [{ name: 5, region: 'r' }, 'The field name must be a string.'],
  [
    { name: 'abc', region: 'r', credentials: {} },
    'The field credentials.accessKey is missing. The field credentials.secretKey is missing.',
  ],
  [
    { name: 'abc', region: 'r', credentials: { accessKey: '', secretKey: 'a\u0000' } },
    'The field credentials.accessKey must not be empty. The field credentials.secretKey must be a text of Unicode characters without U+0000.',
  ],
  [
    { name: 'abc', region: 'r', credentials: { accessKey: 'a\n', secretKey: 'b' } },
    'The field credentials.accessKey must be a text of ASCII characters without line breaks.',
  ],
  [
    { name: 'abc', region: 'r', credentials: { accessKey: 'a', secretKey: '\ud800' } },
    'The field credentials.secretKey must be a text of Unicode characters without U+0000.',
  ],
])('%j is refused: %s', async (body, message) => {
  expect((await service.send('post', '/objbuckets', { body: JSON.stringify(body) })).body).toEqual({ code: 'bad_request', message });
});
