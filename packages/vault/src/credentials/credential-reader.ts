import { setTimeout as sleep } from 'node:timers/promises';

import type { CredentialEventStore, CredentialKind, CredentialStore, CredentialUse, StoredCredential } from '@svc/database';

import type { Vault } from '../envelope/vault.ts';
import type { AccessKeys, CredentialContents, HttpSecret } from './credential-contents.ts';
import { explainUnreadable } from './explain-unreadable.ts';
import { prefixesOf } from './prefix-url.ts';
import { openContents, sealContents } from './stored-contents.ts';
import { UseLog } from './use-log.ts';

/** Dependencies of the credential reader. */
export interface CredentialReaderOptions {
  readonly store: CredentialStore;
  readonly events: CredentialEventStore;
  readonly vault: Vault;
  /** Called with the reason if uses could not be recorded; they are recorded later, or lost if there are too many. Must not throw. */
  readonly onFailure: (error: unknown) => void;
  /** Interval at which uses are recorded, in batches. */
  readonly noteAfterMs?: number;
}

/** Unique per registration, also under the same name; unchanged when a token is refreshed. */
interface Identified {
  readonly identity: string;
}

/** A token that was refreshed at its token endpoint. */
export interface RefreshedToken {
  readonly subject: string;
  /** As registered. */
  readonly prefixUrl: string;
  /** Identity of the credential whose refresh token was used. */
  readonly identity: string;
  readonly token: string;
  /** Null if the previous one stays valid. */
  readonly refreshToken: string | null;
}

/**
 * Finds the credential for a source of a query; null if the subject has none. It is decrypted for that use and not cached,
 * so that a deletion takes effect immediately. A record that cannot be decrypted is a ServiceError `credentials_unreadable`.
 */
export interface CredentialReader {
  readonly bucket: (subject: string, name: string) => Promise<(Identified & BucketAccess) | null>;
  readonly databaseServer: (subject: string, name: string) => Promise<(Identified & CredentialContents['rdbmsserver']) | null>;
  readonly fileHostToken: (subject: string) => Promise<(Identified & CredentialContents['filehost-token']) | null>;
  /** Finds the credential with the longest prefix that matches by origin and whole path segments; `prefixUrl` is as registered. */
  readonly httpCredential: (
    subject: string,
    url: URL,
  ) => Promise<(Identified & { readonly prefixUrl: string; readonly secret: HttpSecret }) | null>;
  /**
   * Acquires a lease on refreshing an HTTP credential, so that one process at a time uses its refresh token; null if another
   * holds it. The result releases the lease, which also expires.
   */
  readonly claimRefresh: (of: Pick<RefreshedToken, 'subject' | 'prefixUrl' | 'identity'>) => Promise<(() => Promise<void>) | null>;
  /** Stores a refreshed token, unless the credential was deleted or replaced meanwhile. Waits for a database that is away. */
  readonly saveRefreshedToken: (refreshed: RefreshedToken) => Promise<void>;
  /** Records a use asynchronously. */
  readonly used: (use: CredentialUse) => void;
  /** Records the remaining uses. */
  readonly close: () => Promise<void>;
}

type BucketAccess = { readonly region: string } & { readonly [Key in keyof AccessKeys]: string | null };

/** Creates a reader of stored credentials. */
export function createCredentialReader(options: CredentialReaderOptions): CredentialReader {
  const { store, vault } = options;
  const uses = new UseLog(options);
  const find = async <Kind extends CredentialKind>(subject: string, kind: Kind, name: string) =>
    open<Kind>(vault, await store.find({ subject, kind, name }));
  return {
    bucket: async (subject, name) => {
      const found = await find(subject, 'objbucket', name);
      if (found === null) return null;
      const { identity, contents } = found;
      return { identity, region: contents.region, ...(contents.keys ?? { accessKey: null, secretKey: null }) };
    },
    databaseServer: async (subject, name) => flatten(await find(subject, 'rdbmsserver', name)),
    fileHostToken: async (subject) => flatten(await find(subject, 'filehost-token', '')),
    httpCredential: async (subject, url) => {
      const stored = await store.findLongest({ subject, kind: 'http-credential', names: prefixesOf(url) });
      const found = open<'http-credential'>(vault, stored);
      return found && { identity: found.identity, prefixUrl: found.name, secret: found.contents };
    },
    claimRefresh: (of) => claimRefresh(store, of),
    saveRefreshedToken: (refreshed) => untilSaved(() => saveRefreshedToken(options, refreshed)),
    used: (use) => uses.add(use),
    close: () => uses.close(),
  };
}

interface Found<Kind extends CredentialKind> extends Identified {
  readonly name: string;
  readonly contents: CredentialContents[Kind];
}

function open<Kind extends CredentialKind>(vault: Vault, stored: StoredCredential | undefined): Found<Kind> | null {
  if (stored === undefined) return null;
  try {
    return { identity: identityOf(stored), name: stored.shownName, contents: openContents<Kind>(vault, stored) };
  } catch (error) {
    throw explainUnreadable(error);
  }
}

function flatten<Contents>(found: { readonly identity: string; readonly contents: Contents } | null): (Contents & Identified) | null {
  return found && { ...found.contents, identity: found.identity };
}

function identityOf({ id }: StoredCredential): string {
  return `credential ${id}`;
}

/** Longer than a token endpoint is waited for. */
const CLAIM_SECONDS = 60;

async function claimRefresh(
  store: CredentialStore,
  { subject, prefixUrl, identity }: Pick<RefreshedToken, 'subject' | 'prefixUrl' | 'identity'>,
): Promise<(() => Promise<void>) | null> {
  const stored = await store.find(keyOf(subject, prefixUrl));
  // The credential was deleted or replaced: the refreshed token must not be stored.
  if (stored === undefined || identityOf(stored) !== identity) return async () => undefined;
  const until = await store.claimRefresh(stored.id, CLAIM_SECONDS);
  return until && (() => store.endRefresh(stored.id, until));
}

function keyOf(subject: string, prefixUrl: string) {
  const [name = ''] = prefixesOf(new URL(prefixUrl)).slice(-1);
  return { subject, kind: 'http-credential', name } as const;
}

/** Longer than a database takes to restart or to fail over. */
const SAVE_MS = 120_000;
const SAVE_AGAIN_MS = 250;

/** Saves again while it fails: the previous refresh token may have been good once, so that the new one must not be lost. */
async function untilSaved(save: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + SAVE_MS; ; await sleep(SAVE_AGAIN_MS)) {
    try {
      await save();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Between reading and writing, another process may have stored a token of its own, or rewrapped the record under a new master key. */
const MOST_ATTEMPTS = 5;

async function saveRefreshedToken(
  { store, vault }: CredentialReaderOptions,
  { subject, prefixUrl, identity, token, refreshToken }: RefreshedToken,
): Promise<void> {
  const key = keyOf(subject, prefixUrl);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const stored = await store.find(key);
    if (stored === undefined || identityOf(stored) !== identity) return;
    const secret = open<'http-credential'>(vault, stored)?.contents;
    if (secret?.type !== 'oauth-token') return;
    const changed = { ...secret, token, refreshToken: refreshToken ?? secret.refreshToken };
    if (await store.replaceSealed(stored, sealContents(vault, key, changed))) return;
  }
  throw new Error('A refreshed token could not be stored: its record was changed again and again.');
}
