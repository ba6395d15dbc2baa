import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate } from '@svc/database';
import { loadSigningKey, mintAccessToken } from '@svc/local-authorization';
import { freePortSettings, startLocalStack } from '@svc/local-stack';

/** A local stack of a benchmark's own, in an empty folder and on free ports. */
export interface BenchStack {
  /** Port of the executor. */
  readonly port: number;
  readonly gatewayPort: number;
  /** Address of the executor's metrics. */
  readonly metricsUrl: string;
  readonly gatewayMetricsUrl: string;
  /** Returns an access token of this caller, valid for a working day. */
  readonly token: (subject: string, scope?: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts the stack with additional settings. */
export async function startBenchStack(settings: Readonly<Record<string, string>>): Promise<BenchStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const ports = await freePortSettings();
  const stack = await startLocalStack({
    directory: join(import.meta.dirname, '../..'),
    migrate,
    signal: new AbortController().signal,
    env: {
      ...process.env,
      SVC_DATA_DIR: dataDir,
      ...ports,
      ...settings,
    },
  });
  const { issuer, audience } = stack.settings;
  const key = await loadSigningKey(dataDir);
  return {
    port: Number(ports['SVC_EXECUTOR_PORT']),
    gatewayPort: Number(ports['SVC_GATEWAY_PORT']),
    metricsUrl: `http://127.0.0.1:${ports['SVC_EXECUTOR_ADMIN_PORT']}/metrics`,
    gatewayMetricsUrl: `http://127.0.0.1:${ports['SVC_GATEWAY_ADMIN_PORT']}/metrics`,
    token: (sub, scope) => mintAccessToken(key, { issuer, audience, sub, expiresInSeconds: 28_000, ...(scope !== undefined && { scope }) }),
    stop: async () => {
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
