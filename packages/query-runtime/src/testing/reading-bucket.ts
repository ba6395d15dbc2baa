import { createNetworkGuard } from '@svc/network-guard';
import { NO_CREDENTIALS, type BucketCredential, type CredentialUse, type SourcesOptions } from '@svc/sources';
import { createTestBucket, openTcpProxy, type TcpProxy, type TestBucket } from '@svc/test-kit';

import { openReadingRuntime, type ReadingRuntime } from './reading-runtime.ts';
import { READER } from './test-runtime.ts';

/** A bucket of the reader's, behind a proxy that counts, watches listings and breaks: `afterAll(bucket.close)`. */
export interface ReadingBucket {
  readonly bucket: TestBucket;
  readonly proxy: TcpProxy;
  readonly runtime: ReadingRuntime;
  /** The location of a key. */
  readonly at: (key: string) => string;
  /** Sets the reader's credential. */
  readonly register: (credential: BucketCredential | null) => void;
  readonly uses: readonly CredentialUse[];
  readonly close: () => Promise<void>;
}

/** Opens one that the reader has registered. */
export async function openReadingBucket(limits: Pick<SourcesOptions, 's3Limits'> = {}): Promise<ReadingBucket> {
  const bucket = await createTestBucket();
  const { region, accessKey, secretKey } = bucket;
  const { hostname: host, port } = new URL(bucket.endpoint);
  const proxy = await openTcpProxy({ host, port: Number(port), watch: 'list-type=2' });
  const uses: CredentialUse[] = [];
  let registered: BucketCredential | null = { region, accessKey, secretKey, identity: '1' };
  const runtime = await openReadingRuntime({
    reach: {
      ...limits,
      networkGuard: createNetworkGuard({ allow: ['127.0.0.1'] }),
      endpoints: { s3: new URL(`http://127.0.0.1:${proxy.port}`) },
      credentials: {
        ...NO_CREDENTIALS,
        bucket: async (subject, name) => (subject === READER.subject && name === bucket.name ? registered : null),
        used: (use) => void uses.push(use),
      },
    },
  });
  return {
    bucket,
    proxy,
    runtime,
    at: (key) => `s3://${bucket.name}/${key}`,
    register: (credential) => {
      registered = credential;
    },
    uses,
    close: async () => {
      await runtime.close();
      await proxy.close();
    },
  };
}
