import type {
  CredentialEventPage,
  CredentialEventStore,
  CredentialKey,
  CredentialKind,
  CredentialStore,
  CredentialSummary,
  StoredCredentialEvent,
} from '@svc/database';
import { ServiceError, type ErrorCode } from '@svc/errors';

import type { Vault } from '../envelope/vault.ts';
import type { CredentialContents } from './credential-contents.ts';
import { NAME_RULES } from './credential-names.ts';
import { explainUnreadable } from './explain-unreadable.ts';
import { openContents, sealContents } from './stored-contents.ts';

/** Dependencies of credential administration. */
export interface CredentialParts {
  readonly store: CredentialStore;
  readonly events: CredentialEventStore;
  readonly vault: Vault;
}

/** A credential of a kind, by the name that its owner gave. */
export interface NamedCredential<Kind extends CredentialKind> {
  readonly subject: string;
  readonly kind: Kind;
  readonly name: string;
}

/** A credential as shown to its owner. */
export interface OpenedCredential<Kind extends CredentialKind> {
  /** As given by the user. */
  readonly name: string;
  readonly contents: CredentialContents[Kind];
}

/** Outcome of a test of a credential; the error contains no secret. */
export type CheckOutcome = { readonly ok: true } | { readonly ok: false; readonly error: string };

const LONGEST_ERROR = 500;

/** The rules of credentials: each belongs to a subject, and another's does not exist. */
export class Credentials {
  readonly #store: CredentialStore;
  readonly #events: CredentialEventStore;
  readonly #vault: Vault;

  constructor({ store, events, vault }: CredentialParts) {
    this.#store = store;
    this.#events = events;
    this.#vault = vault;
  }

  /**
   * Registers a credential. Throws `bad_request` for a name that cannot be one, and the kind's `…_already_exists`.
   */
  async register<Kind extends CredentialKind>(
    { subject, kind, name: shownName }: NamedCredential<Kind>,
    contents: CredentialContents[Kind],
  ): Promise<void> {
    const parsed = NAME_RULES[kind](shownName);
    if (parsed.kind === 'unusable') throw new ServiceError('bad_request', parsed.reason);
    const key = { subject, kind, name: parsed.name };
    const isNew = await this.#store.insertIfAbsent({ ...key, shownName, sealed: sealContents(this.#vault, key, contents) });
    if (!isNew) throw REFUSALS[kind].taken(shownName);
  }

  /** Opens a credential for its owner, and notes that it was read. Throws the kind's `…_not_found`, or `credentials_unreadable`. */
  async read<Kind extends CredentialKind>(named: NamedCredential<Kind>): Promise<OpenedCredential<Kind>> {
    const { subject, kind, name } = named;
    const key = keyOf(named);
    const stored = key && (await this.#store.find(key));
    if (stored === undefined) throw REFUSALS[kind].absent(name);
    try {
      const contents = openContents<Kind>(this.#vault, stored);
      await this.#events.add({ subject, kind, name: stored.shownName, action: 'read', error: null });
      return { name: stored.shownName, contents };
    } catch (error) {
      throw explainUnreadable(error);
    }
  }

  /**
   * Tests a credential by its registered name, and records the test and its error in the audit trail. Throws the kind's
   * `…_not_found`; `attempt` returns null if the credential was deleted meanwhile.
   */
  async check<Outcome extends CheckOutcome>(
    named: NamedCredential<CredentialKind>,
    attempt: (shownName: string) => Promise<Outcome | null>,
  ): Promise<Outcome> {
    const { subject, kind, name } = named;
    const key = keyOf(named);
    const stored = key && (await this.#store.find(key));
    const outcome = stored && (await attempt(stored.shownName));
    if (stored === undefined || outcome === undefined || outcome === null) throw REFUSALS[kind].absent(name);
    const error = outcome.ok ? null : outcome.error.slice(0, LONGEST_ERROR);
    await this.#events.add({ subject, kind, name: stored.shownName, action: 'checked', error });
    return outcome;
  }

  /** The names of a kind, in code-point order. */
  async listNames(subject: string, kind: CredentialKind): Promise<readonly string[]> {
    return this.#store.listNames(subject, kind);
  }

  /** Returns all credentials of a subject, without secrets. */
  async listAll(subject: string): Promise<readonly CredentialSummary[]> {
    return this.#store.listAll(subject);
  }

  /** The audit trail of a subject's credentials, the newest first. */
  async listEvents(subject: string, page: CredentialEventPage): Promise<readonly StoredCredentialEvent[]> {
    return this.#events.list(subject, page);
  }

  /** Deletes a credential. Throws the kind's `…_not_found`. */
  async delete(named: NamedCredential<CredentialKind>): Promise<void> {
    const key = keyOf(named);
    if (key === undefined || !(await this.#store.delete(key))) throw REFUSALS[named.kind].absent(named.name);
  }
}

/** Errors of each kind for a name that is taken, and for one that does not exist. */
const REFUSALS = {
  objbucket: refusals('objstore_credentials_already_exists', 'objstore_credentials_not_found'),
  rdbmsserver: refusals('database_credentials_already_exists', 'database_credentials_not_found'),
  'filehost-token': {
    taken: () => new ServiceError('filehost_token_already_exists', 'A token of the file host is registered already.'),
    absent: () => new ServiceError('filehost_token_not_found', 'No token of the file host is registered.'),
  },
  'http-credential': refusals('http_credentials_already_exists', 'http_credentials_not_found'),
} as const satisfies Readonly<Record<CredentialKind, Refusals>>;

interface Refusals {
  readonly taken: (name: string) => ServiceError;
  readonly absent: (name: string) => ServiceError;
}

function refusals(taken: ErrorCode, absent: ErrorCode): Refusals {
  return { taken: (name) => new ServiceError(taken, name), absent: (name) => new ServiceError(absent, name) };
}

/** Undefined for an invalid name. */
function keyOf({ subject, kind, name }: NamedCredential<CredentialKind>): CredentialKey | undefined {
  const parsed = NAME_RULES[kind](name);
  return parsed.kind === 'name' ? { subject, kind, name: parsed.name } : undefined;
}
