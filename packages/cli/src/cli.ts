import type { ExecutorPaths, CredentialsPaths, GatewayPaths, ServiceClient, StreamPaths, TokenSource } from '@svc/api-client';

import type { Addresses, Profile } from './config/profiles.ts';

/** The terminal and environment of a command. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
}

/** Typed clients of the services. */
export interface Services {
  readonly gateway: ServiceClient<GatewayPaths>;
  readonly executor: ServiceClient<ExecutorPaths>;
  readonly credentials: ServiceClient<CredentialsPaths>;
  readonly stream: ServiceClient<StreamPaths>;
}

/** Dependencies of commands. */
export interface Cli {
  readonly terminal: Terminal;
  /** The name of the profile in use. */
  readonly profileName: () => Promise<string>;
  /** Returns the profile in use; undefined if it is not stored. */
  readonly profile: () => Promise<Profile | undefined>;
  readonly addresses: () => Promise<Addresses>;
  readonly tokens: () => Promise<TokenSource>;
  /** By default, an interrupt aborts the request. */
  readonly services: (options?: ConnectOptions) => Promise<Services>;
}

/** Limits of requests. */
export interface ConnectOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** False for bodies that are streams. */
  readonly resend?: boolean;
}
