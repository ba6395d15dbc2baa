import { Validator } from '@seriousme/openapi-schema-validator';

import { ask } from './testing/ask.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from './testing/gateway-under-test.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterAll(() => gateway.close());

test('the gateway describes its administration, to anybody', async () => {
  const { status, body } = await ask(gateway.url, 'get', '/openapi.json');
  expect(status).toBe(200);
  expect(await new Validator().validate(structuredClone(body) as Record<string, unknown>)).toMatchObject({ valid: true });
  expect(Object.keys((body as { readonly paths: object }).paths)).toContain('/svc/1/api/admin/keys/{id}/rotate');
});
