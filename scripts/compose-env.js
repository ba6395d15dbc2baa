import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT } from './lib/project.js';

/** Fills the empty secrets of .env.example and writes .env. An existing .env is kept: its master key decrypts stored data. */
const target = join(PROJECT, '.env');
const filled = readFileSync(join(PROJECT, '.env.example'), 'utf8').replaceAll(
  /^(\w+)=$/gm,
  (_, /** @type {string} */ name) => `${name}=${secretFor(name)}`,
);
try {
  writeFileSync(target, filled, { flag: 'wx', mode: 0o600 });
  process.stdout.write('.env has new random secrets. Next: docker compose up --build\n');
} catch (error) {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  process.stderr.write('.env exists and is kept: its master key decrypts what is stored. Move it away to get new secrets.\n');
  process.exitCode = 1;
}

/** A master key is base64. The others are parts of URLs. */
function secretFor(/** @type {string} */ name) {
  return randomBytes(32).toString(name === 'SVC_MASTER_KEY' ? 'base64' : 'hex');
}
