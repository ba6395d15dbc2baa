import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { closeWindow, openConsoleWorld, type ConsoleWorld, type OpenOptions } from './console-world.ts';
import { createKey, inDays, putShop } from './test-data.ts';

const PROJECT = join(import.meta.dirname, '../../..');
/** Folder of all screenshots; ignored by git. */
const FOLDER = join(PROJECT, 'screenshots');
/** Screenshots used in docs/console.md, by their names in FOLDER. */
const DOCUMENTED: ReadonlySet<string> = new Set(['keys-light', 'key-dark', 'application-light']);

const WINDOWS: Readonly<Record<string, OpenOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1160, height: 720 } },
  dark: { colorScheme: 'dark', viewport: { width: 1160, height: 720 } },
  narrow: { colorScheme: 'light', viewport: { width: 360, height: 720 } },
};

/** Takes screenshots of every page of the console in three windows: `npm run screenshots`. */
await mkdir(FOLDER, { recursive: true });
await mkdir(join(PROJECT, 'docs', 'images'), { recursive: true });
const world = await openConsoleWorld();
try {
  const id = await putData(world);
  for (const [name, options] of Object.entries(WINDOWS)) await photograph(world, { name, options, id });
} finally {
  await world.close();
}
process.stdout.write(`The screenshots are in ${FOLDER}.\n`);

/** Creates an application and some keys, and returns the id of the key to show. */
async function putData(to: ConsoleWorld): Promise<string> {
  await putShop(to);
  const { id } = await createKey(to, { name: 'Mobile app, production', scopes: ['orders:read', 'orders:write'] });
  await createKey(to, {
    name: 'Nightly export',
    scopes: ['reports:run'],
    expiresAt: inDays(12),
    rateLimit: { requests: 100, seconds: 60 },
  });
  await createKey(to, { name: 'Partner: Northwind', active: false, expiresAt: inDays(300) });
  await createKey(to, { name: 'Dashboard', scopes: ['orders:read'], expiresAt: inDays(30) });
  await to.call('POST', `/keys/${id}/reveal`);
  return id;
}

interface Photographs {
  readonly name: string;
  readonly options: OpenOptions;
  readonly id: string;
}

async function photograph(of: ConsoleWorld, { name, options, id }: Photographs): Promise<void> {
  const page = await of.open('/keys', options);
  const main = page.getByRole('main');
  const goTo = (path: string): Promise<unknown> =>
    page.evaluate(`history.pushState(null, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
  const shoot = (what: string): Promise<void> => shootPage(page, `${what}-${name}`);
  await main.getByRole('table').waitFor();
  await shoot('keys');
  await goTo(`/keys/${id}`);
  await main.getByRole('button', { name: 'Rotate…' }).waitFor();
  await shoot('key');
  await main.getByRole('button', { name: 'Rotate…' }).click();
  await page.getByRole('dialog').waitFor();
  await shoot('rotate');
  await page.keyboard.press('Escape');
  await goTo('/keys/new');
  await main.getByRole('checkbox').first().waitFor();
  await shoot('new-key');
  await goTo('/applications');
  await main.getByRole('table').waitFor();
  await shoot('applications');
  await goTo('/applications/shop');
  await main.getByRole('heading', { name: 'Endpoints' }).waitFor();
  await shoot('application');
  await goTo('/audit');
  await main.getByRole('table').waitFor();
  await shoot('audit');
  await closeWindow(page);
}

async function shootPage(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
  if (DOCUMENTED.has(name)) await page.screenshot({ path: join(PROJECT, 'docs', 'images', `console-${name}.png`), animations: 'disabled' });
}
