import { startCredentialsUnderTest, type CredentialsUnderTest } from './testing/credentials-under-test.ts';
import { SAMPLES, TOKEN_SAMPLE } from './testing/samples.ts';

let service: CredentialsUnderTest;

beforeAll(async () => {
  service = await startCredentialsUnderTest();
});
afterAll(() => service.close());

const KINDS = [...SAMPLES, TOKEN_SAMPLE];
const refusalOf = (code: string): unknown => ({ code, message: expect.any(String) });

describe.each(KINDS)('$list', ({ list, detail, body, shown, exists, absent }) => {
  test('is registered once, shown, deleted, and can then be registered again', async () => {
    for (let round = 0; round < 2; round += 1) {
      const created = await service.send('post', list, { body });
      expect([created.status, created.body, created.headers['content-length']]).toEqual([201, '', '0']);
      expect(await service.send('post', list, { body })).toMatchObject({ status: 400, body: refusalOf(exists) });
      expect(await service.send('get', detail)).toMatchObject({ status: 200, body: shown });
      const deleted = await service.send('delete', detail);
      expect([deleted.status, deleted.body]).toEqual([204, '']);
      expect(await service.send('get', detail)).toMatchObject({ status: 400, body: refusalOf(absent) });
      expect(await service.send('delete', detail)).toMatchObject({ status: 400, body: refusalOf(absent) });
    }
  });

  test("another's is the same as none, and stands in the way of nobody", async () => {
    await service.send('post', list, { body });
    const [never, others] = await Promise.all([
      service.send('get', detail, { as: 'who-has-none' }),
      service.send('get', detail, { as: 'ben' }),
    ]);
    expect(others.body).toEqual(never.body);
    expect(await service.send('delete', detail, { as: 'ben' })).toMatchObject({ status: 400, body: refusalOf(absent) });
    expect((await service.send('post', list, { as: 'ben', body })).status).toBe(201);
    expect((await service.send('delete', detail, { as: 'ben' })).status).toBe(204);
    expect(await service.send('delete', detail)).toMatchObject({ status: 204 });
  });

  test('of twenty registered at the same instant exactly one is', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.send('post', list, { body })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body: refused }) => (refused as { code: string }).code))).toEqual(
      new Set([exists]),
    );
    await service.send('delete', detail);
  });

  test('needs a token, and is never stored by anybody on the way', async () => {
    const answers = [
      await service.send('post', list, { as: null, body }),
      await service.send('post', list, { body }),
      await service.send('post', list, { body }),
      await service.send('get', detail),
      await service.send('head', detail),
      await service.send('delete', detail),
      await service.send('delete', detail),
      await service.send('get', detail, { as: null }),
      await service.send('put', list, { body }),
      await service.send('get', `${detail}/x/y`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 201, 400, 200, 200, 204, 400, 401, 405, 404]);
    expect(new Set(answers.map(({ headers }) => headers['cache-control']))).toEqual(new Set(['no-store']));
    expect(answers[0]?.headers['www-authenticate']).toBe('Bearer');
  });

  test.each(['', '{', '[]', 'null', '"sesame"', '{"a": sesame}'])('the body %j is refused and not shown', async (text) => {
    const { status, body: refused } = await service.send('post', list, { body: text });
    expect([status, (refused as { code: string }).code]).toEqual([400, 'bad_request']);
    expect(JSON.stringify(refused)).not.toContain('sesame');
  });

  test('an unknown field and every missing one are named', async () => {
    const { status, body: refused } = await service.send('post', list, { body: { regoin: 'x' } });
    expect(status).toBe(400);
    const { message } = refused as { message: string };
    expect(message).toContain('The field regoin is unknown');
    for (const field of Object.keys(body).filter(
      (name) => !['username', 'password'].includes(name) && !(name === 'credentials' && 'region' in body),
    ))
      expect(message).toContain(`The field ${field} is missing.`);
  });

  test('only JSON is taken, up to the limit', async () => {
    const form = await service.send('post', list, { body: 'a=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
    expect([form.status, (form.body as { code: string }).code]).toEqual([415, 'unsupported_media_type']);
    const large = await service.send('post', list, { body: { name: 'x'.repeat(70_000) } });
    expect([large.status, (large.body as { code: string }).code]).toEqual([413, 'payload_too_large']);
    const text = await service.send('get', detail, { headers: { Accept: 'text/csv' } });
    expect([text.status, (text.body as { code: string }).code]).toEqual([406, 'not_acceptable']);
  });
});

describe.each(SAMPLES)('$list', ({ list, body, listed, detail }) => {
  test('lists names as they were given, for their owner alone', async () => {
    await service.send('post', list, { body });
    expect(await service.send('get', list)).toMatchObject({ status: 200, body: [listed] });
    expect(await service.send('get', list, { as: 'ben' })).toMatchObject({ status: 200, body: [] });
    await service.send('delete', detail);
  });

  test.each(['%00', '%2F', 'a%20b', 'ÿ'])('a name that nothing can have is not found: %s', async (name) => {
    const path = `${list}/${encodeURI(decodeURIComponent(name)).replaceAll('/', '%2F')}`;
    for (const method of ['get', 'delete'] as const)
      expect(await service.send(method, path)).toMatchObject({ status: 400, body: { code: expect.stringMatching(/_not_found$/) } });
    expect(await service.send('get', `${list}/%zz`)).toMatchObject({ status: 400, body: { code: 'bad_request' } });
  });
});
