import { MIN_BYTES_PER_SECOND, SLOW_CLIENT_GRACE_MS } from '../lifecycle/http-listener.ts';
import { LOG_LEVELS } from '../logging/logger.ts';
import { choiceSetting, integerSetting, listSetting, portSetting, refineSetting, textSetting, withDefault } from './setting.ts';

/** The settings that every service has; `area` is the middle of its port settings: `EXECUTOR` for `SVC_EXECUTOR_PORT`. */
export function commonSettings(area: string, ports: { readonly port: number; readonly adminPort: number }) {
  return {
    host: withDefault(textSetting('SVC_HOST', 'an address to listen on'), '0.0.0.0'),
    port: withDefault(portSetting(`SVC_${area}_PORT`), ports.port),
    adminPort: withDefault(portSetting(`SVC_${area}_ADMIN_PORT`), ports.adminPort),
    bodyLimitBytes: withDefault(bodyLimitSetting, 1024 * 1024),
    /** Minimum average rate at which a client must send or read, in bytes per second; 0 disables the check. */
    minBytesPerSecond: withDefault(integerSetting('SVC_CLIENT_MIN_RATE', { min: 0, max: 1_000_000_000 }), MIN_BYTES_PER_SECOND),
    /** Time for which a client may be slower. */
    graceMillis: withDefault(integerSetting('SVC_CLIENT_GRACE_MS', { min: 1, max: 86_400_000 }), SLOW_CLIENT_GRACE_MS),
    corsOrigins: withDefault(corsOriginsSetting, []),
    logLevel: withDefault(choiceSetting('SVC_LOG_LEVEL', LOG_LEVELS), 'info'),
  } as const;
}

const bodyLimitSetting = refineSetting(
  integerSetting('SVC_BODY_LIMIT_KB', { min: 1, max: 1024 * 1024 }),
  'a whole number of kilobytes from 1 to 1048576',
  (kilobytes) => kilobytes * 1024,
);

const corsOriginsSetting = refineSetting(
  listSetting('SVC_CORS_ORIGINS', { separator: ',', expected: 'origins' }),
  'origins such as https://app.example.com, with commas between',
  (origins) => (origins.every(isOrigin) ? origins : undefined),
);

function isOrigin(text: string): boolean {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text);
}
