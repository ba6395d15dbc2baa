export { testAuthorization, type TestAuthorization } from './authorization/test-authorization.ts';
export { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './database/test-database.ts';
export { eventually } from './eventually.ts';
export { testKafka, type TestKafka } from './kafka/test-kafka.ts';
export { openTestServers, type TestServers } from './servers/test-servers.ts';
export { accessServer } from './servers/server-access.ts';
export { findVersitygw } from './s3/versitygw-binary.ts';
export { startS3Server, type S3Access } from './s3/s3-server.ts';
export { createTestBucket, type TestBucket } from './s3/test-bucket.ts';
