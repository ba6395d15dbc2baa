export { explainDatabaseFailure } from './explain-database-failure.ts';
export { MASTER_KEY_SETTINGS } from './master-key-settings.ts';
export { NETWORK_SETTINGS } from './network-settings.ts';
export { openServiceBase, type ServiceBase, type ServiceSettings } from './open-service-base.ts';
export { openSpoolFolder } from './spool-folder.ts';
export { serviceSettings } from './service-settings.ts';
