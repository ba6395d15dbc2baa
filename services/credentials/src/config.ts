import { integerSetting, optional, urlSetting, withDefault, type SettingValues } from '@svc/service-kit';
import { MASTER_KEY_SETTINGS, NETWORK_SETTINGS, serviceSettings } from '@svc/service-setup';

/** The settings of the credentials service. */
export const CREDENTIALS_SETTINGS = {
  ...serviceSettings('CREDENTIALS', { port: 8082, adminPort: 9082 }),
  ...MASTER_KEY_SETTINGS,
  ...NETWORK_SETTINGS,
  s3Endpoint: optional(urlSetting('SVC_S3_ENDPOINT')),
  fileHostUrl: optional(urlSetting('SVC_FILEHOST_URL')),
  auditDays: withDefault(integerSetting('SVC_CREDENTIAL_AUDIT_DAYS', { min: 1, max: 36_500 }), 90),
} as const;

/** The settings, as the main file reads them. */
export type CredentialsConfig = SettingValues<typeof CREDENTIALS_SETTINGS>;
