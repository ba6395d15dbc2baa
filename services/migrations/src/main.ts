import { migrate, SchemaTooNewError } from '@svc/database';
import {
  choiceSetting,
  createLogger,
  LOG_LEVELS,
  readEnv,
  secret,
  SettingsError,
  textSetting,
  withDefault,
  type SettingValues,
} from '@svc/service-kit';

const MIGRATION_SETTINGS = {
  databaseUrl: secret(textSetting('SVC_DATABASE_URL', 'the address of a PostgreSQL database')),
  logLevel: withDefault(choiceSetting('SVC_LOG_LEVEL', LOG_LEVELS), 'info'),
} as const;

process.exitCode = await run();

/** Migrates the configured database. Returns the exit code: 0 if the database has the newest version. */
async function run(): Promise<number> {
  try {
    const { settings, warnings } = readEnv(process.env, MIGRATION_SETTINGS);
    return await migrateDatabase(settings, warnings);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function migrateDatabase(settings: SettingValues<typeof MIGRATION_SETTINGS>, warnings: readonly string[]): Promise<number> {
  const logger = createLogger({ service: 'migrations', level: settings.logLevel });
  for (const warning of warnings) logger.warn(warning);
  try {
    const { from, to } = await migrate(settings.databaseUrl);
    logger.info({ from, to }, from === to ? 'the database has the newest version' : 'the database was migrated');
    return 0;
  } catch (error) {
    logger.fatal({ err: error }, error instanceof SchemaTooNewError ? error.message : 'the database cannot be migrated');
    return 1;
  }
}
