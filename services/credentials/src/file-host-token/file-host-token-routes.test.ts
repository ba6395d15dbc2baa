import { startCredentialsUnderTest, type CredentialsUnderTest } from '../testing/credentials-under-test.ts';

let service: CredentialsUnderTest;

beforeAll(async () => {
  service = await startCredentialsUnderTest();
});
afterAll(() => service.close());

test.each([
  [{ tokenType: 'Bearer' }, 'The field tokenType must be bearer.'],
  [{ accessToken: '' }, 'The field accessToken must not be empty.'],
  [{ accessToken: 'a\r\n' }, 'The field accessToken must be a text of ASCII characters without line breaks.'],
  [{ uid: 42 }, 'The field uid must be a string.'],
])('%j is refused: %s', async (wrong, message) => {
  const body = { accessToken: 't', tokenType: 'bearer', uid: '1', ...wrong };
  expect(await service.send('post', '/filehost-tokens', { body })).toMatchObject({ status: 400, body: { code: 'bad_request', message } });
});

test('there is nothing below the token', async () => {
  expect(await service.send('get', '/filehost-tokens/x')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await service.send('put', '/filehost-tokens')).headers['allow']).toBe('POST, GET, HEAD, DELETE');
});
