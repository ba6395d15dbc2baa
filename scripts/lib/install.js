import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { PINNED_NODE, PROJECT } from './project.js';

const STAMP = join(PROJECT, 'node_modules', '.installed');

/**
 * Installs the dependencies of package.json and the lockfile if they changed since the last installation. Runs under any
 * Node from 20 on. Writes to standard error only. Ends the process on failure.
 */
export function installWhatIsMissing() {
  const wanted = digestOfManifests();
  if (existsSync(PINNED_NODE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  process.stderr.write('Installing what is missing …\n');
  const { devEngines } = /** @type {{ devEngines: { packageManager: { version: string } } }} */ (
    JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  );
  const pnpm = `pnpm@${devEngines.packageManager.version}`;
  const install = spawnSync('npx', ['--yes', pnpm, 'install', '--frozen-lockfile', '--prefer-offline'], {
    cwd: PROJECT,
    stdio: ['ignore', 2, 2],
    // With CI set, pnpm replaces an incompatible node_modules without a prompt.
    env: { ...process.env, CI: 'true' },
  });
  if (install.status !== 0) {
    process.stderr.write('What is missing could not be installed: see above.\n');
    process.exit(1);
  }
  writeFileSync(STAMP, wanted);
}

function digestOfManifests() {
  const manifests = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'];
  const hash = createHash('sha256');
  for (const path of manifests) hash.update(readFileSync(join(PROJECT, path)));
  return hash.digest('hex');
}
