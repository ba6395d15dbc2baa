import { availableParallelism } from 'node:os';

import { folderSetting, integerSetting, optional, refineSetting, textSetting, withDefault, type SettingValues } from '@svc/service-kit';
import { MASTER_KEY_SETTINGS, NETWORK_SETTINGS, serviceSettings } from '@svc/service-setup';

/** The settings of the stream service. */
export const STREAM_SETTINGS = {
  ...serviceSettings('STREAM', { port: 8083, adminPort: 9083 }),
  ...MASTER_KEY_SETTINGS,
  ...NETWORK_SETTINGS,
  maxBadRatio: withDefault(
    refineSetting(textSetting('SVC_STREAM_MAX_BAD_RATIO'), 'a number from 0 to 1', (text) => {
      const ratio = Number(text);
      return text.trim() !== '' && ratio >= 0 && ratio <= 1 ? ratio : undefined;
    }),
    1,
  ),
  transformTimeoutMillis: withDefault(integerSetting('SVC_STREAM_TRANSFORM_TIMEOUT_MS', { min: 1, max: 600_000 }), 10_000),
  transformMemoryMegabytes: withDefault(integerSetting('SVC_STREAM_TRANSFORM_MEMORY_MB', { min: 64, max: 1_048_576 }), 256),
  sessionMillis: withDefault(integerSetting('SVC_STREAM_SESSION_MS', { min: 1000, max: 1_800_000 }), 10_000),
  batchConcurrency: withDefault(
    integerSetting('SVC_STREAM_CONCURRENCY', { min: 1, max: 64 }),
    Math.max(2, Math.min(4, availableParallelism())),
  ),
  spoolDirectory: optional(folderSetting('SVC_SPOOL_DIR', 'write')),
} as const;

/** The settings, as the main file reads them. */
export type StreamConfig = SettingValues<typeof STREAM_SETTINGS>;
