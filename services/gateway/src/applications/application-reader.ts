import type { ApplicationStore, StoredApplication } from '@svc/database';
import {
  compileMatcher,
  packagesOf,
  readFunctions,
  resolveApplication,
  type ApplicationContent,
  type EndpointListing,
  type EndpointMatcher,
  type ResolvedApplication,
} from '@svc/endpoints';

/** A stored application: its parsed definition, and its endpoints at the time it was stored. */
export interface KeptApplication {
  readonly definition: ApplicationContent;
  readonly endpoints: readonly EndpointListing[];
  /** The scopes again, in the form in which the database looks them up. */
  readonly scopes: ApplicationContent['scopes'];
}

/** An application that can be served. */
export interface ServedApplication extends ResolvedApplication {
  readonly name: string;
  readonly namespace: string;
  readonly content: ApplicationContent;
  readonly match: EndpointMatcher;
  /** The subject that stored a package last, by package: who calls without a key acts as them. */
  readonly owners: ReadonlyMap<string, string>;
}

/** Resolves the parts of a definition that are in packages of a namespace, from their current state. */
export async function resolveContent(
  applications: ApplicationStore,
  { namespace, content }: { readonly namespace: string; readonly content: ApplicationContent },
  lastKnown: readonly EndpointListing[] = [],
): Promise<ResolvedApplication & { readonly owners: ReadonlyMap<string, string> }> {
  const stored = await applications.packageFunctions(namespace, packagesOf(content));
  const functions = new Map(stored.map((one) => [one.name, one.functions === null ? null : readFunctions(one.functions)]));
  // A package without an owner has no functions either: both exist since the same version.
  const owners = new Map(stored.flatMap(({ name, owner }) => (owner === null ? [] : [[name, owner] as const])));
  return { ...resolveApplication(content, functions, lastKnown), owners };
}

/** Builds an application from its stored form. */
export async function openApplication(applications: ApplicationStore, stored: StoredApplication): Promise<ServedApplication> {
  const { definition: content, endpoints } = stored.content as KeptApplication; // written by the administration
  const { name, namespace } = stored;
  const resolved = await resolveContent(applications, { namespace, content }, endpoints);
  return { name, namespace, content, ...resolved, match: compileMatcher(resolved.endpoints) };
}
