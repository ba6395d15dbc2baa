import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import openapiTypescript, { astToString } from 'openapi-typescript';

import type { ConsoleWorld } from './console-world.ts';

/** The types with which the console calls the gateway. */
const SCHEMA = join(import.meta.dirname, '../../../packages/console/src/gateway/schema.d.ts');
const HEAD = `// Made by openapi-typescript of the gateway's /openapi.json. After a change of the API:
// REWRITE_CASES=1 npx pnpm -s jest e2e/src/console -t "types of the API"
`;

/** The console and the gateway agree about the API. */
export function apiTypeTests(world: () => ConsoleWorld): void {
  test('the types of the API in the console are those of the gateway', async () => {
    const made = `${HEAD}${astToString(await openapiTypescript(new URL(`${world().origin}/openapi.json`)))}`;
    if (process.env['REWRITE_CASES'] === '1') await writeFile(SCHEMA, made);
    expect(await readFile(SCHEMA, 'utf8')).toBe(made);
  });
}
