import { spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openCookieBrowser } from '../../../packages/local-stack/src/testing/cookie-browser.ts';
import type { CliWorld } from './cli-world.ts';
import { runProgram, type ProgramResult } from './installed-cli.ts';

interface Tokens {
  readonly accessToken: string;
  readonly expiresAt: number;
  readonly refreshToken: string;
}

/** `svc login`, `logout`, `whoami`, profiles. */
export function sessionTests(world: () => CliWorld): void {
  /** A user of the machine, with the gateway's address in the environment as the only setting. */
  const user = (name: string): { readonly env: Readonly<Record<string, string>>; readonly folder: string } => {
    const folder = join(world().folder, `config-${name}`);
    const { SVC_TOKEN: _token, ...env } = world().env;
    return { env: { ...env, SVC_CONFIG_DIR: folder }, folder };
  };
  const readTokens = async (folder: string, profile = 'default'): Promise<Tokens> =>
    (JSON.parse(await readFile(join(folder, 'tokens.json'), 'utf8')) as Readonly<Record<string, Tokens>>)[profile] as Tokens;

  test('a user signs in with a browser, is somebody, and signs out', async () => {
    const { env, folder } = user('ann');
    const { program } = world();
    expect(await runProgram(program, ['query', '1'], { env })).toMatchObject({ code: 1, stderr: expect.stringContaining('svc login') });
    expect(await signIn(program, env, 'ann')).toMatchObject({ code: 0, stderr: expect.stringMatching(/Signed in as ann\.\n$/) });
    expect((await stat(join(folder, 'tokens.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await runProgram(program, ['whoami'], { env })).stdout).toMatch(/^subject +ann\nscope +svc:admin\n/);
    expect((await runProgram(program, ['key', 'list'], { env })).code).toBe(0);
    const { refreshToken } = await readTokens(folder);
    expect((await runProgram(program, ['logout'], { env })).stderr).toBe('Signed out.\n');
    expect(await readFile(join(folder, 'tokens.json'), 'utf8')).toBe('{}\n');
    const renewed = await fetch(`${world().authorizationUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'cli', refresh_token: refreshToken }),
    });
    expect(renewed.status).toBe(400);
  });

  test('a token that has expired is renewed once, however many commands find it', async () => {
    const { env, folder } = user('bob');
    const { program } = world();
    await signIn(program, env, 'bob');
    const before = await readTokens(folder);
    await writeFile(join(folder, 'tokens.json'), JSON.stringify({ default: { ...before, expiresAt: Date.now() - 1 } }));
    const results = await Promise.all(Array.from({ length: 4 }, () => runProgram(program, ['query', 'USER()'], { env })));
    expect(results).toEqual(results.map(() => ({ code: 0, stdout: '"bob"\n', stderr: '' })));
    const after = await readTokens(folder);
    expect(after.refreshToken).not.toBe(before.refreshToken);
    // A refresh token works once: if two commands had used it, the second would have ended the session.
    expect((await runProgram(program, ['whoami'], { env })).code).toBe(0);
  });

  test('a token that a service refuses is renewed, and a sign-in that is over is explained', async () => {
    const { env, folder } = user('cid');
    const { program } = world();
    await signIn(program, env, 'cid');
    const stored = await readTokens(folder);
    const refused = `${stored.accessToken.slice(0, -4)}AAAA`;
    await writeFile(join(folder, 'tokens.json'), JSON.stringify({ default: { ...stored, accessToken: refused } }));
    expect(await runProgram(program, ['query', 'USER()'], { env })).toMatchObject({ code: 0, stdout: '"cid"\n' });
    await writeFile(join(folder, 'tokens.json'), JSON.stringify({ default: { ...stored, accessToken: refused } }));
    expect(await runProgram(program, ['query', '1'], { env })).toMatchObject({
      code: 1,
      stderr: 'error: Your sign-in is over: svc login begins a new one.\n',
    });
  });

  test('a user signs in with the code of a device', async () => {
    const { env } = user('dev');
    const result = await watchLogin(world().program, ['login', '--device'], env, async (text) => {
      const [, url] = /Open (\S+)/.exec(text) ?? [];
      if (url === undefined || !text.includes('and enter the code')) return false;
      await walkThrough(new URL(url), { subject: 'dev', decision: 'sign-in' });
      return true;
    });
    expect(result).toMatchObject({ code: 0, stderr: expect.stringMatching(/Signed in as dev\.\n$/) });
    expect((await runProgram(world().program, ['query', 'USER()'], { env })).stdout).toBe('"dev"\n');
  });

  test('a sign-in that is cancelled fails, and what does not belong to it changes nothing', async () => {
    const { env } = user('eve');
    const result = await watchLogin(world().program, ['login', '--no-browser'], env, async (text) => {
      const url = findUrl(text);
      if (url === undefined) return false;
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      const forged = await fetch(`${back.href}?code=x&state=forged`);
      expect([forged.status, (await fetch(new URL('/', back))).status]).toEqual([400, 404]);
      await walkThrough(url, { subject: 'eve', decision: 'cancel' });
      return true;
    });
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error: The authorization server refused: The sign-in was cancelled.'),
    });
  });

  test('profiles have addresses and sign-ins of their own', async () => {
    const { env: all, folder } = user('pat');
    const { program, urls } = world();
    const env = Object.fromEntries(Object.entries(all).filter(([name]) => !/^SVC_.*_URL$/.test(name)));
    const svc = (...args: readonly string[]): Promise<ProgramResult> => runProgram(program, args, { env });
    const given = Object.entries(urls).flatMap(([name, url]) => [`--${name}-url`, url]);
    expect(await svc('profile', 'set', 'work', ...given)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await svc('profile', 'show')).stdout).toMatch(/^profile +default\ngateway +http:\/\/127\.0\.0\.1:8080\n/);
    expect((await svc('profile', 'show', '--profile', 'work')).stdout).toContain(urls.stream);
    expect(await signIn(program, env, 'pat', '--profile', 'work')).toMatchObject({ code: 0 });
    expect((await svc('query', 'USER()', '--profile', 'work')).stdout).toBe('"pat"\n');
    await svc('profile', 'use', 'work');
    expect((await svc('query', 'USER()')).stdout).toBe('"pat"\n');
    expect((await svc('profile', 'list')).stdout).toMatch(/^\* +work +http/m);
    expect((await readTokens(folder, 'work')).accessToken).not.toBe('');
    expect(await svc('profile', 'use', 'play')).toMatchObject({ code: 2 });
    await svc('profile', 'delete', 'work');
    expect((await svc('query', '1')).code).toBe(2);
  });
}

function findUrl(text: string): URL | undefined {
  const [url] = /http\S+\/auth\?\S+/.exec(text) ?? [];
  return url === undefined ? undefined : new URL(url);
}

async function signIn(
  program: string,
  env: Readonly<Record<string, string>>,
  subject: string,
  ...more: readonly string[]
): Promise<ProgramResult> {
  return watchLogin(program, ['login', '--no-browser', ...more], env, async (text) => {
    const url = findUrl(text);
    if (url === undefined) return false;
    await walkThrough(url, { subject, decision: 'sign-in' });
    return true;
  });
}

/** Runs a sign-in and plays the user: `act` receives the output until it returns that it has acted. */
async function watchLogin(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  act: (printed: string) => Promise<boolean>,
): Promise<ProgramResult> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  let acting: Promise<boolean> = Promise.resolve(false);
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    const printed = stderr;
    acting = acting.then((hasActed) => hasActed || act(printed));
    acting.catch(() => child.kill());
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  await acting;
  return { code, stdout: '', stderr };
}

/** Submits each form as a user with a browser does, and returns to the program's port if the last page redirects there. */
async function walkThrough(start: URL, who: Readonly<Record<string, string>>): Promise<void> {
  const browser = openCookieBrowser();
  let { url, response } = await browser.follow(start, await browser.get(start));
  for (;;) {
    if (url.origin !== start.origin) return void (await browser.get(url));
    const html = await response.text();
    const [, action] = /<form [^>]*action="([^"]*)"/.exec(html) ?? [];
    if (action === undefined) return;
    const hidden = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    const form = { ...(Object.fromEntries(hidden) as Readonly<Record<string, string>>), ...(html.includes('name="subject"') ? who : {}) };
    const target = new URL(action, url);
    ({ url, response } = await browser.follow(target, await browser.post(target, form)));
  }
}
