import { HeadBucketCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { NetworkGuard } from '@svc/network-guard';
import { LRUCache } from 'lru-cache';

/** The keys of a bucket, as its owner registered them. */
export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** A bucket with the credential to read it. */
export interface BucketAccess {
  readonly bucket: string;
  /** Null: requested from the store. */
  readonly region: string | null;
  /** Null: requests are not signed. */
  readonly keys: S3Keys | null;
  /** Changes with the credential and contains no secret. */
  readonly identity: string;
}

/** Options of the clients. */
export interface S3ClientOptions {
  readonly guard: Pick<NetworkGuard, 'httpAgent' | 'httpsAgent'>;
  /** An S3-compatible store that replaces AWS. Null for AWS. */
  readonly endpoint: string | null;
  /** Other than the usual ones. */
  readonly limits?: Partial<S3Limits> | undefined;
}

/** Timeouts and page size of an object store. */
export interface S3Limits {
  readonly connectTimeoutMs: number;
  /** Until an answer begins, and between two of its pieces. */
  readonly silenceTimeoutMs: number;
  /** Number of attempts of a request without a response, or with a temporary failure. */
  readonly attempts: number;
  /** Keys of a page of a listing; null for as many as the store sends. */
  readonly pageSize: number | null;
}

const LIMITS: S3Limits = { connectTimeoutMs: 10_000, silenceTimeoutMs: 30_000, attempts: 3, pageSize: null };
const DEFAULT_REGION = 'us-east-1';

/** Creates clients of object stores, cached by credential and region. All of them connect through the network guard. */
export class S3Clients {
  readonly limits: S3Limits;
  readonly #endpoint: string | null;
  readonly #handler: NodeHttpHandler;
  readonly #clients = new LRUCache<string, S3Client>({ max: 200 });
  readonly #regions = new LRUCache<string, string>({ max: 1000, ttl: 3_600_000 });

  constructor({ guard, endpoint, limits }: S3ClientOptions) {
    this.limits = { ...LIMITS, ...limits };
    this.#endpoint = endpoint;
    // The agents belong to the guard, which closes them; clients are not destroyed here.
    this.#handler = new NodeHttpHandler({
      httpAgent: guard.httpAgent,
      httpsAgent: guard.httpsAgent,
      connectionTimeout: this.limits.connectTimeoutMs,
      requestTimeout: this.limits.silenceTimeoutMs,
      throwOnRequestTimeout: true,
      socketAcquisitionWarningTimeout: 0,
    });
  }

  /** Returns the client of a bucket; a missing region is requested from the store once. */
  async clientFor(access: BucketAccess, signal: AbortSignal): Promise<S3Client> {
    const region = access.region ?? (await this.#regionOf(access, signal));
    const key = JSON.stringify([access.identity, access.bucket, access.keys?.accessKey, region]);
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const client = this.#create(region, access.keys);
    this.#clients.set(key, client);
    return client;
  }

  async #regionOf(access: BucketAccess, signal: AbortSignal): Promise<string> {
    const known = this.#regions.get(access.bucket);
    if (known !== undefined) return known;
    const region = await discoverRegion(this.#create(DEFAULT_REGION, null), access.bucket, signal);
    this.#regions.set(access.bucket, region);
    return region;
  }

  #create(region: string, keys: S3Keys | null): S3Client {
    return new S3Client({
      region,
      requestHandler: this.#handler,
      maxAttempts: this.limits.attempts,
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(this.#endpoint === null ? {} : { endpoint: this.#endpoint, forcePathStyle: true }),
      ...identityOf(keys),
    });
  }
}

/** Requests without keys are unsigned. The SDK must never search for keys: it would find those of the server's operator. */
function identityOf(keys: S3Keys | null): Pick<S3ClientConfig, 'credentials' | 'signer'> {
  if (keys !== null) return { credentials: { accessKeyId: keys.accessKey, secretAccessKey: keys.secretKey } };
  return {
    credentials: { accessKeyId: 'anonymous', secretAccessKey: 'anonymous' },
    signer: { sign: async (request) => request },
  };
}

const REGION_HEADER = 'x-amz-bucket-region';

/** Stores report a bucket's region without authorization, even in refusals. */
async function discoverRegion(client: S3Client, bucket: string, abortSignal: AbortSignal): Promise<string> {
  try {
    const { BucketRegion } = await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal });
    return BucketRegion ?? DEFAULT_REGION;
  } catch (thrown) {
    const region = regionOfRefusal(thrown);
    if (region !== null) return region;
    if (hasStatus(thrown)) return DEFAULT_REGION;
    throw thrown;
  }
}

function regionOfRefusal(thrown: unknown): string | null {
  if (typeof thrown !== 'object' || thrown === null || !('$response' in thrown)) return null;
  const { headers } = thrown.$response as { readonly headers?: Readonly<Record<string, string>> }; // the SDK's own, of any refusal
  return headers?.[REGION_HEADER] ?? null;
}

/** Returns whether the store sent a response. */
function hasStatus(thrown: unknown): boolean {
  return statusOf(thrown) !== null;
}

/** Returns the HTTP status of a refusal. Null without a response. */
export function statusOf(thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null || !('$metadata' in thrown)) return null;
  const { httpStatusCode } = thrown.$metadata as { readonly httpStatusCode?: number }; // of every exception of the SDK
  return httpStatusCode ?? null;
}
