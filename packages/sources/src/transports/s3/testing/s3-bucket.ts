import { randomBytes } from 'node:crypto';

import { CreateBucketCommand, PutBucketPolicyCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createNetworkGuard } from '@svc/network-guard';
import { accessServer, type S3Access } from '@svc/test-kit';

import { S3Clients, type BucketAccess } from '../s3-clients.ts';

/** A bucket of its own on the S3 server of the run. */
export interface TestBucket {
  readonly name: string;
  readonly server: S3Access;
  readonly put: (key: string, body: string | Uint8Array) => Promise<void>;
  /** As its owner. */
  readonly access: BucketAccess;
  /** Lets everybody read it. */
  readonly publish: () => Promise<void>;
}

/** Makes a bucket. */
export async function createTestBucket(): Promise<TestBucket> {
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
    name,
    server,
    put: async (key, body) => void (await client.send(new PutObjectCommand({ Bucket: name, Key: key, Body: Buffer.from(body) }))),
    access: { bucket: name, region: server.region, keys: server, identity: 'owner' },
    publish: async () => {
      const statement = { Effect: 'Allow', Principal: '*', Action: ['s3:GetObject', 's3:ListBucket'] };
      const policy = { Version: '2012-10-17', Statement: [{ ...statement, Resource: [`arn:aws:s3:::${name}`, `arn:aws:s3:::${name}/*`] }] };
      await client.send(new PutBucketPolicyCommand({ Bucket: name, Policy: JSON.stringify(policy) }));
    },
  };
}

/** Clients for a store on this machine. */
export function localClients(endpoint: string): S3Clients {
  return new S3Clients({ guard: createNetworkGuard({ allow: ['127.0.0.0/8', '::1'] }), endpoint });
}
