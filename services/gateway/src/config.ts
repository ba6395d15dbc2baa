import { optional, refineSetting, textSetting, withDefault, type SettingValues } from '@svc/service-kit';
import { MASTER_KEY_SETTINGS, serviceSettings } from '@svc/service-setup';

/** The settings of the gateway. */
export const GATEWAY_SETTINGS = {
  ...serviceSettings('GATEWAY', { port: 8080, adminPort: 9080 }),
  ...MASTER_KEY_SETTINGS,
  /** Stands in new API keys, so that a person sees where one belongs. */
  keyEnvironment: withDefault(
    refineSetting(textSetting('SVC_KEY_ENVIRONMENT'), '1 to 16 lower-case letters and digits', (text) =>
      /^[a-z0-9]{1,16}$/.test(text) ? text : undefined,
    ),
    'live',
  ),
  /** The client as which the console signs in: public, with authorization code and PKCE. */
  consoleClientId: withDefault(textSetting('SVC_CONSOLE_CLIENT_ID', 'the id of a client'), 'console'),
  /** The built console; by default the one that was built beside the gateway, if any. */
  consoleDirectory: optional(textSetting('SVC_CONSOLE_DIR', 'a folder')),
} as const;

/** The settings of the gateway, as its main file reads them. */
export type GatewayConfig = SettingValues<typeof GATEWAY_SETTINGS>;
