import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { NetworkGuard } from '@svc/network-guard';
import { isReadFailure } from '@svc/text-formats';

import type { BucketCredential, CredentialLookup, FileHostCredential, HttpCredential } from '../credentials/credential-lookup.ts';
import type { Endpoints } from '../transports/create-transports.ts';
import { FileHostApi } from '../transports/filehost/file-host-api.ts';
import { createHttpClient, HTTP_LIMITS } from '../transports/http/http-client.ts';
import { HttpExchange } from '../transports/http/http-exchange.ts';
import { makeRequest } from '../transports/http/http-request.ts';
import { OAuthTokens } from '../transports/http/oauth-tokens.ts';
import type { PgAccess } from '../transports/pgsql/pg-access.ts';
import { PgConnections } from '../transports/pgsql/pg-connections.ts';
import { explainPg } from '../transports/pgsql/pg-failure.ts';
import { S3Clients } from '../transports/s3/s3-clients.ts';
import { explainS3 } from '../transports/s3/s3-failure.ts';
import { SourceFailure } from '../transports/source-failure.ts';

/** Outcome of a test of a credential; the error is a sentence without secrets. */
export type CheckOutcome = { readonly ok: true } | { readonly ok: false; readonly error: string };

/** A credential to test, and its limit. */
export interface CheckedCredential {
  readonly subject: string;
  /** As registered. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Dependencies of credential checks. */
export interface CredentialCheckOptions {
  readonly networkGuard: NetworkGuard;
  readonly endpoints: Endpoints;
  readonly credentials: CredentialLookup;
  readonly timeoutMs?: number;
}

/** Tries credentials with the cheapest request of the other system. Each method returns null if the credential does not exist. */
export interface CredentialChecks {
  /** Lists one object of the bucket. */
  readonly bucket: (checked: CheckedCredential) => Promise<CheckOutcome | null>;
  /** Opens a transaction on the server. */
  readonly databaseServer: (checked: CheckedCredential) => Promise<CheckOutcome | null>;
  /** Requests the prefix, with a token if the credential is for one. A 404 is not a fault of the credential. */
  readonly httpCredential: (checked: CheckedCredential) => Promise<CheckOutcome | null>;
  /** Lists the top of the user's folders. */
  readonly fileHostToken: (checked: Omit<CheckedCredential, 'name'>) => Promise<CheckOutcome | null>;
  readonly close: () => Promise<void>;
}

const TIMEOUT_MS = 20_000;

/** Uses the transports with which queries read. Tries are not noted as uses; a token that is refreshed by one is stored. */
export function createCredentialChecks(options: CredentialCheckOptions): CredentialChecks {
  const { networkGuard: guard, endpoints, timeoutMs = TIMEOUT_MS } = options;
  const credentials: CredentialLookup = { ...options.credentials, used: () => undefined };
  const clients = new S3Clients({ guard, endpoint: endpoints.s3?.href ?? null });
  const connections = new PgConnections({ guard, statementTimeoutMs: timeoutMs });
  const client = createHttpClient(guard, HTTP_LIMITS);
  const fileHost = new FileHostApi(client, endpoints.fileHost);
  const tokens = new OAuthTokens({ credentials, guard });
  const exchange = new HttpExchange({ client, tokens, credentials });
  const outcomeOf = async <Credential>(credential: Credential | null, attempt: Attempt<Credential>, signal: AbortSignal) =>
    credential === null ? null : tryWithin(timeoutMs, signal, (limited) => attempt(credential, limited));
  return {
    bucket: async ({ subject, name, signal }) =>
      outcomeOf(
        await credentials.bucket(subject, name),
        (credential, limited) => listOne(clients, { subject, name, credential }, limited),
        signal,
      ),
    databaseServer: async ({ subject, name, signal }) =>
      outcomeOf(
        await credentials.databaseServer(subject, name),
        (credential, limited) =>
          logIn(connections, { ...credential, server: name, identity: JSON.stringify([subject, credential.identity]) }, limited),
        signal,
      ),
    fileHostToken: async ({ subject, signal }) =>
      outcomeOf(await credentials.fileHostToken(subject), (credential, limited) => listTop(fileHost, credential, limited), signal),
    httpCredential: async ({ subject, name, signal }) =>
      outcomeOf(
        await credentials.httpCredential(subject, new URL(name)),
        (credential, limited) => requestPrefix(exchange, { subject, credential }, limited),
        signal,
      ),
    close: async () => {
      await Promise.all([connections.close(), client.close(), tokens.close()]);
    },
  };
}

/** Fails with a SourceFailure if the credential is not accepted. */
type Attempt<Credential> = (credential: Credential, signal: AbortSignal) => Promise<void>;

async function tryWithin(timeoutMs: number, signal: AbortSignal, attempt: (limited: AbortSignal) => Promise<void>): Promise<CheckOutcome> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    await attempt(AbortSignal.any([signal, limit]));
    return { ok: true };
  } catch (thrown) {
    if (limit.aborted) return { ok: false, error: `no answer came within ${timeoutMs / 1000} seconds` };
    if (thrown instanceof SourceFailure || isReadFailure(thrown)) return { ok: false, error: thrown.message };
    throw thrown;
  }
}

async function listOne(
  clients: S3Clients,
  { subject, name: bucket, credential }: { readonly subject: string; readonly name: string; readonly credential: BucketCredential },
  abortSignal: AbortSignal,
): Promise<void> {
  const { region, accessKey, secretKey, identity } = credential;
  const keys = accessKey === null || secretKey === null ? null : { accessKey, secretKey };
  const access = { bucket, region, keys, identity: JSON.stringify([subject, identity]) };
  try {
    const client = await clients.clientFor(access, abortSignal);
    await client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }), { abortSignal });
  } catch (thrown) {
    throw explainS3(thrown, access, `s3://${bucket}/`);
  }
}

async function logIn(connections: PgConnections, access: PgAccess, signal: AbortSignal): Promise<void> {
  try {
    await connections.transaction(access, signal, async () => undefined);
  } catch (thrown) {
    throw isReadFailure(thrown) ? thrown : explainPg(thrown, access);
  }
}

async function listTop(fileHost: FileHostApi, credential: FileHostCredential, signal: AbortSignal): Promise<void> {
  const entries = fileHost.folder('', { credential, location: 'filehost:/', isRecursive: false, signal });
  await entries.next();
  await entries.return(undefined);
}

async function requestPrefix(
  exchange: HttpExchange,
  { subject, credential }: { readonly subject: string; readonly credential: HttpCredential },
  signal: AbortSignal,
): Promise<void> {
  const request = makeRequest(new URL(credential.prefixUrl), {});
  try {
    const { answer } = await exchange.send(request, { subject, credential, headers: {}, signal });
    answer.close();
  } catch (thrown) {
    if (!(thrown instanceof SourceFailure) || thrown.failure !== 'not-found' || thrown.cause !== undefined) throw thrown;
  }
}
