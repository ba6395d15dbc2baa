import type { JWK } from 'jose';

import type { Client } from '@svc/local-authorization';

import type { S3Access } from '../s3/s3-server.ts';

/** Environment variable with the address at which test files find the servers of their run. */
export const SERVER_TABLE_URL = 'SVC_TEST_SERVERS_URL';

/** The PostgreSQL server of a run. */
export interface DatabaseAccess {
  /** A database of it, as a user who may create others. */
  readonly url: string;
  /** Prefix of the names of this run's databases. */
  readonly run: string;
}

/** The authorization server of a run. */
export interface AuthorizationAccess {
  readonly issuer: string;
  readonly audience: string;
  /** The private key of the issuer. */
  readonly key: JWK;
  readonly client: Client;
}

/** A listener on which clients log in. */
export interface KafkaLogin {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** The TLS listener, and the certificate to trust there, as PEM; a broker in a container has none. */
  readonly tls?: { readonly port: number; readonly certificate: string };
}

/** The Kafka cluster of a run. */
export interface KafkaAccess {
  /** `host:port` of its brokers. */
  readonly brokers: readonly string[];
  /** The listener with logins; null for an external cluster. */
  readonly sasl: KafkaLogin | null;
}

/** Requests a server from the test run, which starts it on the first request. */
export async function accessServer(name: 'database'): Promise<DatabaseAccess>;
export async function accessServer(name: 'authorization'): Promise<AuthorizationAccess>;
export async function accessServer(name: 'kafka'): Promise<KafkaAccess>;
export async function accessServer(name: 's3'): Promise<S3Access>;
export async function accessServer(name: string): Promise<unknown> {
  // The one place outside a main file that reads the environment: a test file has no main file.
  const url = process.env[SERVER_TABLE_URL];
  if (url === undefined) throw new Error('No servers were opened for this test run: see openTestServers.');
  const response = await fetch(`${url}/${name}`);
  if (!response.ok) throw new Error(`The ${name} server of the test run did not start: ${await response.text()}`);
  return response.json();
}
