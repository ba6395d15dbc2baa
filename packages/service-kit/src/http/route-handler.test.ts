import request from 'supertest';

import { routeDefiner } from '../routes/route.ts';
import { createExampleApp, good } from '../testing/example-app.ts';

test('the signal of a request is one, and no accessor of its own keeps the request until the whole heap is collected', async () => {
  const seen: object[] = [];
  const { app } = createExampleApp({
    routes: [
      routeDefiner<string>()({
        method: 'get',
        path: '/seen',
        tag: 'test',
        summary: 'Notes what a handler is given.',
        responses: { 200: { description: 'ok' } },
        handler: async (input) => {
          seen.push(input, input.signal, input.signal);
          return { status: 200 };
        },
      }),
    ],
  });
  await request(app).get('/seen').set(good).expect(200);
  const [input = {}, signal, again] = seen;
  expect(signal).toBe(again);
  expect(Object.values(Object.getOwnPropertyDescriptors(input)).filter((property) => 'get' in property)).toEqual([]);
});
