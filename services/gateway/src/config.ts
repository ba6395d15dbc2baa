import { isIP } from 'node:net';

import {
  folderSetting,
  integerSetting,
  listSetting,
  optional,
  refineSetting,
  secret,
  textSetting,
  urlSetting,
  withDefault,
  type SettingValues,
} from '@svc/service-kit';
import { MASTER_KEY_SETTINGS, serviceSettings } from '@svc/service-setup';

/** The settings of the gateway. */
export const GATEWAY_SETTINGS = {
  ...serviceSettings('GATEWAY', { port: 8080, adminPort: 9080 }),
  ...MASTER_KEY_SETTINGS,
  executorUrl: urlSetting('SVC_EXECUTOR_URL'),
  /** OAuth client with which the gateway obtains its own tokens and calls the executor on behalf of others. */
  clientId: textSetting('SVC_GATEWAY_CLIENT_ID', 'the id of an OAuth client'),
  clientSecret: secret(textSetting('SVC_GATEWAY_CLIENT_SECRET', 'the secret of that client')),
  /** The token endpoint; by default the one that the issuer's metadata names. */
  tokenUrl: optional(urlSetting('SVC_TOKEN_URL')),
  timeoutMillis: withDefault(integerSetting('SVC_GATEWAY_TIMEOUT_MS', { min: 1, max: 86_400_000 }), 300_000),
  /** Files of the operator's with definitions. */
  endpointsDirectory: optional(folderSetting('SVC_ENDPOINTS_DIR')),
  /** Proxies whose `X-Forwarded-…` headers are trusted. */
  trustedProxies: withDefault(
    refineSetting(
      listSetting('SVC_TRUSTED_PROXIES', { separator: ',', expected: 'addresses' }),
      'IP addresses or networks such as 10.0.0.0/8, with commas between',
      (addresses) => (addresses.every(isNetwork) ? addresses : undefined),
    ),
    [],
  ),
  /** Embedded in new API keys, to show which environment a key belongs to. */
  keyEnvironment: withDefault(
    refineSetting(textSetting('SVC_KEY_ENVIRONMENT'), '1 to 16 lower-case letters and digits', (text) =>
      /^[a-z0-9]{1,16}$/.test(text) ? text : undefined,
    ),
    'live',
  ),
  /** The client as which the console signs in: public, with authorization code and PKCE. */
  consoleClientId: withDefault(textSetting('SVC_CONSOLE_CLIENT_ID', 'the id of a client'), 'console'),
  /** Folder of the built console; by default the one built beside the gateway, if any. */
  consoleDirectory: optional(textSetting('SVC_CONSOLE_DIR', 'a folder')),
} as const;

/** The settings of the gateway, as its main file reads them. */
export type GatewayConfig = SettingValues<typeof GATEWAY_SETTINGS>;

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const size = isIP(address) === 4 ? 32 : 128;
  return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= size));
}
