import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { CliWorld } from './cli-world.ts';
import { runProgram } from './installed-cli.ts';

const PAGE = await readFile(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
const SHOWN = [...PAGE.matchAll(/```sh\n((?:(?!```)[\s\S])*)\n```\n\n```text\n((?:(?!```)[\s\S])*)```/g)].map(
  ([, commands = '', expected = '']) => ({ commands, expected }),
);

/** Tests of the commands in docs/cli.md, and of shell completion. */
export function pageTests(world: () => CliWorld): void {
  test('every command of the page is followed by what it prints', () => {
    expect(SHOWN.length).toBeGreaterThan(5);
    expect([...PAGE.matchAll(/```sh\n/g)]).toHaveLength(SHOWN.length);
  });

  test.each(SHOWN)('$commands', async ({ commands, expected }) => {
    const cwd = join(world().folder, 'page');
    await mkdir(cwd, { recursive: true });
    const { SVC_CONFIG_DIR: _shared, ...env } = world().env;
    const addresses = commands.startsWith('svc profile') ? /^SVC_.*_URL$/ : /^$/;
    const given = Object.fromEntries(Object.entries(env).filter(([name]) => !addresses.test(name)));
    const { stdout, stderr } = await runProgram('bash', ['-c', commands], { env: { ...given, SVC_CONFIG_DIR: join(cwd, 'config') }, cwd });
    expect([stdout, stderr]).toEqual([expected, '']);
  });

  test.each([
    [['vi'], ['view']],
    [['view', 'd'], ['delete']],
    [
      ['query', '--format', 'parquet'],
      ['parquet-raw', 'parquet-avro'],
    ],
    [['key', 'create', 'x', '--sc'], ['--scope']],
    [['credential', 'get', 'd'], ['database']],
    [['view', 'get', 'comp'], ['completed_view']],
    [['query', '--profile', ''], []],
    [['view', 'put', ''], []],
  ])('the words %j are completed by %j', async (words, expected) => {
    const { svc } = world();
    await svc(['view', 'put', 'completed_view', '1', '--replace']);
    const { stdout } = await svc(['complete', '--', ...words]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, -1).map((line) => line.split('\t')[0])).toEqual(expected);
    expect(lines.at(-1)).toBe(':4');
  });

  test('a shell completes names of files where an option takes one', async () => {
    expect((await world().svc(['complete', '--', 'query', '-f', ''])).stdout).toBe(':0\n');
  });

  test('the script for bash is one', async () => {
    const script = 'eval "$(svc completion bash)" && complete -p svc';
    expect((await runProgram('bash', ['-c', script], { env: world().env })).stdout).toMatch(/^complete -F \w+ svc\n$/);
  });

  test.each(['zsh', 'fish'])('there is a script for %s', async (shell) => {
    expect((await world().svc(['completion', shell])).stdout).toContain('svc complete --');
  });
}
