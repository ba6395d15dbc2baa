import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { installWhatIsMissing } from './install.js';
import { COMPILE_CACHE, PINNED_NODE, PROJECT } from './project.js';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a TypeScript file of the project under the pinned Node, with the arguments of this process, after installing missing
 * dependencies. The first run uses the machine's Node, and the file becomes a child process; later npm finds the pinned one
 * first, and the file runs in this process.
 * @param {string} file from the project's directory
 */
export async function runPinned(file) {
  installWhatIsMissing();
  const path = join(PROJECT, file);
  if (process.version !== `v${pinnedVersion()}`) {
    runAsChild(path);
    return;
  }
  module.enableCompileCache(COMPILE_CACHE);
  await import(pathToFileURL(path).href);
}

function pinnedVersion() {
  const manifest = readFileSync(join(PROJECT, 'node_modules', 'node', 'package.json'), 'utf8');
  return /** @type {{ version: string }} */ (JSON.parse(manifest)).version;
}

/**
 * The child receives each signal through this process and, since it is detached, only through it. Its channel closes when
 * this process is killed.
 * @param {string} path
 */
function runAsChild(path) {
  const child = spawn(PINNED_NODE, ['--conditions=@svc/source', path, ...process.argv.slice(2)], {
    cwd: PROJECT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
    env: { ...process.env, PATH: `${join(PROJECT, 'node_modules', '.bin')}:${process.env['PATH']}` },
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}
