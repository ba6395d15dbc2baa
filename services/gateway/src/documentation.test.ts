import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startExecutorProcess, type ExecutorProcess } from './testing/executor-process.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from './testing/gateway-under-test.ts';

const run = promisify(execFile);
const PAGE = await readFile(join(import.meta.dirname, '../../../docs/endpoints.md'), 'utf8');
/** Shell commands, each with its expected output. */
const steps = [...PAGE.matchAll(/```sh\n((?:(?!```)[\s\S])*)\n```\n\n```text\n((?:(?!```)[\s\S])*)```/g)].map(
  ([, commands = '', expected = '']) => ({
    commands,
    expected,
  }),
);
const client = /```ts\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';

let gateway: GatewayUnderTest;
let executor: ExecutorProcess;
let directory: string;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  executor = await startExecutorProcess(gateway.env);
  // Inside the package, where the client resolves its imports, in a directory that git ignores.
  const built = join(import.meta.dirname, '../dist');
  await mkdir(built, { recursive: true });
  directory = await mkdtemp(join(built, 'documentation-'));
  await writeFile(join(directory, 'package.json'), '{"type": "module"}');
  await writeFile(join(directory, 'client.ts'), client);
}, 120_000);
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await executor.end();
  await gateway.close();
});

test('every command of the page is followed by what it prints', () => {
  expect([...PAGE.matchAll(/```sh\n/g)]).toHaveLength(steps.length);
  expect(steps.length).toBeGreaterThan(6);
});

test('from a package to a generated client, the page prints what it says', async () => {
  // The commands that npx would find.
  const prelude = 'npx() { "$@"; }';
  const script = steps.map(({ commands }, i) => `printf '\\n@@@ ${i}\\n'\n${commands}`).join('\n');
  const bin = join(import.meta.dirname, '../node_modules/.bin');
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    GATEWAY: gateway.url,
    EXECUTOR: executor.url,
    TOKEN: await gateway.token('demo'),
  };
  const { stdout } = await run('bash', ['-c', `${prelude}\n${script}`], { env, cwd: directory });
  const printed = stdout.split(/\n@@@ \d+\n/).slice(1);
  expect(printed.map((text) => text.trim())).toEqual(steps.map(({ expected }) => expected.trim()));
}, 120_000);

test('the client of the page is well typed against what was generated', async () => {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', '--allowImportingTsExtensions'];
  const bin = join(import.meta.dirname, '../node_modules/.bin/tsc');
  await run(bin, [...options, '--types', 'node', 'client.ts'], { cwd: directory });
  await writeFile(join(directory, 'wrong.ts'), client.replace('least: 185', "least: 'x'"));
  await expect(run(bin, [...options, '--types', 'node', 'wrong.ts'], { cwd: directory })).rejects.toMatchObject({
    stdout: expect.stringContaining("Type 'string' is not assignable to type 'number'"),
  });
}, 60_000);
