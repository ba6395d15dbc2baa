import type { Endpoint, EndpointMethod, PackageFunction } from '@svc/query-language';
import { printType } from '@svc/query-language';

import { endpointKey, type ApplicationEndpoint, type BrokenEndpoint, type EndpointListing } from './application-endpoint.ts';
import type { ApplicationContent, DefinitionProblem } from './definition-schema.ts';

/** The functions of an application's packages; null for a package stored before functions were. */
export type PackageFunctions = ReadonlyMap<string, readonly PackageFunction[] | null>;

/** An application with its functions found, and all that is wrong with it. */
export interface ResolvedApplication {
  readonly endpoints: readonly ApplicationEndpoint[];
  readonly problems: readonly DefinitionProblem[];
}

/** Returns the names of the packages that a definition refers to. */
export function packagesOf({ packages, endpoints }: ApplicationContent): readonly string[] {
  return [...new Set([...packages, ...endpoints.map((one) => splitName(one.function).packageName)])];
}

/**
 * Resolves the function of each endpoint of a definition. An endpoint with a fault is broken without affecting others.
 * `lastKnown` are the endpoints at the time the definition was stored; those of a package that was deleted stay, as broken.
 */
export function resolveApplication(
  content: ApplicationContent,
  functions: PackageFunctions,
  lastKnown: readonly EndpointListing[] = [],
): ResolvedApplication {
  const problems: DefinitionProblem[] = repeatedScopes(content);
  const scopes = new Set(content.scopes.map(({ name }) => name));
  const endpoints: ApplicationEndpoint[] = [];
  const taken = new Set<string>();
  const add = (candidate: Candidate): void => {
    const faults = [...candidate.problems, ...undeclaredScopes(candidate, scopes)];
    const key = endpointKey(candidate.found.endpoint);
    if (taken.has(key) && candidate.isRemembered === true) return;
    if (taken.has(key)) faults.push({ message: `${key} is an endpoint already`, path: candidate.at });
    else endpoints.push(faults.length === 0 ? candidate.found : asBroken(candidate.found));
    taken.add(key);
    problems.push(...faults);
  };
  for (const [i, written] of content.endpoints.entries()) add(definedEndpoint(written, { at: `/endpoints/${i}`, functions }));
  for (const [i, packageName] of content.packages.entries()) {
    const of = { packageName, functions: functions.get(packageName), lastKnown, at: `/packages/${i}` };
    const { candidates, problems: missing } = annotatedEndpoints(of);
    problems.push(...missing);
    for (const candidate of candidates) add(candidate);
  }
  return { endpoints, problems };
}

/** A prospective endpoint of the application, with its own faults. `at` points to its origin in the definition. */
interface Candidate {
  readonly found: ApplicationEndpoint;
  readonly at: string;
  /** Pointer to its scopes. */
  readonly scopesAt: string;
  readonly problems: readonly DefinitionProblem[];
  /** Its package was deleted: it may be an endpoint that the definition itself contains. */
  readonly isRemembered?: boolean;
}

function asBroken(one: ApplicationEndpoint): BrokenEndpoint {
  if (one.kind === 'broken') return one;
  const { method, path, visibility, scopes } = one.endpoint;
  return {
    kind: 'broken',
    endpoint: { method, path, visibility, scopes },
    packageName: one.packageName,
    functionName: one.described.name,
  };
}

function repeatedScopes({ scopes }: ApplicationContent): DefinitionProblem[] {
  const names = scopes.map(({ name }) => name);
  return names.flatMap((name, i) =>
    names.indexOf(name) === i ? [] : [{ message: `scope ${name} is declared twice`, path: `/scopes/${i}/name` }],
  );
}

function undeclaredScopes({ found, scopesAt }: Candidate, declared: ReadonlySet<string>): readonly DefinitionProblem[] {
  const unknown = found.endpoint.scopes.filter((scope) => !declared.has(scope));
  if (unknown.length === 0) return [];
  const { method, path } = found.endpoint;
  return [{ message: `${method.toUpperCase()} ${path} needs ${unknown.join(', ')}, which scopes does not declare`, path: scopesAt }];
}

type DefinedEndpoint = ApplicationContent['endpoints'][number];

/** An endpoint that the definition writes itself. */
function definedEndpoint(
  written: DefinedEndpoint,
  { at, functions }: { readonly at: string; readonly functions: PackageFunctions },
): Candidate {
  const { packageName, functionName } = splitName(written.function);
  const { visibility = 'private', scopes = [] } = written;
  const method = written.method.toLowerCase() as EndpointMethod; // one of the schema's, in lower case
  const base = { method, path: written.path, visibility, scopes };
  const where = { at, scopesAt: `${at}/scopes` };
  const chosen = chooseFunction(functions, packageName, functionName);
  if (typeof chosen === 'string')
    return {
      ...where,
      found: { kind: 'broken', endpoint: base, packageName, functionName },
      problems: [{ message: chosen, path: `${at}/function` }],
    };
  const { endpoints: _, ...described } = chosen;
  const { endpoint, problems } = fitFunction(written, base, { described, at });
  const descriptions = new Map(
    Object.entries(written.parameters ?? {}).flatMap(([name, { description }]) =>
      description === undefined ? [] : [[name, description] as const],
    ),
  );
  return { ...where, found: { kind: 'working', endpoint, packageName, described, descriptions }, problems };
}

