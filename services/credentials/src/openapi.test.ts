import { Validator } from '@seriousme/openapi-schema-validator';

import { startCredentialsUnderTest, type CredentialsUnderTest } from './testing/credentials-under-test.ts';

let service: CredentialsUnderTest;

beforeAll(async () => {
  service = await startCredentialsUnderTest();
});
afterAll(() => service.close());

test('the service describes itself to anybody, in valid OpenAPI 3.1', async () => {
  const { status, body, headers } = await service.send('get', '/openapi.json', { as: null });
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  const outcome = await new Validator().validate(structuredClone(body) as Record<string, unknown>);
  expect([outcome.valid, outcome.errors]).toEqual([true, undefined]);
  expect(Object.keys((body as { paths: object }).paths)).toEqual(
    expect.arrayContaining(['/objbuckets', '/objbuckets/{name}', '/rdbmsservers', '/filehost-tokens', '/http-creds/{name}']),
  );
});
