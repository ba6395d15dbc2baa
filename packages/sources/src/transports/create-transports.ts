import type { NetworkGuard } from '@svc/network-guard';

import type { CredentialLookup } from '../credentials/credential-lookup.ts';
import type { Location } from '../locations/location.ts';
import type { Spool } from '../spool/spool.ts';
import { createFileTransport } from './file/file-transport.ts';
import { createFileHostTransport } from './filehost/file-host-transport.ts';
import { createHttpClient, HTTP_LIMITS, type HttpLimits } from './http/http-client.ts';
import { HttpTransport } from './http/http-transport.ts';
import { PgConnections } from './pgsql/pg-connections.ts';
import { createPgsqlTransport } from './pgsql/pgsql-transport.ts';
import { S3Clients, type S3Limits } from './s3/s3-clients.ts';
import { createS3Transport } from './s3/s3-transport.ts';
import type { ObjectTransport, RowTransport } from './transport.ts';

/** Transports by kind of location; a missing kind is not supported. */
export type Transports = {
  readonly [Kind in Location['kind']]?:
    | ObjectTransport<Extract<Location, { readonly kind: Kind }>>
    | RowTransport<Extract<Location, { readonly kind: Kind }>>;
};

/** Dependencies of transports. */
export interface TransportOptions {
  readonly fileRoots: readonly string[];
  readonly spool: Spool;
  readonly credentials: CredentialLookup;
  /** The way to other systems; without it only files are read. */
  readonly networkGuard: NetworkGuard | null;
  readonly endpoints: Endpoints;
  readonly httpLimits?: Partial<HttpLimits> | undefined;
  readonly s3Limits?: Partial<S3Limits> | undefined;
  /** Limit of each statement on a database server. */
  readonly statementTimeoutMs: number;
}

/** Addresses of systems that locations do not name. */
export interface Endpoints {
  /** An S3-compatible store with path-style addresses that replaces AWS. */
  readonly s3?: URL | undefined;
  /** Base URL of the file host's API. Defaults to the provider's. */
  readonly fileHost?: URL | undefined;
}

/** Transports with their shared resources, to be closed at the end. */
interface ClosableTransports extends Transports {
  readonly close: () => Promise<void>;
}

/** Creates the transports. */
export function createTransports(options: TransportOptions): ClosableTransports {
  const { networkGuard: guard, spool, credentials, endpoints, httpLimits: limits, statementTimeoutMs } = options;
  const file = createFileTransport(options.fileRoots);
  if (guard === null) return { file, close: async () => undefined };
  const client = createHttpClient(guard, { ...HTTP_LIMITS, ...limits });
  const http = new HttpTransport({ guard, client, spool, credentials });
  const filehost = createFileHostTransport({ client, credentials, base: endpoints.fileHost });
  const clients = new S3Clients({ guard, endpoint: endpoints.s3?.href ?? null, limits: options.s3Limits });
  const connections = new PgConnections({ guard, statementTimeoutMs });
  return {
    file,
    http,
    filehost,
    s3: createS3Transport({ clients, credentials }),
    pgsql: createPgsqlTransport({ connections, credentials }),
    close: async () => void (await Promise.all([client.close(), http.close(), connections.close()])),
  };
}
