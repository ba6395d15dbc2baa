import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

import { StartError } from '@svc/service-kit';

import { PROJECT } from './project.js';

const SOURCES = join(PROJECT, 'packages', 'console');
/** Rooms with bundled sources. */
const ROOMS = [SOURCES, join(PROJECT, 'packages', 'api-client')];
/** One folder per state of the sources: a served build never changes, and concurrent builds do not conflict. */
const BUILDS = join(PROJECT, 'node_modules', '.cache', 'svc-console');
const TIMEOUT_MS = 120_000;

/** Returns the folder of the console built from the current sources, and builds it first if necessary. */
export async function buildConsole(signal: AbortSignal, builds = BUILDS): Promise<string> {
  const directory = join(builds, await hashSources());
  if (existsSync(join(directory, 'index.html'))) return directory;
  const unfinished = await openBuild(builds);
  await runVite(unfinished, signal);
  // Open to other users, who may start a stack from the same checkout: temporary folders are closed to them.
  await chmod(unfinished, 0o755);
  try {
    await rename(unfinished, directory);
  } catch (error) {
    // Another process was quicker, with the same result.
    if (!existsSync(join(directory, 'index.html'))) throw error;
    await rm(unfinished, { recursive: true, force: true });
  }
  return directory;
}

async function openBuild(builds: string): Promise<string> {
  try {
    await mkdir(builds, { recursive: true });
    return await mkdtemp(join(builds, 'unfinished-'));
  } catch (error) {
    throw new StartError(`The console cannot be built in ${builds}, which npm start writes as its user: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Hashes the inputs of the build: all files of the bundled rooms, and the versions of their dependencies. */
async function hashSources(): Promise<string> {
  const files = (await Promise.all(ROOMS.map(sourceFiles))).flat();
  const hash = createHash('sha256');
  for (const file of [...files, join(PROJECT, 'pnpm-lock.yaml')]) {
    hash.update(`${relative(PROJECT, file)}\0`);
    hash.update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 20);
}

async function sourceFiles(room: string): Promise<readonly string[]> {
  const entries = await readdir(room, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !/^(node_modules|dist|\.turbo)\//.test(relative(room, file)))
    .toSorted();
}

function runVite(outDir: string, signal: AbortSignal): Promise<void> {
  const vite = join(dirname(createRequire(join(SOURCES, 'package.json')).resolve('vite/package.json')), 'bin', 'vite.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vite, 'build', '--outDir', outDir, '--logLevel', 'warn'], {
      cwd: SOURCES,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => reject(new StartError(`The console could not be built: ${error.message}.`, { cause: error })));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`The console could not be built:\n${output.trim()}`));
    });
  });
}
