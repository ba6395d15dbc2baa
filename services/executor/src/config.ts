import { availableParallelism, totalmem } from 'node:os';

import type { SettingValues } from '@svc/service-kit';
import { commonSettings, integerSetting, listSetting, optional, textSetting, urlSetting, secret, withDefault } from '@svc/service-kit';

const MEBIBYTE = 1024 * 1024;

/** The settings of the executor. */
export const EXECUTOR_SETTINGS = {
  ...commonSettings('EXECUTOR', { port: 8081, adminPort: 9081 }),
  databaseUrl: secret(textSetting('SVC_DATABASE_URL', 'the address of a PostgreSQL database')),
  tokenIssuer: textSetting('SVC_TOKEN_ISSUER', 'the issuer of access tokens'),
  tokenAudience: textSetting('SVC_TOKEN_AUDIENCE', 'the audience that access tokens must name'),
  tokenJwksUrl: optional(urlSetting('SVC_TOKEN_JWKS_URL')),
  namespaceClaim: withDefault(textSetting('SVC_NAMESPACE_CLAIM', 'the name of a claim'), 'sub'),
  requiredScope: optional(textSetting('SVC_REQUIRED_SCOPE', 'a scope')),
  fileRoots: withDefault(listSetting('SVC_FILE_ROOTS', { separator: ':', expected: 'folders' }), []),
  queryTimeoutMillis: withDefault(integerSetting('SVC_QUERY_TIMEOUT_MS', { min: 1, max: 86_400_000 }), 300_000),
  queryMemoryMegabytes: withDefault(
    integerSetting('SVC_QUERY_MEMORY_MB', { min: 64, max: 16_777_216 }),
    Math.max(64, Math.floor((totalmem() * 0.6) / MEBIBYTE)),
  ),
  queryThreads: withDefault(integerSetting('SVC_QUERY_THREADS', { min: 1, max: 1024 }), availableParallelism()),
  queryConcurrency: withDefault(integerSetting('SVC_QUERY_CONCURRENCY', { min: 1, max: 1024 }), 4 * availableParallelism()),
  /** Node's own setting, read when the process starts: a statement that runs holds one of these threads. */
  threadPoolSize: withDefault(integerSetting('UV_THREADPOOL_SIZE', { min: 1, max: 1024 }), 4),
  queryConcurrencyPerSubject: optional(integerSetting('SVC_QUERY_CONCURRENCY_PER_SUBJECT', { min: 1, max: 1024 })),
  spoolDirectory: optional(textSetting('SVC_SPOOL_DIR', 'a folder')),
  spoolMegabytes: withDefault(integerSetting('SVC_SPOOL_MB', { min: 1, max: 1_073_741_824 }), 10 * 1024),
} as const;

/** The settings of the executor, as its main file reads them. */
export type ExecutorConfig = SettingValues<typeof EXECUTOR_SETTINGS>;
