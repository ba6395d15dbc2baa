import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { CliWorld } from './cli-world.ts';
import { runOnTerminal } from './installed-cli.ts';

const DONE = { code: 0, stdout: '', stderr: '' };

/** Tests of stored objects: views, packages, tables, credentials, applications, keys. */
export function resourceTests(world: () => CliWorld): void {
  test.each([
    ['view', 'SELECT x AS x FROM RANGE(0, 2) x', 'SELECT x AS y FROM RANGE(0, 2) x'],
    ['package', 'double(n: int): int := n * 2;\n0', 'triple(n: int): int := n * 3;\n0'],
  ])('a %s is stored, listed, shown, replaced and deleted', async (noun, text, other) => {
    const { svc } = world();
    const stored = await svc([noun, 'put', `my_${noun}`], { input: text });
    expect(stored).toEqual({ code: 0, stdout: (await svc(['validate', text])).stdout, stderr: '' });
    expect((await svc([noun, 'get', `my_${noun}`])).stdout).toBe(`${text}\n`);
    expect((await svc([noun, 'list', '--pattern', 'my%'])).stdout).toMatch(new RegExp(`^NAME +CREATED\nmy_${noun} +20[-\\dT:.]+\n$`));
    expect(await svc([noun, 'put', `my_${noun}`, other])).toMatchObject({ code: 1 });
    expect(await svc([noun, 'put', `my_${noun}`, other, '--replace'])).toMatchObject({ code: 0 });
    expect(JSON.parse((await svc([noun, 'get', `my_${noun}`, '--json'])).stdout)).toMatchObject({ name: `my_${noun}`, query: other });
    expect(await svc([noun, 'delete', `my_${noun}`])).toEqual(DONE);
    expect((await svc([noun, 'list', '--json'])).stdout).toBe('[]\n');
  });

  test('errors in a stored text are drawn', async () => {
    const { stderr } = await world().svc(['package', 'put', 'broken'], { input: 'double(n: int): int :=\n  m * 2;\n0' });
    expect(stderr).toContain(' --> <stdin>:2:3\n  |\n2 |   m * 2;\n  |   ^\n');
  });

  test('rows of CSV, JSON lines, compressed files and results are appended to a table', async () => {
    const { svc, folder } = world();
    expect(await svc(['table', 'put', 'orders', '--type', 'collection(record(id: long, city: string))', '--index', 'id'])).toEqual(DONE);
    const [csv, lines] = [join(folder, 'orders.csv'), join(folder, 'orders.jsonl.gz')];
    await writeFile(csv, 'id,city\n1,Lyon\n2,Rome\n');
    await writeFile(lines, gzipSync('{"id": 3, "city": "Oslo"}\n'));
    expect((await svc(['table', 'append', 'orders', '-f', csv])).stdout).toBe('2 rows stored\n');
    expect((await svc(['table', 'append', 'orders', '-f', lines])).stdout).toBe('1 row stored\n');
    const more = await svc(['query', 'SELECT id + 3 AS id, city FROM orders']);
    expect((await svc(['table', 'append', 'orders'], { input: more.stdout })).stdout).toBe('3 rows stored\n');
    expect((await svc(['query', 'COUNT(orders)'])).stdout).toBe('6\n');
    expect((await svc(['table', 'get', 'orders'])).stdout).toMatch(
      /^name {6}orders\ntype {6}collection\(record\(id: long, city: string\)\)\nlocation {2}-\ncreated {3}20[-\dT:.]+\nupdated {3}-\n$/,
    );
    expect((await svc(['table', 'list'])).stdout).toContain('orders');
    expect(await svc(['table', 'optimize', 'orders'])).toEqual(DONE);
    expect(await svc(['table', 'append', 'orders', '-f', 'orders.parquet'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: Rows are CSV or JSON lines, and orders.parquet is neither by its extension: --format takes one of csv, jsonl.\n',
    });
    expect(await svc(['table', 'append', 'orders'], { input: '{"id": "x"}\n' })).toMatchObject({ code: 1 });
    expect(await svc(['table', 'delete', 'orders'])).toEqual(DONE);
  });

  test.each([
    ['bucket', ['bucket', 'sales', '--region', 'eu-west-1', '--access-key', 'AKIA1'], 'sales', 'secretKey'],
    ['database', ['database', 'crm', '--host', '127.0.0.1', '--port', '1', '--database', 'crm', '--username', 'reader'], 'crm', 'password'],
    ['http', ['http-basic', 'https://api.example.com/v1', '--user', 'ann'], 'https://api.example.com/v1', 'credentials.password'],
    [
      'http',
      ['http-client', 'https://b.example.com', '--client-id', 'c', '--token-url', 'https://b.example.com/token'],
      'https://b.example.com',
      'credentials.clientSecret',
    ],
    ['http', ['http-token', 'https://c.example.com'], 'https://c.example.com', 'credentials.token'],
    ['filehost', ['filehost', '--uid', 'u1'], '', 'accessToken'],
  ])(
    'a %s credential (%j) is registered with a secret of standard input, which is shown on request only',
    async (kind, args, name, secret) => {
      const { svc } = world();
      const which = [kind, ...(name === '' ? [] : [name])];
      expect(await svc(['credential', 'put', ...args], { input: 's3cret of mine\n' })).toEqual(DONE);
      const shown = await svc(['credential', 'get', ...which]);
      expect(shown.stdout).toMatch(new RegExp(`(^|\n)(\\w+\\.)?${secret} +\\*{8}\n`));
      expect(shown.stdout).not.toContain('s3cret');
      expect((await svc(['credential', 'get', ...which, '--show-secrets', '--json'])).stdout).toContain('"s3cret of mine"');
      expect((await svc(['credential', 'list'])).stdout).toMatch(new RegExp(`^${kind} +${name || '-'} +20`, 'm'));
      expect(await svc(['credential', 'delete', ...which])).toEqual(DONE);
    },
  );

  test('a secret is prompted for on a terminal, and not shown', async () => {
    const { svc, program, env } = world();
    const args = ['credential', 'put', 'http-basic', 'https://d.example.com', '--user', 'ann'];
    const { code, stdout } = await runOnTerminal(program, args, {
      env,
      keepsInputOpen: true,
      onStart: (child) =>
        child.stdout?.on('data', (chunk: Buffer) => /password of ann: $/.test(chunk.toString()) && child.stdin?.write('hidden\r')),
    });
    expect([code, stdout]).toEqual([0, 'password of ann: \r\n']);
    expect((await svc(['credential', 'get', 'http', 'https://d.example.com', '--show-secrets'])).stdout).toContain('hidden');
    expect(await svc(['credential', 'delete', 'http', 'https://d.example.com'])).toEqual(DONE);
  });

  test('a credential that is not accepted fails its check with the reason', async () => {
    const { svc } = world();
    await svc(['credential', 'put', 'database', 'down', '--host', '127.0.0.1', '--port', '1', '--database', 'x']);
    expect(await svc(['credential', 'check', 'database', 'down'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: The credential was not accepted: ./),
    });
    expect(await svc(['credential', 'get', 'database'])).toMatchObject({ code: 2 });
  });

  test('each fault of an application is shown with its place, at once and when a function goes later', async () => {
    const { svc, folder } = world();
    const definition = join(folder, 'faulty.yaml');
    await svc(['package', 'put', 'faulty', 'one(): int := 1;\n0']);
    const endpoint = (name: string): string => `  - { path: /${name}, method: get, function: faulty.${name} }\n`;
    const head = 'application: faulty\nendpoints:\n';
    await writeFile(definition, `${head}${endpoint('one')}${endpoint('two')}${endpoint('three')}`);
    const refused = await svc(['application', 'put', 'faulty', '-f', definition]);
    expect(refused.stderr.split('\n').slice(0, 4)).toEqual([
      'error: The definition of application "faulty" cannot be used.',
      expect.stringMatching(/^ {2}\/endpoints\/1\/function: .*two/),
      expect.stringMatching(/^ {2}\/endpoints\/2\/function: .*three/),
      expect.stringMatching(/^code application_invalid, request /),
    ]);
    await writeFile(definition, `${head}${endpoint('one')}`);
    expect((await svc(['application', 'put', 'faulty', '-f', definition])).code).toBe(0);
    await svc(['package', 'delete', 'faulty']);
    expect(await svc(['application', 'list'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Wrong with faulty:\n {2}\/endpoints\/0\/function: package faulty does not exist\n$/),
    });
    expect(await svc(['application', 'delete', 'faulty'])).toEqual(DONE);
  });

  test('an application is stored, and a key for its scope created, rotated, switched and deleted', async () => {
    const { svc, folder, urls } = world();
    const definition = join(folder, 'shop.yaml');
    await svc(['package', 'put', 'shop', 'doubled(n: int): int := n * 2;\n0']);
    await writeFile(
      definition,
      'application: shop\nscopes: [{name: "shop:read"}]\nendpoints: [{path: /double, method: GET, function: shop.doubled, scopes: ["shop:read"]}]\n',
    );
    expect((await svc(['application', 'put', 'shop', '-f', definition])).stdout).toMatch(
      /\nshop +GET +\/double +private +shop:read +shop\.doubled\n$/,
    );
    expect((await svc(['application', 'get', 'shop'])).stdout).toBe(await readFile(definition, 'utf8'));
    const created = await svc(['key', 'create', 'website', '--scope', 'shop:read', '--expires', '1d', '--rate-limit', '100/1m', '--json']);
    const { key, id } = JSON.parse(created.stdout) as { readonly key: string; readonly id: string };
    const call = async (apiKey: string): Promise<number> =>
      (await fetch(`${urls.gateway}/shop/1/public/double?n=2`, { headers: { 'X-SVC-API-KEY': apiKey } })).status;
    expect(await call(key)).toBe(200);
    expect((await svc(['key', 'reveal', 'website'])).stdout).toBe(`${key}\n`);
    const rotated = (await svc(['key', 'rotate', id, '--grace', '1m'])).stdout.trim();
    expect([rotated === key, await call(rotated)]).toEqual([false, 200]);
    expect(await svc(['key', 'deactivate', 'website'])).toEqual(DONE);
    expect((await svc(['key', 'list'])).stdout).toMatch(new RegExp(`${id} +website +\\S+… +inactive +20\\S+ +shop:read`));
    expect(await svc(['key', 'activate', 'website'])).toEqual(DONE);
    expect((await svc(['key', 'get', 'website'])).stdout).toMatch(/^rateLimit +\{"requests":100,"seconds":60\}$/m);
    expect(await svc(['key', 'delete', 'website'])).toEqual(DONE);
    expect(await svc(['key', 'reveal', 'website'])).toMatchObject({ code: 1, stderr: expect.stringContaining('code key_not_found') });
  });
}