function splitName(name: string): { readonly packageName: string; readonly functionName: string } {
  const [packageName = '', functionName = ''] = name.split('.');
  return { packageName, functionName };
}

/** Returns the only function of a name, or why none can be an endpoint. */
function chooseFunction(functions: PackageFunctions, packageName: string, name: string): PackageFunction | string {
  const all = functions.get(packageName);
  if (all === undefined) return `package ${packageName} does not exist`;
  if (all === null) return `package ${packageName} was stored by an earlier version: put it again`;
  const [found, ...others] = all.filter((one) => one.name === name);
  if (found === undefined) return `package ${packageName} has no public function ${name} that can be called from outside`;
  return others.length === 0 ? found : `function ${name} of package ${packageName} has several forms: an endpoint needs a name with one`;
}

interface Fitting {
  readonly described: Omit<PackageFunction, 'endpoints'>;
  readonly at: string;
}

/** Returns an endpoint with the path and parameters of its function, and its mismatches. */
function fitFunction(
  written: DefinedEndpoint,
  base: Pick<Endpoint, 'method' | 'path' | 'visibility' | 'scopes'>,
  { described, at }: Fitting,
): { readonly endpoint: Endpoint; readonly problems: readonly DefinitionProblem[] } {
  const problems: DefinitionProblem[] = [];
  const { parameters } = described;
  const names: string[] = [];
  const path = base.path.replaceAll(/\{(\w+)\}/g, (_, spelled: string) => {
    const parameter = parameters.find(({ name }) => name.toLowerCase() === spelled.toLowerCase());
    const fault = (message: string): void => void problems.push({ message, path: `${at}/path` });
    if (parameter === undefined) fault(`{${spelled}} is no parameter of ${written.function}`);
    else if (parameter.type.kind !== 'PrimitiveType') fault(`{${spelled}} stands in the path and cannot be ${printType(parameter.type)}`);
    else if (names.includes(parameter.name)) fault(`{${spelled}} stands in the path twice`);
    else names.push(parameter.name);
    return `{${parameter?.name ?? spelled}}`;
  });
  const body = parameters.find(({ name, type }) => name.toLowerCase() === 'body' && ['RecordType', 'CollectionType'].includes(type.kind));
  if (body !== undefined && (base.method === 'get' || base.method === 'delete'))
    problems.push({ message: `${written.function} takes a request body, and ${base.method.toUpperCase()} has none`, path: `${at}/method` });
  for (const name of Object.keys(written.parameters ?? {}))
    if (!parameters.some((parameter) => parameter.name === name))
      problems.push({
        message: `${written.function} has no parameter ${name}`,
        path: `${at}/parameters/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      });
  const { format = null, summary = null, description = null } = written;
  const bodyParameter = body?.name ?? null;
  return { endpoint: { ...base, path, pathParameters: names, bodyParameter, format, summary, description }, problems };
}

interface AnnotatedPackage {
  readonly packageName: string;
  readonly functions: readonly PackageFunction[] | null | undefined;
  readonly lastKnown: readonly EndpointListing[];
  readonly at: string;
}

/** The endpoints that a package annotates itself. */
function annotatedEndpoints({ packageName, functions, lastKnown, at }: AnnotatedPackage) {
  if (functions === undefined || functions === null) {
    const message =
      functions === null
        ? `package ${packageName} was stored by an earlier version: put it again`
        : `package ${packageName} does not exist`;
    const lost = lastKnown.filter((one) => splitName(one.function).packageName === packageName);
    const candidates = lost.map(({ method, path, visibility, scopes, function: name }): Candidate => ({
      found: {
        kind: 'broken',
        // As written by `listEndpoint`.
        endpoint: { method: method.toLowerCase() as EndpointMethod, path, visibility, scopes },
        packageName,
        functionName: splitName(name).functionName,
      },
      at,
      scopesAt: at,
      problems: [],
      isRemembered: true,
    }));
    return { candidates, problems: [{ message, path: at }] };
  }
  const candidates = functions.flatMap(({ endpoints, ...described }) =>
    endpoints.map((endpoint): Candidate => {
      const isAmbiguous = functions.filter(({ name }) => name === described.name).length > 1;
      const message = `function ${described.name} of package ${packageName} has several forms: an endpoint needs a name with one`;
      return {
        found: { kind: 'working', endpoint, packageName, described, descriptions: new Map() },
        at,
        scopesAt: at,
        problems: isAmbiguous ? [{ message, path: at }] : [],
      };
    }),
  );
  return { candidates, problems: [] };
}
