import { ServiceError } from '@svc/errors';

import { describeOperation, type EndpointOfFunction } from './describe-operation.ts';
import { errorComponents } from './error-answers.ts';
import type { Json, OpenApiVersion } from './openapi-version.ts';
import { countParts } from './type-schema.ts';

/** Maximum number of types in all schemas of a document: each takes some 50 bytes. */
const MOST_PARTS = 200_000;

/** Describes paths and components of endpoints in OpenAPI. Throws `bad_request` if they would be too large. */
export function describeEndpoints(endpoints: readonly EndpointOfFunction[], openapi: OpenApiVersion): Json {
  checkSize(endpoints);
  const scopes = [...new Set(endpoints.flatMap(({ endpoint }) => endpoint.scopes))].toSorted();
  return {
    paths: describePaths(endpoints, openapi),
    components: {
      ...errorComponents(openapi),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-SVC-API-KEY',
          description:
            'A key that is active, not expired, and bound to the scopes of the endpoint' +
            (scopes.length === 0 ? '.' : `. The endpoints of this document have: ${scopes.join(', ')}.`),
        },
      },
    },
  };
}

function checkSize(endpoints: readonly EndpointOfFunction[]): void {
  let parts = 0;
  for (const { described } of endpoints)
    parts = [described.result, ...described.parameters.map(({ type }) => type)].reduce((sum, type) => sum + countParts(type), parts);
  if (parts > MOST_PARTS)
    throw new ServiceError(
      'bad_request',
      `The document would be too large: the types of all endpoints have more than ${MOST_PARTS} parts.`,
    );
}

/** Merges paths that differ only in the names of their parameters; the names of the first one are used. */
function describePaths(endpoints: readonly EndpointOfFunction[], version: OpenApiVersion): Json {
  const operationIds = nameOperations(endpoints);
  const groups = Map.groupBy(endpoints, ({ endpoint }) => endpoint.path.replaceAll(/\{\w+\}/g, '{}'));
  return Object.fromEntries(
    [...groups.values()].map((group) => {
      const path = group[0]?.endpoint.path ?? '';
      const names = namesIn(path);
      const operations = group.map((one) => {
        const pathNames = new Map(namesIn(one.endpoint.path).map((own, i) => [own, names[i] ?? own]));
        return [one.endpoint.method, describeOperation(one, { operationId: operationIds.get(one) ?? '', pathNames, version })] as const;
      });
      return [path, Object.fromEntries(operations)];
    }),
  );
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));
}

/** Names each operation after its function; if that is not unique, with the method and a number. */
function nameOperations(endpoints: readonly EndpointOfFunction[]): ReadonlyMap<EndpointOfFunction, string> {
  const taken = new Set<string>();
  const ofName = Map.groupBy(endpoints, ({ described }) => described.name);
  const ids = new Map<EndpointOfFunction, string>();
  for (const one of endpoints) {
    const { name } = one.described;
    const isAlone = ofName.get(name)?.length === 1;
    const wanted = isAlone ? name : `${one.endpoint.method}_${name}`;
    let id = wanted;
    for (let i = 2; taken.has(id); i += 1) id = `${wanted}_${i}`;
    taken.add(id);
    ids.set(one, id);
  }
  return ids;
}
