import { execFileSync } from 'node:child_process';

import { PROJECT } from '../project.js';

/** Licences that may be shipped with the product: permissive ones, without duties beyond naming their authors. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  '(MIT AND Zlib)',
  'Unlicense',
]);

type Listed = Readonly<Record<string, readonly { readonly name: string; readonly versions: readonly string[] }[]>>;

// Dependencies of the services, without development dependencies.
const output = execFileSync('pnpm', ['--recursive', 'licenses', 'list', '--prod', '--json'], {
  cwd: PROJECT,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
const listed = Object.entries(JSON.parse(output) as Listed).toSorted(([a], [b]) => a.localeCompare(b));
for (const [licence, packages] of listed)
  console.log(`${licence}: ${packages.map(({ name, versions }) => `${name} ${versions.join(', ')}`).join('; ')}\n`);
const refused = listed
  .filter(([licence]) => !ALLOWED.has(licence))
  .flatMap(([licence, packages]) => packages.map(({ name }) => `${name} (${licence})`));
console.log(refused.length === 0 ? 'all licences are allowed' : `not allowed: ${refused.join(', ')}`);
process.exitCode = refused.length === 0 ? 0 : 1;
