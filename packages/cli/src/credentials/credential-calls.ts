import { unwrap, type CredentialsPaths, type ServiceClient } from '@svc/api-client';

import { UsageError } from '../failures/cli-errors.ts';

/** The kinds of credentials, with the names that the service has for them. */
export const CREDENTIAL_KINDS = {
  bucket: 'objbucket',
  database: 'rdbmsserver',
  filehost: 'filehost-token',
  http: 'http-credential',
} as const;
export type CredentialKind = keyof typeof CREDENTIAL_KINDS;

/** Their names on the command line. */
export const KIND_NAMES = Object.keys(CREDENTIAL_KINDS) as CredentialKind[]; // the keys of the table above

/** The calls of one kind. */
export interface CredentialCalls {
  readonly get: (name: string) => Promise<object>;
  readonly check: (name: string) => Promise<{ readonly ok: boolean; readonly error?: string | undefined }>;
  readonly delete: (name: string) => Promise<unknown>;
}

/** Returns the calls of all kinds. */
export function credentialCalls(client: ServiceClient<CredentialsPaths>): Readonly<Record<CredentialKind, CredentialCalls>> {
  const at = (name: string) => ({ params: { path: { name } } });
  return {
    bucket: {
      get: async (name) => unwrap(client.GET('/objbuckets/{name}', at(name))),
      check: async (name) => unwrap(client.POST('/objbuckets/{name}/check', at(name))),
      delete: async (name) => unwrap(client.DELETE('/objbuckets/{name}', at(name))),
    },
    database: {
      get: async (name) => unwrap(client.GET('/rdbmsservers/{name}', at(name))),
      check: async (name) => unwrap(client.POST('/rdbmsservers/{name}/check', at(name))),
      delete: async (name) => unwrap(client.DELETE('/rdbmsservers/{name}', at(name))),
    },
    filehost: {
      get: async () => unwrap(client.GET('/filehost-tokens')),
      check: async () => unwrap(client.POST('/filehost-tokens/check')),
      delete: async () => unwrap(client.DELETE('/filehost-tokens')),
    },
    http: {
      get: async (name) => unwrap(client.GET('/http-creds/{name}', at(name))),
      check: async (name) => unwrap(client.POST('/http-creds/{name}/check', at(name))),
      delete: async (name) => unwrap(client.DELETE('/http-creds/{name}', at(name))),
    },
  };
}

/** Returns the name of a credential; the file host's has none. */
export function requireName(kind: CredentialKind, name: string | undefined): string {
  if (kind === 'filehost') return '';
  if (name === undefined) throw new UsageError(`A ${kind} credential has a name: give it behind the kind.`);
  return name;
}
