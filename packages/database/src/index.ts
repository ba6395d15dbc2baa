export { isDeadlock } from './connection/deadlock.ts';
export { isLockTimeout } from './connection/lock-timeout.ts';
export { LostConnectionError } from './connection/lost-connection-error.ts';
export { isStatementTimeout } from './connection/statement-timeout.ts';
export { NoConnectionError } from './connection/no-connection-error.ts';
export { parseLikePattern, type LikePattern } from './connection/like-pattern.ts';
export { openNotices, sendNotice, sessionsNamed, type Notices, type NoticesOptions } from './connection/open-notices.ts';
export { openDatabase, type ClientTransaction, type Database, type DatabaseOptions, type PoolState } from './connection/open-database.ts';
export type { CredentialKind, Schema, StoredUse } from './connection/schema.ts';
export type { StoredIndex } from './connection/stored-index.ts';
export { isRefusedStatement } from './connection/refused-statement.ts';
export { takesNoWrites } from './connection/takes-no-writes.ts';
export { isUniqueViolation } from './connection/unique-violation.ts';
export { ALL_MIGRATIONS } from './migrations/all-migrations.ts';
export { DowngradeError } from './migrations/downgrade-error.ts';
export { applyMigrations, migrate, migrateDown, revertMigrations, type MigrationResult } from './migrations/migrate.ts';
export type { Migration } from './migrations/migration.ts';
export { schemaStatus, type SchemaStatus } from './migrations/schema-status.ts';
export { SchemaTooNewError } from './migrations/schema-too-new-error.ts';
export type { CycleRefused, WithinChange } from './stores/catalog-change.ts';
export {
  ApiKeyStore,
  type ApiKeyChange,
  type ApiKeyPage,
  type ApiKeyTarget,
  type FoundApiKey,
  type StoredApiKey,
  type StoredRateLimit,
} from './stores/api-key-store.ts';
export { ApplicationStore, type StoredApplication, type StoredPackageFunctions } from './stores/application-store.ts';
export { AuditStore, type StoredAuditEntry } from './stores/audit-store.ts';
export { GATEWAY_CHANNEL, readGatewayVersions } from './stores/gateway-versions.ts';
export { RateLimitStore, type RateLimitOutcome } from './stores/rate-limit-store.ts';
export { AppendKeyStore, type AppendedRows } from './stores/append-key-store.ts';
export { CatalogStore, type CatalogEntry, type CatalogSnapshot } from './stores/catalog-store.ts';
export {
  CredentialEventStore,
  type CredentialEvent,
  type CredentialEventPage,
  type CredentialUse,
  type StoredCredentialEvent,
} from './stores/credential-event-store.ts';
export {
  CredentialStore,
  type CredentialKey,
  type CredentialSummary,
  type NewCredential,
  type StoredCredential,
} from './stores/credential-store.ts';
export { nameKey } from './stores/name-space.ts';
export { NamespaceStore } from './stores/namespace-store.ts';
export { PackageStore, type NewPackage } from './stores/package-store.ts';
export { SEALED_TABLES, SealedRecordStore, type SealedRecord, type SealedTable } from './stores/sealed-record-store.ts';
export { TableStore, type NewTable, type StoredTable } from './stores/table-store.ts';
export { ViewStore, type DeleteResult, type InsertResult, type ReplaceResult, type StoredText } from './stores/view-store.ts';
export type {
  IndexState,
  StreamJob,
  StreamLogLevel,
  StreamSecurity,
  StreamSettings,
  StreamState,
  TextRange,
} from './connection/stream-rows.ts';
export { DeadLetterStore, type DeadLetter, type NewDeadLetter } from './stores/dead-letter-store.ts';
export { StreamLogStore, type StreamLogLine } from './stores/stream-log-store.ts';
export { StreamOffsetStore, type OffsetAdvance, type StoredOffset, type TopicOfTable } from './stores/stream-offset-store.ts';
export { StreamStore, type NewStream, type StoredStream } from './stores/stream-store.ts';
export { StreamWorkerStore, type StreamWorker } from './stores/stream-worker-store.ts';
