import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { PROJECT } from './project.js';

/** Rooms used by tests, `npm start` and benchmarks only; their own imports are not restricted. */
const DEVELOPMENT_ONLY = new Set(['local-stack', 'reference-evaluator', 'test-kit']);

test('the imports that ARCHITECTURE.md lists are those of the package.json files', async () => {
  const text = await readFile(join(PROJECT, 'ARCHITECTURE.md'), 'utf8');
  const lines = (await rooms()).map(({ name, uses }) => `${name} -> ${uses.length === 0 ? 'no room' : uses.join(', ')}`);
  const listed = /```imports\n([\s\S]*?)\n```/.exec(text)?.[1]?.split('\n') ?? [];

  expect(listed.toSorted()).toEqual(lines.toSorted());
});

test('every room has its job in ARCHITECTURE.md', async () => {
  const text = await readFile(join(PROJECT, 'ARCHITECTURE.md'), 'utf8');
  const described = [...text.matchAll(/^\| `(?:packages|services)\/([a-z-]+)` \| \S/gm)].map(([, name]) => name);

  expect(new Set(described)).toEqual(new Set((await rooms(new Set())).map(({ name }) => name)));
});

test('the check of the rooms reads TypeScript, for which it needs a parser', async () => {
  const command = join(PROJECT, 'node_modules/.bin/depcruise');
  const found = await promisify(execFile)(command, ['--config', '.dependency-cruiser.js', 'packages/errors'], { cwd: PROJECT });

  expect(Number(/\((\d+) modules/.exec(found.stdout)?.[1])).toBeGreaterThan(5);
});

interface Room {
  readonly name: string;
  /** Rooms that its own sources use, without tests. */
  readonly uses: readonly string[];
}

async function rooms(without: ReadonlySet<string> = DEVELOPMENT_ONLY): Promise<readonly Room[]> {
  const folders = await Promise.all(
    ['packages', 'services'].map(async (folder) => (await readdir(join(PROJECT, folder))).map((name) => join(PROJECT, folder, name))),
  );
  const found = await Promise.all(folders.flat().map(readRoom));
  return found.filter((room) => room !== null).filter(({ name }) => !without.has(name));
}

/** Returns null if a folder has no package.json, as after the removal of a room. */
async function readRoom(folder: string): Promise<Room | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
  if (text === null) return null;
  const { name, dependencies = {} } = JSON.parse(text) as {
    readonly name: string;
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  const short = (dependency: string): string => dependency.slice('@svc/'.length);
  return {
    name: short(name),
    uses: Object.keys(dependencies)
      .filter((dependency) => dependency.startsWith('@svc/'))
      .map(short)
      .toSorted(),
  };
}
