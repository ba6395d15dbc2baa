import type { Endpoint, PackageFunction } from '@svc/query-language';

/** The parts of an endpoint that do not depend on its function. */
export interface EndpointListing {
  readonly method: string;
  readonly path: string;
  readonly visibility: 'public' | 'private';
  readonly scopes: readonly string[];
  /** `<package>.<function>` */
  readonly function: string;
}

/** An endpoint that can be called. */
export interface WorkingEndpoint {
  readonly kind: 'working';
  readonly endpoint: Endpoint;
  readonly packageName: string;
  readonly described: Omit<PackageFunction, 'endpoints'>;
  /** Descriptions of parameters, by name. */
  readonly descriptions: ReadonlyMap<string, string>;
}

/** An endpoint whose function was deleted or no longer fits. */
export interface BrokenEndpoint {
  readonly kind: 'broken';
  readonly endpoint: Pick<Endpoint, 'method' | 'path' | 'visibility' | 'scopes'>;
  readonly packageName: string;
  readonly functionName: string;
}

/** An endpoint of an application. */
export type ApplicationEndpoint = WorkingEndpoint | BrokenEndpoint;

/** Lists an endpoint as the administration shows it. */
export function listEndpoint(one: ApplicationEndpoint): EndpointListing {
  const { method, path, visibility, scopes } = one.endpoint;
  const name = one.kind === 'working' ? one.described.name : one.functionName;
  return { method: method.toUpperCase(), path, visibility, scopes, function: `${one.packageName}.${name}` };
}

/** Reports whether an endpoint is open to callers without a key. */
export function isOpen({ endpoint }: ApplicationEndpoint): boolean {
  return endpoint.visibility === 'public' && endpoint.scopes.length === 0;
}

/** Returns method and path without the names of parameters: endpoints with the same key are the same. */
export function endpointKey({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
}
