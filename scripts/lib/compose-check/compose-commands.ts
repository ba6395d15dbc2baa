import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

import { PROJECT } from '../project.js';

/** Compose v2 is a plugin of docker, v1 a program of its own. */
const COMPOSE = spawnSync('docker', ['compose', 'version']).status === 0 ? ['docker', 'compose'] : ['docker-compose'];
const START_LIMIT_MS = 300_000;

/** Runs a command of compose and returns its standard output. Throws an Error with its last lines if it fails. */
export function compose(...args: readonly string[]): string {
  const [program = 'docker', ...first] = COMPOSE;
  const { status, stdout, stderr } = spawnSync(program, [...first, ...args], { cwd: PROJECT, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${[...COMPOSE, ...args].slice(0, 6).join(' ')} ended with ${String(status)}:\n${stderr.slice(-2000)}`);
}

/** Waits until the containers of these services are healthy; one without a health check has to run. */
export async function untilHealthy(services: readonly string[]): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const waiting = services.map((service) => `${service} ${stateOf(service)}`).filter((state) => !/ (?:healthy|running)$/.test(state));
    if (waiting.length === 0) return;
    if (performance.now() > deadline) throw new Error(`not healthy in time: ${waiting.join(', ')}`);
    await delay(1000);
  }
}

function stateOf(service: string): string {
  const id = compose('ps', '-q', service).trim();
  const format = '{{if .State.Health}}{{.State.Health.Status}}{{else}}{{.State.Status}}{{end}}';
  return id === '' ? 'absent' : spawnSync('docker', ['inspect', '--format', format, id], { encoding: 'utf8' }).stdout.trim();
}
