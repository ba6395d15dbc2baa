import { createNetworkGuard } from '@svc/network-guard';
import type { TestBucket } from '@svc/test-kit';

import { S3Clients, type BucketAccess } from '../s3-clients.ts';

/** Clients for a store on this machine. */
export function localClients(endpoint: string): S3Clients {
  return new S3Clients({ guard: createNetworkGuard({ allow: ['127.0.0.0/8', '::1'] }), endpoint });
}

/** A bucket, as its owner reads it. */
export function ownersAccess({ name, region, accessKey, secretKey }: TestBucket): BucketAccess {
  return { bucket: name, region, keys: { accessKey, secretKey }, identity: 'owner' };
}
