import { randomBytes } from 'node:crypto';

import { accessServer } from '../servers/server-access.ts';
import type { S3Access } from './s3-server.ts';

/** A bucket on the S3 server of the run, and the keys of its owner. */
export interface TestBucket extends S3Access {
  readonly name: string;
  readonly put: (key: string, body: string | Uint8Array) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
  /** Lets everybody read it. */
  readonly publish: () => Promise<void>;
}

/** Creates a bucket. */
export async function createTestBucket(): Promise<TestBucket> {
  // Loaded on demand, as everything here that takes long: every test file loads this room anew.
  const { CreateBucketCommand, DeleteObjectCommand, PutBucketPolicyCommand, PutObjectCommand, S3Client } =
    await import('@aws-sdk/client-s3');
  const server = await accessServer('s3');
  const name = `test-${randomBytes(6).toString('hex')}`;
  const client = new S3Client({
    endpoint: server.endpoint,
    forcePathStyle: true,
    region: server.region,
    credentials: { accessKeyId: server.accessKey, secretAccessKey: server.secretKey },
  });
  await client.send(new CreateBucketCommand({ Bucket: name }));
  return {
    ...server,
    name,
    put: async (key, body) =>
      void (await client.send(new PutObjectCommand({ Bucket: name, Key: key, Body: typeof body === 'string' ? Buffer.from(body) : body }))),
    remove: async (key) => void (await client.send(new DeleteObjectCommand({ Bucket: name, Key: key }))),
    publish: async () => {
      const statement = { Effect: 'Allow', Principal: '*', Action: ['s3:GetObject', 's3:ListBucket'] };
      const policy = { Version: '2012-10-17', Statement: [{ ...statement, Resource: [`arn:aws:s3:::${name}`, `arn:aws:s3:::${name}/*`] }] };
      await client.send(new PutBucketPolicyCommand({ Bucket: name, Policy: JSON.stringify(policy) }));
    },
  };
}
