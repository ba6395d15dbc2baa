import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StartError, type Environment } from '@svc/service-kit';

import { runToEnd } from '../run-to-end.ts';

/** The version that pom.xml names. */
const KAFKA_VERSION = '4.1.1';
const JAVA_MAJOR = 17;
const POM = fileURLToPath(import.meta.resolve('./pom.xml'));

/**
 * Returns the folder with the programs of Apache Kafka, downloaded by Maven into the user's cache the first time. Throws a
 * StartError that names missing programs of the machine.
 */
export async function fetchKafka(env: Environment): Promise<string> {
  requireJava(env);
  const cache = join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'svc');
  const folder = join(cache, `kafka-${KAFKA_VERSION}`);
  if (await isThere(folder)) return folder;
  requireMaven(env);
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, 'kafka-unfinished-'));
  try {
    await copyFile(POM, join(unfinished, 'pom.xml'));
    await runMaven(unfinished, env);
    await putInPlace(join(unfinished, 'lib'), folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

function requireJava(env: Environment): void {
  const found = spawnSync('java', ['-version'], { encoding: 'utf8', env });
  const major = Number(/version "(\d+)/.exec(found.stderr)?.[1]);
  if (found.status !== 0) throw new StartError(`Apache Kafka needs Java ${JAVA_MAJOR} or later, and there is no java on the PATH.`);
  if (major < JAVA_MAJOR) throw new StartError(`Apache Kafka needs Java ${JAVA_MAJOR} or later, and the java on the PATH is ${major}.`);
}

function requireMaven(env: Environment): void {
  if (spawnSync('mvn', ['-v'], { stdio: 'ignore', env }).status === 0) return;
  throw new StartError('Apache Kafka is fetched by Maven, and there is no mvn on the PATH.');
}

async function runMaven(directory: string, env: Environment): Promise<void> {
  const goal = [
    '-q',
    '-B',
    '-f',
    join(directory, 'pom.xml'),
    'dependency:copy-dependencies',
    `-DoutputDirectory=${join(directory, 'lib')}`,
  ];
  try {
    await runToEnd(['mvn', ...goal], undefined, env);
  } catch (cause) {
    throw new StartError(`Maven could not fetch Apache Kafka ${KAFKA_VERSION} from Maven Central: ${(cause as Error).message}`, { cause });
  }
}

/** Of several processes that download concurrently, the first one's files are kept. */
async function putInPlace(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(await isThere(to))) throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
