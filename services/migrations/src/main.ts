import { DowngradeError, migrate, migrateDown, SchemaTooNewError, type MigrationResult } from '@svc/database';
import {
  choiceSetting,
  createLogger,
  LOG_LEVELS,
  readEnv,
  secret,
  SettingsError,
  urlTextSetting,
  withDefault,
  type SettingValues,
} from '@svc/service-kit';

import { parseDirection, type Direction } from './parse-direction.ts';

const MIGRATION_SETTINGS = {
  databaseUrl: secret(
    urlTextSetting('SVC_DATABASE_URL', { meaning: 'the address of a PostgreSQL database', schemes: ['postgresql', 'postgres'] }),
  ),
  logLevel: withDefault(choiceSetting('SVC_LOG_LEVEL', LOG_LEVELS), 'info'),
} as const;

process.exitCode = await run();

/** Migrates the configured database. Returns the exit code: 0 if the database has the requested version. */
async function run(): Promise<number> {
  try {
    const direction = parseDirection(process.argv.slice(2));
    const { settings, warnings } = readEnv(process.env, MIGRATION_SETTINGS);
    return await migrateDatabase(direction, settings, warnings);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function migrateDatabase(
  direction: Direction,
  settings: SettingValues<typeof MIGRATION_SETTINGS>,
  warnings: readonly string[],
): Promise<number> {
  const logger = createLogger({ service: 'migrations', level: settings.logLevel });
  for (const warning of warnings) logger.warn(warning);
  try {
    const { databaseUrl: url } = settings;
    const result = direction.kind === 'up' ? await migrate(url) : await migrateDown(url, direction.to);
    logger.info(result, describe(direction, result));
    return 0;
  } catch (error) {
    const isExplained = error instanceof SchemaTooNewError || error instanceof DowngradeError;
    logger.fatal({ err: error }, isExplained ? error.message : 'the database cannot be migrated');
    return 1;
  }
}

function describe({ kind }: Direction, { from, to }: MigrationResult): string {
  if (from !== to) return kind === 'up' ? 'the database was migrated' : 'the database was taken back';
  return kind === 'up' ? 'the database has the newest version' : 'the database has this version';
}
