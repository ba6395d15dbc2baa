import { availableParallelism, totalmem } from 'node:os';

import type { SettingValues } from '@svc/service-kit';
import { folderSetting, foldersSetting, integerSetting, optional, textSetting, urlSetting, withDefault } from '@svc/service-kit';
import { MASTER_KEY_SETTINGS, NETWORK_SETTINGS, serviceSettings } from '@svc/service-setup';

const MEBIBYTE = 1024 * 1024;

/** The settings of the executor. */
export const EXECUTOR_SETTINGS = {
  ...serviceSettings('EXECUTOR', { port: 8081, adminPort: 9081 }),
  ...MASTER_KEY_SETTINGS,
  ...NETWORK_SETTINGS,
  s3Endpoint: optional(urlSetting('SVC_S3_ENDPOINT')),
  fileHostUrl: optional(urlSetting('SVC_FILEHOST_URL')),
  /** Client id of the gateway, the only client that may call on behalf of others. */
  actingClientId: optional(textSetting('SVC_ACT_AS_CLIENT_ID', 'the id of an OAuth client')),
  fileRoots: withDefault(foldersSetting('SVC_FILE_ROOTS', ':'), []),
  queryTimeoutMillis: withDefault(integerSetting('SVC_QUERY_TIMEOUT_MS', { min: 1, max: 86_400_000 }), 300_000),
  queryMemoryMegabytes: withDefault(
    integerSetting('SVC_QUERY_MEMORY_MB', { min: 64, max: 16_777_216 }),
    Math.max(64, Math.floor((usableMemory() * 0.6) / MEBIBYTE)),
  ),
  queryThreads: withDefault(integerSetting('SVC_QUERY_THREADS', { min: 1, max: 1024 }), availableParallelism()),
  queryConcurrency: withDefault(integerSetting('SVC_QUERY_CONCURRENCY', { min: 1, max: 1024 }), 4 * availableParallelism()),
  /** Node's own setting, read at start: a running statement holds one of these threads. */
  threadPoolSize: withDefault(integerSetting('UV_THREADPOOL_SIZE', { min: 1, max: 1024 }), 4),
  queryConcurrencyPerSubject: optional(integerSetting('SVC_QUERY_CONCURRENCY_PER_SUBJECT', { min: 1, max: 1024 })),
  spoolDirectory: optional(folderSetting('SVC_SPOOL_DIR', 'write')),
  spoolMegabytes: withDefault(integerSetting('SVC_SPOOL_MB', { min: 1, max: 1_073_741_824 }), 10 * 1024),
} as const;

/** The settings of the executor, as its main file reads them. */
export type ExecutorConfig = SettingValues<typeof EXECUTOR_SETTINGS>;

/** Returns the memory available to the process in bytes: the limit of its container, else the machine's memory. */
function usableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
