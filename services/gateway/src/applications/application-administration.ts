import type { ApplicationStore, StoredApplication } from '@svc/database';
import { listEndpoint, parseDefinition, type DefinitionProblem, type EndpointListing } from '@svc/endpoints';
import { ServiceError } from '@svc/errors';

import { openApplication, resolveContent, type KeptApplication } from './application-reader.ts';

/** A file of the operator that is currently invalid. */
export interface FileFault {
  /** Null if the file does not name it. */
  readonly namespace: string | null;
  readonly problems: readonly DefinitionProblem[];
}

/** The definitions of the operator's folder. */
export interface DefinitionFiles {
  /** The files that are wrong now, by the name of their application. */
  readonly faults: () => ReadonlyMap<string, FileFault>;
  /** Returns whether there is a file for an application. */
  readonly has: (name: string) => boolean;
}

/** Dependencies of application administration. */
export interface AdministrationOptions {
  readonly applications: ApplicationStore;
  /** Returns the folder; undefined if there is none. */
  readonly files: () => DefinitionFiles | undefined;
}

/** An application as the administration shows it. */
export interface ApplicationView {
  readonly application: string;
  readonly endpoints: readonly EndpointListing[];
  readonly problems: readonly DefinitionProblem[];
}

/** An application with the title and description of its definition. */
export interface ApplicationDetails extends ApplicationView {
  readonly title: string | null;
  readonly description: string | null;
  readonly scopes: readonly { readonly name: string; readonly description: string | null }[];
}

/** A definition to store, with its owner. */
export interface DefinitionPut {
  readonly name: string;
  readonly text: string;
  readonly mediaType: string;
  readonly namespace: string;
  readonly actor: string;
}

/** The caller. */
interface Owner {
  readonly namespace: string;
  readonly subject: string;
}

const NAME = /^[a-z][a-z0-9-]{0,63}$/;

/** The applications of namespaces, as their owners administrate them. */
export class ApplicationAdministration {
  readonly #applications: ApplicationStore;
  readonly #files: () => DefinitionFiles | undefined;

  constructor({ applications, files }: AdministrationOptions) {
    this.#applications = applications;
    this.#files = files;
  }

  /** Validates and stores a definition. Throws `application_invalid` with every fault, and changes nothing then. */
  async put(put: DefinitionPut): Promise<ApplicationView> {
    const parsed = parseDefinition(put.text, put);
    if (parsed.kind === 'problems') throw invalid(put.name, parsed.problems);
    const view = await this.store(put, { content: parsed.content, origin: 'api' });
    if (view === 'taken') throw new ServiceError('application_already_exists', put.name);
    return view;
  }

  /** Stores a definition of valid form if all its references resolve; 'taken' if another namespace has the name. */
  async store(
    { name, text, mediaType, namespace, actor }: DefinitionPut,
    { content, origin }: { readonly content: KeptApplication['definition']; readonly origin: StoredApplication['origin'] },
  ): Promise<ApplicationView | 'taken'> {
    const owned = await this.#applications.get(name);
    if (owned !== undefined && owned.namespace !== namespace) return 'taken';
    if (origin === 'api') this.#requireNoFile(owned);
    const { endpoints, problems } = await resolveContent(this.#applications, { namespace, content });
    if (problems.length > 0) throw invalid(name, problems);
    const kept: KeptApplication = { definition: content, endpoints: endpoints.map(listEndpoint), scopes: content.scopes };
    const stored = { name, namespace, definition: text, mediaType, content: kept, origin, actor };
    if ((await this.#applications.put(stored)) === 'taken') return 'taken';
    return { application: name, endpoints: kept.endpoints, problems };
  }

  /** Returns the applications of the caller's namespace, by name, with their current faults. */
  async list({ namespace }: Owner): Promise<readonly ApplicationDetails[]> {
    const stored = await this.#applications.list(namespace);
    const views = await Promise.all(stored.map((one) => this.#view(one)));
    const unborn = [...this.#fileFaults()].filter(
      ([name, fault]) => fault.namespace === namespace && !views.some(({ application }) => application === name),
    );
    return [...views, ...unborn.map(([application, { problems }]) => unbornApplication(application, problems))];
  }

  /** Returns one application, or throws `application_not_found`, as do the methods below. */
  async get(owner: Owner, name: string): Promise<ApplicationDetails> {
    return this.#view(await this.#find(owner, name));
  }

  /** Returns a definition as it was sent. */
  async definition(owner: Owner, name: string): Promise<Pick<StoredApplication, 'definition' | 'mediaType'>> {
    return this.#find(owner, name);
  }

  /** Deletes an application and releases its name. */
  async delete(owner: Owner, name: string): Promise<void> {
    this.#requireNoFile(await this.#find(owner, name));
    const { namespace, subject: actor } = owner;
    if (!(await this.#applications.delete({ namespace, name, actor }))) throw new ServiceError('application_not_found', name);
  }

  /** The folder is read for changes of its files: what was changed here would stay until a gateway starts. */
  #requireNoFile(stored: StoredApplication | undefined): void {
    if (stored?.origin === 'file' && this.#files()?.has(stored.name) === true) throw new ServiceError('application_of_file', stored.name);
  }

  #fileFaults(): ReadonlyMap<string, FileFault> {
    return this.#files()?.faults() ?? new Map<string, FileFault>();
  }

  async #find({ namespace }: Owner, name: string): Promise<StoredApplication> {
    const stored = NAME.test(name) ? await this.#applications.get(name) : undefined;
    if (stored === undefined || stored.namespace !== namespace) throw new ServiceError('application_not_found', name);
    return stored;
  }

  async #view(stored: StoredApplication): Promise<ApplicationDetails> {
    const { content, endpoints, problems } = await openApplication(this.#applications, stored);
    const fault = this.#fileFaults().get(stored.name);
    const ofFile = fault?.namespace === stored.namespace ? fault.problems : [];
    return {
      application: stored.name,
      title: content.title ?? null,
      description: content.description ?? null,
      scopes: content.scopes.map(({ name, description = null }) => ({ name, description })),
      endpoints: endpoints.map(listEndpoint),
      problems: [...problems, ...ofFile],
    };
  }
}

/** Returns an application that exists only as a file that was never valid. */
function unbornApplication(application: string, problems: readonly DefinitionProblem[]): ApplicationDetails {
  return { application, title: null, description: null, scopes: [], endpoints: [], problems };
}

function invalid(name: string, problems: readonly DefinitionProblem[]): ServiceError {
  return new ServiceError('application_invalid', name, { members: { problems } });
}
