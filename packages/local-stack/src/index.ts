export { dieWithParent } from './die-with-parent.ts';
export { freePort, freePortSettings } from './free-port.ts';
export { startKafkaBroker, type KafkaBroker, type KafkaBrokerOptions } from './kafka/kafka-broker.ts';
export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './postgres/embedded-postgres.ts';
export { findRunningPostgres } from './postgres/find-running-postgres.ts';
export { SERVICE_OPTIONS, serviceEnvironment } from './services/service-process.ts';
export { readLocalStackSettings, type LocalStackSettings, type ServicePorts } from './settings.ts';
export { startLocalStack, type Address, type LocalStack, type LocalStackOptions } from './start-local-stack.ts';
export { waitUntil, type WaitOptions } from './wait-until.ts';
