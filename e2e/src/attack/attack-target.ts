import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate } from '@svc/database';
import { loadSigningKey, mintAccessToken } from '@svc/local-authorization';
import { freePortSettings, startEmbeddedPostgres, startLocalStack } from '@svc/local-stack';

/** The services that are attacked. */
export const SERVICES = ['executor', 'gateway', 'credentials', 'stream'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A stack of its own with the addresses and credentials of an attack. */
export interface AttackTarget {
  readonly urls: Readonly<Record<ServiceName, string>>;
  readonly metricsUrls: Readonly<Record<ServiceName, string>>;
  /** The folder that queries may read. */
  readonly root: string;
  /** The folder of the stack, which no answer may name. */
  readonly folder: string;
  /** URL of the stack's own PostgreSQL. */
  readonly databaseUrl: string;
  readonly token: (subject: string) => Promise<string>;
  /** The stack's notices of crashed services. */
  readonly notices: readonly string[];
  readonly stop: () => Promise<void>;
}

/** The memory of all queries. */
export const QUERY_MEGABYTES = 512;

const SETTINGS = {
  SVC_QUERY_MEMORY_MB: String(QUERY_MEGABYTES),
  SVC_QUERY_TIMEOUT_MS: '5000',
  SVC_QUERY_CONCURRENCY: '8',
  SVC_SPOOL_MB: '400',
  SVC_STATEMENT_TIMEOUT_MS: '1500',
  SVC_CLIENT_GRACE_MS: '1000',
  // Each response of 500 is a line of the log, too.
  SVC_LOG_LEVEL: 'error',
};

/** Starts the stack, with short limits so that attacks reach them. */
export async function startAttackTarget(): Promise<AttackTarget> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-attack-')));
  const root = join(folder, 'root');
  await mkdir(root);
  const ports: Readonly<Record<string, string>> = await freePortSettings();
  const notices: string[] = [];
  const dataDir = join(folder, 'data');
  const postgres = await startEmbeddedPostgres({ directory: join(folder, 'postgres') });
  const stack = await startLocalStack({
    directory: join(import.meta.dirname, '../../..'),
    migrate,
    signal: new AbortController().signal,
    onNotice: (line) => void notices.push(line),
    env: { ...process.env, ...ports, ...SETTINGS, SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: postgres.url, SVC_FILE_ROOTS: root },
  });
  const { issuer, audience } = stack.settings;
  const key = await loadSigningKey(dataDir);
  const at = (name: ServiceName, suffix: string): string => `http://127.0.0.1:${ports[`SVC_${name.toUpperCase()}${suffix}`] ?? ''}`;
  const each = (address: (name: ServiceName) => string): Readonly<Record<ServiceName, string>> =>
    // One entry per name.
    Object.fromEntries(SERVICES.map((name) => [name, address(name)])) as Record<ServiceName, string>;
  return {
    urls: each((name) => at(name, '_PORT')),
    metricsUrls: each((name) => `${at(name, '_ADMIN_PORT')}/metrics`),
    root,
    folder,
    databaseUrl: postgres.url,
    token: (sub) => mintAccessToken(key, { issuer, audience, sub, scope: 'svc:admin', expiresInSeconds: 86_400 }),
    notices,
    stop: async () => {
      await stack.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
