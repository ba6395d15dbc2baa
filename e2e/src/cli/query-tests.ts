import { createServer, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { eventually } from '@svc/test-kit';

import type { CliWorld } from './cli-world.ts';
import { runOnTerminal, runProgram } from './installed-cli.ts';

/** Runs for minutes, and sends nothing before its end. */
const SLOW = 'SELECT COUNT(*) FROM RANGE(0, 1000000) x, RANGE(0, 1000000) y WHERE x * y % 7 = 3';
/** Returns its first rows immediately, and does not end. */
const LONG = 'SELECT x AS x, "padding padding padding padding padding" AS p FROM RANGE(0, 100000) x, RANGE(0, 1000) y';

/** `svc query` and `svc validate`. */
export function queryTests(world: () => CliWorld): void {
  test('a query is an argument, a file or standard input', async () => {
    const file = join(world().folder, 'one.rql');
    await writeFile(file, '1 + 1');
    const results = await Promise.all([
      world().svc(['query', '1 + 1']),
      world().svc(['query', '-f', file]),
      world().svc(['query'], { input: '1 + 1' }),
      world().svc(['query', '-f', '-'], { input: '1 + 1' }),
    ]);
    expect(results).toEqual(results.map(() => ({ code: 0, stdout: '2\n', stderr: '' })));
  });

  test('arguments of a query that ends in a function are given by name', async () => {
    const text = '\\(city: string, n: int) -> (city: city, n: n + 1)';
    expect(await world().svc(['query', text, '--arg', 'city=Lyon = A & B', '-a', 'n=5'])).toEqual({
      code: 0,
      stdout: '{"city":"Lyon = A & B","n":6}\n',
      stderr: '',
    });
  });

  test.each([
    ['json', '[{"x":0},{"x":1}]\n'],
    ['hjson', '{"x":0}\n{"x":1}\n'],
    ['csv', 'x\n0\n1\n'],
  ])('the result is printed as %s', async (format, expected) => {
    const { stdout } = await world().svc(['query', 'SELECT x AS x FROM RANGE(0, 2) x', '--format', format]);
    expect(stdout).toBe(expected);
  });

  test.each([
    ['result.sqlite', 'SQLite format 3'],
    ['result.parquet', 'PAR1'],
    ['result.csv', 'x\n0\n1\n'],
  ])('the extension of %s decides about its format', async (name, begin) => {
    const output = join(world().folder, name);
    const result = await world().svc(['query', 'SELECT x AS x FROM RANGE(0, 2) x', '--output', output]);
    expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await readFile(output)).subarray(0, begin.length).toString()).toBe(begin);
  });

  test.each(['result.xlsx', 'result.csv.gz'])('no result is written to %s, whose extension no format has', async (name) => {
    const output = join(world().folder, name);
    const { code, stderr } = await world().svc(['query', '1', '-o', output]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: No format has the extension \.\w+: --format takes one of hjson, json, /);
    expect(await readdir(world().folder)).not.toContain(name);
  });

  test('a result that breaks off leaves no file, and the one before as it was', async () => {
    const output = join(world().folder, 'kept.csv');
    await writeFile(output, 'as it was');
    const failing = 'SELECT IF x > 400000 THEN ERROR("too big") ELSE x FROM RANGE(0, 500000) x';
    const { code, stderr } = await world().svc(['query', failing, '-o', output]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The answer broke off/);
    expect(await readFile(output, 'utf8')).toBe('as it was');
    expect((await readdir(world().folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('a result is written through a symbolic link, which stays', async () => {
    const file = join(world().folder, 'behind-the-link.csv');
    const link = join(world().folder, 'link.csv');
    await writeFile(file, 'as it was');
    await symlink(file, link);
    expect(await world().svc(['query', 'SELECT 1 AS x', '-o', link])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readlink(link)).toBe(file);
    expect(await readFile(file, 'utf8')).toBe('x\n1\n');
  });

  test('the output - is standard output', async () => {
    const result = await world().svc(['query', 'SELECT 1 AS x', '--format', 'csv', '-o', '-'], { cwd: world().folder });
    expect(result).toEqual({ code: 0, stdout: 'x\n1\n', stderr: '' });
  });

  test('a full disk is named with what could not be written', async () => {
    const rows = 'SELECT x AS x FROM RANGE(0, 300000) x';
    const full = { code: 1, stdout: '', stderr: 'error: /dev/full cannot be written: ENOSPC.\n' };
    expect(await world().svc(['query', rows, '-o', '/dev/full'])).toEqual(full);
    const { program, env } = world();
    for (const command of [`query '${rows}'`, 'view list'])
      expect(await runProgram('/bin/sh', ['-c', `'${program}' ${command} > /dev/full`], { env })).toEqual({
        ...full,
        stderr: 'error: Standard output cannot be written: ENOSPC.\n',
      });
    expect(await world().svc(['query', rows, '-o', ''])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: --output takes/),
    });
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s leaves no unfinished file, and no query in the executor', async (signal) => {
    const folder = join(world().folder, signal);
    await mkdir(folder);
    const stopped = world().svc(['query', LONG, '-o', 'rows.csv'], {
      cwd: folder,
      onStart: (child) => void eventually(async () => expect(await readdir(folder)).toHaveLength(1)).then(() => child.kill(signal)),
    });
    expect((await stopped).code).toBe(130);
    expect(await readdir(folder)).toEqual([]);
    await eventually(async () => expect(await running(world().env)).toEqual([]));
  });

  test('errors are drawn below the line of the source, with line and column', async () => {
    const file = join(world().folder, 'wrong.rql');
    await writeFile(file, 'SELECT\n\tname, "é😀" || stat\nFROM [(name: "a")] x\n');
    const { code, stdout, stderr } = await world().svc(['validate', '-f', file]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.replaceAll(file, 'wrong.rql').replace(/request .*/, 'request …')).toBe(
      [
        'error: stat is not declared',
        ' --> wrong.rql:2:16',
        '  |',
        '2 | \tname, "é😀" || stat',
        '  | \t               ^^^^',
        '',
        'request …',
        '',
      ].join('\n'),
    );
  });

  test('a valid query is answered with its type', async () => {
    const { stdout } = await world().svc(['validate', 'SELECT x AS x FROM RANGE(0, 2) x']);
    expect(stdout).toMatch(/^collection\(record\(x: \w+\)\)\n$/);
  });

  test('colors are for terminals, and NO_COLOR turns them off', async () => {
    const { env, program, svc } = world();
    const [shown, plain, piped] = await Promise.all([
      runOnTerminal(program, ['validate', 'stat'], { env }),
      runOnTerminal(program, ['validate', 'stat'], { env: { ...env, NO_COLOR: '1' } }),
      svc(['validate', 'stat'], { env: { FORCE_COLOR: '' } }),
    ]);
    expect(shown.stdout).toContain('\u001B[31m');
    expect(plain.stdout).toContain('^^^^');
    expect(plain.stdout).not.toContain('\u001B[');
    expect(piped.stderr).not.toContain('\u001B[');
  });

  test('an error of a service has its code and its request id', async () => {
    const { code, stderr } = await world().svc(['view', 'get', 'nothing']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: View "nothing" does not exist\.\ncode view_not_found, request [\w-]+\n$/);
  });

  test.each([
    [['query'], { env: {}, input: '' }, 1, 'error:'],
    [['query', '1', '--format', 'xml'], {}, 2, "error: option '--format <format>' argument 'xml' is invalid"],
    [['query', '1', '--arg', 'n'], {}, 2, 'error: --arg takes name=value, found "n"'],
    [['query', '1', '-f', 'x'], {}, 2, 'error: Give a query either as an argument or by --file'],
    [['query', '-f', '/nowhere.rql'], {}, 1, 'error: /nowhere.rql cannot be read: ENOENT'],
    [['qery', '1'], {}, 2, 'Did you mean query?'],
    [['query', '1'], { env: { SVC_URL: '', SVC_EXECUTOR_URL: 'nowhere' } }, 2, 'must be an http or https URL'],
    [['query', '1'], { env: { SVC_EXECUTOR_URL: 'http://127.0.0.1:1' } }, 1, 'error: The service could not be reached'],
    [['query', '1'], { env: { SVC_TOKEN: 'no token' } }, 1, 'error: The service refused the token in SVC_TOKEN'],
    [['query', '1', '--profile', 'nobody'], {}, 2, 'error: There is no profile "nobody"'],
  ] as const)('%j with %j ends with %i: %s', async (args, options, code, text) => {
    const result = await world().svc(args, options);
    expect(result.stderr).toContain(text);
    expect(result).toMatchObject({ code, stdout: '' });
  });

  test('a reader that has had enough ends a long query, without an error', async () => {
    const { svc, env } = world();
    const piped = await runOnTerminal('sh', ['-c', `svc query '${LONG}' | head -2`], { env });
    expect(piped).toMatchObject({ code: 0 });
    expect(piped.stdout.split('\n')).toHaveLength(3);
    await eventually(async () => expect(await running(env)).toEqual([]));
    expect((await svc(['query', '1'])).code).toBe(0);
  });

  test.each([
    ['a query whose answer has begun', LONG, ['-o', '/dev/null']],
    ['a query that has sent nothing yet', SLOW, []],
  ])('Ctrl-C cancels %s by its id, and ends with 130', async (_name, text, more) => {
    const { env, svc, urls } = world();
    const proxy = await openRecorder(urls.executor);
    const result = await svc(['query', text, ...more], {
      env: { SVC_EXECUTOR_URL: proxy.url },
      onStart: (child) =>
        void eventually(async () => {
          expect(proxy.requests.length + (await running(env)).length).toBe(2);
          if (more.length > 0) expect(proxy.answered()).toBe(true);
        }).then(() => child.kill('SIGINT')),
    });
    expect(result).toMatchObject({ code: 130, stderr: '' });
    expect(proxy.requests.at(-1)).toMatch(/^DELETE \/queries\/[\w-]{36}$/);
    await eventually(async () => expect(await running(env)).toEqual([]));
    await proxy.close();
  });

  test('a terminal shows that a query runs, and what it has received', async () => {
    const { env, program } = world();
    let screen = '';
    const result = await runOnTerminal(program, ['query', LONG, '-o', '/dev/null'], {
      env,
      onStart: (child) => {
        child.stdout?.on('data', (chunk: Buffer) => {
          screen += chunk.toString();
          // As the terminal sends it.
          if (/running [\d.]+ s, [\d.]+ MB/.test(screen)) child.stdin?.write('\u0003');
        });
      },
      keepsInputOpen: true,
    });
    expect(result.code).toBe(130);
    expect(screen).toContain('(Ctrl-C cancels)');
  });
}

async function running(env: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const response = await fetch(`${env['SVC_EXECUTOR_URL'] ?? ''}/queries`, {
    headers: { Authorization: `Bearer ${env['SVC_TOKEN'] ?? ''}` },
  });
  return (await response.json()) as readonly unknown[];
}

/** Forwards requests to a service, and records them. */
async function openRecorder(target: string) {
  const requests: string[] = [];
  let hasAnswered = false;
  const server = createServer((req, res) => {
    requests.push(`${req.method ?? ''} ${req.url ?? ''}`);
    const onward = request(`${target}${req.url ?? ''}`, { method: req.method, headers: req.headers }, (answer: IncomingMessage) => {
      hasAnswered = true;
      res.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has this kind of address
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, requests, answered: () => hasAnswered, close };
}
