import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { chromium, type Browser } from 'playwright-core';

const run = promisify(execFile);

/** Names of the program, in the order of preference. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const INSTALL_TIMEOUT_MS = 300_000;
const ADVICE =
  'The tests of the console need Chromium: on Debian, "apt-get install chromium" as root; elsewhere, install Chromium or Chrome, or set SVC_TEST_BROWSER to the program.';

/** Starts headless Chromium. Rejects with instructions if it is missing and cannot be installed. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await provideBrowser();
  // Chromium's sandbox does not work as root. The pages are our own.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

async function provideBrowser(): Promise<string> {
  const given = process.env['SVC_TEST_BROWSER'] ?? '';
  if (given !== '') {
    if (isProgram(given)) return given;
    throw new Error(`SVC_TEST_BROWSER cannot be used: ${given} is no program.`);
  }
  const found = findProgram(PROGRAMS);
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || findProgram(['apt-get']) === undefined) throw new Error(ADVICE);
  await installChromium();
  const installed = findProgram(PROGRAMS);
  if (installed === undefined) throw new Error(ADVICE);
  return installed;
}

async function installChromium(): Promise<void> {
  const options = { timeout: INSTALL_TIMEOUT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    await run('apt-get', ['update', '-qq'], options);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
  } catch (error) {
    throw new Error(`Chromium could not be installed. ${ADVICE}`, { cause: error });
  }
}

function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
