import type { PackageFunction } from '@svc/query-language';

import { describeEndpoints } from './describe-endpoints.ts';
import type { Json, OpenApiVersion } from './openapi-version.ts';

/** A package whose endpoints are described. */
export interface DescribedPackage {
  readonly name: string;
  /** Identifies the last change of the code. */
  readonly version: string;
  readonly functions: readonly PackageFunction[];
}

/**
 * Returns the OpenAPI document of a package's endpoints; without endpoints it has no paths. Throws `bad_request` if it would
 * be too large.
 */
export function describePackage({ name, version, functions }: DescribedPackage, openapi: OpenApiVersion): Json {
  const endpoints = functions.flatMap(({ endpoints: all, ...described }) => all.map((endpoint) => ({ endpoint, described })));
  return {
    openapi,
    info: { title: name, version, description: `The REST endpoints of package ${name}.` },
    servers: [
      {
        url: `{baseUrl}/${name}/1/public`,
        description: 'Where endpoints are served.',
        // The published schema of OpenAPI 3.1 refuses a description of a variable.
        variables: { baseUrl: { default: 'http://127.0.0.1:8080' } },
      },
    ],
    ...describeEndpoints(endpoints, openapi),
  };
}
