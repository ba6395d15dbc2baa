export { parseLikePattern, type LikePattern } from './connection/like-pattern.ts';
export { openDatabase, type Database, type DatabaseOptions, type PoolState } from './connection/open-database.ts';
export type { Schema } from './connection/schema.ts';
export { isUniqueViolation } from './connection/unique-violation.ts';
export { migrate, type MigrationResult } from './migrations/migrate.ts';
export { schemaStatus, type SchemaStatus } from './migrations/schema-status.ts';
export { SchemaTooNewError } from './migrations/schema-too-new-error.ts';
export { NamespaceStore } from './stores/namespace-store.ts';
