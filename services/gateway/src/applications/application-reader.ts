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

/** An application as it is kept: its definition as data, and its endpoints as they were when it was put. */
export interface KeptApplication {
  readonly definition: ApplicationContent;
  readonly endpoints: readonly EndpointListing[];
  /** Once more in the form that the database looks scopes up in. */
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

/** Reads the parts of a definition that lie in the packages of a namespace, as they are now. */
export async function resolveContent(
  applications: ApplicationStore,
  { namespace, content }: { readonly namespace: string; readonly content: ApplicationContent },
  lastKnown: readonly EndpointListing[] = [],
): Promise<ResolvedApplication & { readonly owners: ReadonlyMap<string, string> }> {
  const stored = await applications.packageFunctions(namespace, packagesOf(content));
  const functions = new Map(stored.map((one) => [one.name, one.functions === null ? null : readFunctions(one.functions)]));
  // A package without an owner has no functions either: both are kept since the same version.
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
