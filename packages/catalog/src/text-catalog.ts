import type {
  CatalogStore,
  DeleteResult,
  InsertResult,
  LikePattern,
  NewPackage,
  ReplaceResult,
  StoredText,
  StoredUse,
} from '@svc/database';
import { ServiceError, serviceUnavailable } from '@svc/errors';
import { printType, type Type, type Use } from '@svc/query-language';

import { readPattern } from './name-pattern.ts';
import { checkName } from './object-name.ts';

/** The owner of the names. */
export interface Owner {
  readonly namespace: string;
  /** The subject that acts. */
  readonly subject?: string;
}

/** Result of a check: the type, and the objects of the namespace that the text itself uses. */
export interface CheckedText {
  readonly type: Type;
  readonly uses: readonly Use[];
  /** The public functions of a package, as JSON to be stored with it. */
  readonly functions?: string;
}

/** A text to store, and its owner. */
export interface TextPut<Caller extends Owner> {
  readonly caller: Caller;
  readonly name: string;
  readonly text: string;
  /** Replaces an existing object of the name; otherwise that is `…_already_exists`. */
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

/** The store of texts of one kind. */
export interface TextStore {
  readonly insertIfAbsent: (text: NewPackage) => Promise<InsertResult>;
  readonly replace: (text: NewPackage) => Promise<ReplaceResult>;
  readonly get: (namespace: string, name: string) => Promise<StoredText | undefined>;
  readonly list: (namespace: string, pattern?: LikePattern) => Promise<readonly StoredText[]>;
  readonly delete: (namespace: string, name: string) => Promise<DeleteResult>;
}

/** Dependencies of the catalogue of views, or of packages. */
export interface TextCatalogOptions<Caller extends Owner> {
  readonly kind: 'view' | 'package';
  readonly store: TextStore;
  readonly catalog: CatalogStore;
  /** Throws a QueryFailure with all that is wrong. */
  readonly check: (put: TextPut<Caller>) => Promise<CheckedText>;
}

/** Maximum number of checks of a text beside changes that make it a cycle and then not. */
const MOST_ATTEMPTS = 3;

const CODES = {
  view: { nameInvalid: 'view_name_invalid', exists: 'view_already_exists', notFound: 'view_not_found', noun: 'View' },
  package: { nameInvalid: 'package_name_invalid', exists: 'package_already_exists', notFound: 'package_not_found', noun: 'Package' },
} as const;

/** The views or the packages of all namespaces: texts that are checked when they are stored. Names match by exact spelling. */
export class TextCatalog<Caller extends Owner> {
  readonly #options: TextCatalogOptions<Caller>;
  readonly #codes: (typeof CODES)['view' | 'package'];

  constructor(options: TextCatalogOptions<Caller>) {
    this.#options = options;
    this.#codes = CODES[options.kind];
  }

  /** Checks and stores a text, and returns its type. Of several concurrent puts of one name exactly one succeeds. */
  async put(put: TextPut<Caller>): Promise<Type> {
    checkName(put.name, this.#codes.nameInvalid);
    // The character is valid in a literal or a comment, but PostgreSQL cannot store it.
    if (put.text.includes('\u0000'))
      throw new ServiceError('bad_request', 'The text holds U+0000, which cannot be stored: write \\0 in a string.');
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const { type, uses, functions } = await this.#options.check(put);
      const { namespace, subject: owner } = put.caller;
      const printed = printType(type);
      // An escape in a name behind AS, or inferred JSON.
      if (printed.includes('\u0000'))
        throw new ServiceError('bad_request', 'The type has a field with U+0000 in its name, which cannot be stored: name it with AS.');
      const text = { namespace, name: put.name, text: put.text, type: printed, uses, functions, owner };
      const { store } = this.#options;
      const { kind } = await (put.replace ? store.replace(text) : store.insertIfAbsent(text));
      if (kind === 'exists') throw new ServiceError(this.#codes.exists, await this.#describeTaken(put));
      // Of a cycle that was completed since the check, another check names the members.
      if (kind !== 'cyclic') return type;
    }
    throw serviceUnavailable('What the text uses changes too often to check it. Try again later.');
  }

  /** Returns the text of exactly this name; throws `…_not_found` if there is none. */
  async get({ namespace }: Owner, name: string): Promise<StoredText> {
    const found = isStorable(name) ? await this.#options.store.get(namespace, name) : undefined;
    if (found === undefined) throw new ServiceError(this.#codes.notFound, name);
    return found;
  }

  /** Returns the texts whose names match a LIKE pattern, or all, by name. */
  async list({ namespace }: Owner, pattern: string | undefined): Promise<readonly StoredText[]> {
    return this.#options.store.list(namespace, readPattern(pattern));
  }

  /** Deletes a text, and returns its users: they become invalid, and report that when they are used. */
  async delete({ namespace }: Owner, name: string): Promise<readonly StoredUse[]> {
    const users = isStorable(name) ? await this.#options.catalog.findUsers(namespace, { kind: this.#options.kind, name }) : [];
    const result = isStorable(name) ? await this.#options.store.delete(namespace, name) : { kind: 'absent' as const };
    if (result.kind === 'absent') throw new ServiceError(this.#codes.notFound, name);
    return users;
  }

  /** Describes the object that holds the name: it may be spelt differently, or be of another kind. */
  async #describeTaken({ caller, name }: TextPut<Caller>): Promise<string> {
    const { entries } = await this.#options.catalog.findNames(caller.namespace, [name]);
    const holder = entries.find(({ kind }) => (kind === 'package') === (this.#options.kind === 'package'));
    if (holder === undefined || (holder.kind === this.#options.kind && holder.name === name))
      return `${this.#codes.noun} ${JSON.stringify(name)} already exists.`;
    const why =
      holder.kind === this.#options.kind ? `${JSON.stringify(holder.name)} differs from it only in case` : `a ${holder.kind} has this name`;
    return `${this.#codes.noun} ${JSON.stringify(name)} cannot be created: ${why}.`;
  }
}

/** Returns whether PostgreSQL can store a text; other names cannot exist. */
function isStorable(name: string): boolean {
  return !name.includes('\u0000') && name.isWellFormed();
}
