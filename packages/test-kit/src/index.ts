export { testAuthorization, type TestAuthorization } from './authorization/test-authorization.ts';
export { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './database/test-database.ts';
export { eventually } from './eventually.ts';
export { testKafka, type TestKafka } from './kafka/test-kafka.ts';
export { openTestServers, type TestServers } from './servers/test-servers.ts';
