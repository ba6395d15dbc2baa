import { execFile, spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { PROJECT } from '../project.js';

/** Compose v2 is a plugin of docker, v1 a separate program. */
const COMPOSE = spawnSync('docker', ['compose', 'version']).status === 0 ? ['docker', 'compose'] : ['docker-compose'];
const START_LIMIT_MS = 300_000;
const STATE =
  '{{index .Config.Labels "com.docker.compose.service"}} {{if .State.Health}}{{.State.Health.Status}}{{else}}{{.State.Status}}{{end}}';

const execute = promisify(execFile);

/** Runs a command of compose and returns its standard output. Throws an Error with its last lines if it fails. */
export async function compose(...args: readonly string[]): Promise<string> {
  const [program = 'docker', ...first] = COMPOSE;
  return run(program, [...first, ...args]);
}

/** Runs a command of docker in the same way. */
export async function docker(...args: readonly string[]): Promise<string> {
  return run('docker', args);
}

/** Waits until the containers of these services are healthy, or running if they have no health check. */
export async function untilHealthy(services: readonly string[]): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const states = await readStates(services);
    const waiting = services.filter((service) => !/^(?:healthy|running)$/.test(states.get(service) ?? ''));
    if (waiting.length === 0) return;
    if (performance.now() > deadline)
      throw new Error(`not healthy in time: ${waiting.map((service) => `${service} (${states.get(service) ?? 'absent'})`).join(', ')}`);
    await delay(1000);
  }
}

async function readStates(services: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = (await compose('ps', '-q', ...services)).split('\n').filter((id) => id !== '');
  const lines = ids.length === 0 ? '' : await docker('inspect', '--format', STATE, ...ids);
  return new Map(
    lines
      .trim()
      .split('\n')
      .map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']),
  );
}

async function run(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await execute(program, args, { cwd: PROJECT, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { readonly code?: number | string; readonly stderr?: string }; // of execFile
    throw new Error(`${[program, ...args].slice(0, 6).join(' ')} ended with ${String(code)}:\n${stderr.slice(-2000)}`, { cause: error });
  }
}
