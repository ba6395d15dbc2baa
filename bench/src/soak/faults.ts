import { setTimeout as delay } from 'node:timers/promises';

import type { SoakCluster } from './cluster.ts';
import { between, pick, type Random } from './seeded-random.ts';

type Fault = (cluster: SoakCluster, random: Random) => Promise<void>;

const FAULTS: Readonly<Record<string, Fault>> = {
  kill: (cluster, random) => replaceProcess(cluster, random, 'SIGKILL'),
  restart: (cluster, random) => replaceProcess(cluster, random, 'SIGTERM'),
  pause: async (cluster, random) => {
    const victim = pickProcess(cluster, random);
    victim?.pause();
    await delay(between(random, 500, 15_000));
    victim?.wake();
  },
  'kafka away': async (cluster, random) => {
    await cluster.stopKafka();
    await delay(between(random, 1000, 15_000));
    await cluster.startKafka();
  },
  'database away': async (cluster, random) => {
    await cluster.stopDatabase();
    await delay(between(random, 1000, 15_000));
    await cluster.startDatabase();
  },
  'sessions ended': async ({ query }) => {
    await query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'svc-stream%'");
  },
  'table locked': async ({ query }, random) => {
    const [table] = await query("SELECT id FROM tables WHERE name = 'soak'");
    await query(
      `BEGIN; LOCK TABLE user_rows.t${String(table?.['id'])} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(${between(random, 1, 14)}); COMMIT`,
    );
  },
  'read-only': async ({ query }, random) => {
    await query('ALTER SYSTEM SET default_transaction_read_only = on');
    await query('SELECT pg_reload_conf()');
    await delay(between(random, 1000, 8000));
    // Such a command does not write to PostgreSQL's data.
    await query('ALTER SYSTEM RESET default_transaction_read_only');
    await query('SELECT pg_reload_conf()');
  },
  'pause and resume': async ({ call }, random) => {
    await call('POST', '/stream/soak/pause');
    await delay(between(random, 100, 4000));
    await again(async () => {
      const { status, text } = await call('POST', '/stream/soak/resume');
      if (status !== 200) throw new Error(`the stream was not resumed: ${status} ${text}`);
    });
  },
  'kill and create': async ({ call, createStream }) => {
    await call('POST', '/stream/soak/kill');
    await again(createStream);
  },
  'delete and create': async ({ call, createStream }, random) => {
    await call('DELETE', `/stream/soak?force=${random() < 0.5}`);
    await again(createStream);
  },
};

/** Causes faults in random order until the time is over; returns their names. */
export async function causeFaults(cluster: SoakCluster, random: Random, until: number): Promise<readonly string[]> {
  const names = Object.keys(FAULTS);
  const done: string[] = [];
  while (performance.now() < until) {
    await delay(between(random, 500, 6000));
    const name = pick(random, [names[0] ?? '', ...names.slice(1)]);
    console.log(`${new Date().toISOString().slice(11, 19)} ${name}`);
    await FAULTS[name]?.(cluster, random);
    done.push(name);
  }
  return done;
}

function pickProcess({ processes }: SoakCluster, random: Random) {
  return processes[Math.floor(random() * processes.length)] ?? null;
}

async function replaceProcess(cluster: SoakCluster, random: Random, signal: NodeJS.Signals): Promise<void> {
  const index = Math.floor(random() * cluster.processes.length);
  const victim = cluster.processes[index] ?? null;
  cluster.processes[index] = null;
  await victim?.end(signal);
  await delay(between(random, 0, 3000));
  await cluster.startProcess(index);
}

/** A stream can be created and resumed as soon as everything that this needs is back. */
async function again(change: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await change();
      return;
    } catch (thrown) {
      if (attempt === 60) throw thrown;
      await delay(1000);
    }
  }
}
