import { describeEndpoints } from '../describe-endpoints.ts';
import type { Json, OpenApiVersion } from '../openapi-version.ts';
import type { WorkingEndpoint } from './application-endpoint.ts';

/** An application, with the endpoints to describe. */
export interface DescribedApplication {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly endpoints: readonly WorkingEndpoint[];
}

/**
 * Returns the OpenAPI document of endpoints of several applications, served at `serverUrl`. Throws `bad_request` if it would
 * be too large.
 */
export function describeApplications(
  applications: readonly DescribedApplication[],
  { serverUrl, version }: { readonly serverUrl: string; readonly version: OpenApiVersion },
): Json {
  const endpoints = applications.flatMap(({ name, endpoints: own }) =>
    own.map(({ endpoint, described, descriptions }) => ({
      endpoint: { ...endpoint, path: `/${name}/1/public${endpoint.path}` },
      described,
      descriptions,
      tag: name,
    })),
  );
  return {
    openapi: version,
    info: { title: 'Endpoints', version: '1', description: 'The endpoints that the API key of the request can call.' },
    servers: [{ url: serverUrl }],
    tags: applications.map(({ name, title, description }) => ({
      name,
      ...((description ?? title) !== undefined && { description: description ?? title }),
    })),
    ...describeEndpoints(endpoints, version),
  };
}
