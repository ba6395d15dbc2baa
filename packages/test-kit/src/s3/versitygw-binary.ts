import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const VERSION = 'v1.8.0';
const MODULE = 'github.com/versity/versitygw/cmd/versitygw';
const BUILD_TIMEOUT_MS = 15 * 60_000;

const HOW_TO_GET_IT = [
  'Tests of object stores use a real S3 server, versitygw, which Go builds once into the cache of the user.',
  'Install Go 1.21 or later (on Debian: apt-get install golang-go; elsewhere: https://go.dev/dl),',
  'or set SVC_TEST_S3_ENDPOINT, SVC_TEST_S3_ACCESS_KEY and SVC_TEST_S3_SECRET_KEY to an S3 server that may be filled.',
].join(' ');

/**
 * Returns the path of the S3 server's executable. Built on first use, in a minute or two, and kept in the user's cache
 * folder. Rejects with instructions to install Go if it is missing.
 */
export async function findVersitygw(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svc');
  const folder = join(cache, `versitygw-${VERSION}`);
  const program = join(folder, 'versitygw');
  if (await isThere(program)) return program;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await install(unfinished);
    // Two runs may build it concurrently: the first one keeps the name, and both builds are equal.
    await rename(unfinished, folder).catch(async (error: unknown) => {
      if (!(await isThere(program))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return program;
}

async function install(folder: string): Promise<void> {
  const child = spawn('go', ['install', `${MODULE}@${VERSION}`], {
    env: { ...process.env, GOBIN: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: AbortSignal.timeout(BUILD_TIMEOUT_MS),
  });
  const [errors, [code]] = await Promise.all([
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>, // the event's arguments
  ]).catch((error: unknown) => {
    throw new Error(HOW_TO_GET_IT, { cause: error });
  });
  if (code !== 0) throw new Error(`Go could not build versitygw ${VERSION}: ${errors.trim().slice(-2000)}`);
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
