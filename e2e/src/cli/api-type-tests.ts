import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';

import { SERVICES, type CliWorld } from './cli-world.ts';

/** The types with which the console and the command line call the services. */
const SCHEMAS = join(import.meta.dirname, '../../../packages/api-client/src/schemas');

const head = (
  service: string,
): string => `// Made by openapi-typescript of the ${service} service's /openapi.json, without its errors. After a change of the API:
// REWRITE_CASES=1 npx pnpm -s jest e2e/src/cli -t "types of the API"
`;

/** The clients and the services agree about the API. */
export function apiTypeTests(world: () => CliWorld): void {
  test.each(SERVICES)('the types of the API of clients of %s are those of its document', async (service) => {
    const file = join(SCHEMAS, `${service}.d.ts`);
    const made = `${head(service)}${astToString(await openapiTypescript(await successesOf(world().urls[service])))}`;
    if (process.env['REWRITE_CASES'] === '1') await writeFile(file, made);
    expect(await readFile(file, 'utf8')).toBe(made);
  });
}

/** The OpenAPI document of a service without its error responses, which all have one form: they are most of the document. */
async function successesOf(url: string): Promise<OpenAPI3> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    readonly paths: Record<string, Record<string, { readonly responses?: Record<string, unknown> }>>;
  } & OpenAPI3; // as services answer it
  for (const { responses = {} } of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    for (const status of Object.keys(responses)) if (!status.startsWith('2')) delete responses[status];
  }
  return document;
}
