import { eventually } from '@svc/test-kit';
import type { Page } from 'playwright-core';

import { SUBJECT, type ConsoleWorld } from './console-world.ts';
import { createKey, inDays } from './test-data.ts';

const DAY_MS = 86_400_000;
/** The list of keys, any page. */
const LIST = /\/admin\/keys(\?|$)/;

interface Key {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly status: string;
  readonly expiresAt: string;
  readonly scopes: readonly string[];
  readonly rateLimit: object | null;
}

/** Tests of all actions on keys. */
export function keyTests(world: () => ConsoleWorld): void {
  const find = async (name: string): Promise<Key | undefined> =>
    ((await world().call('GET', '/keys')).body as readonly Key[]).find((key) => key.name === name);
  const reveal = async (id: string): Promise<unknown> => ((await world().call('POST', `/keys/${id}/reveal`)).body as { key: string }).key;

  test('a key is created with a term, scopes and a limit, and its text is shown', async () => {
    const page = await world().open('/keys');
    await page.getByRole('link', { name: 'Create a key' }).first().click();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await eventually(async () => expect(await isInvalid(page, 'Name')).toBe(true));
    await page.getByLabel('Name').fill('Made in a browser');
    await page.getByRole('checkbox', { name: 'orders:read' }).check({ force: true });
    await page.getByRole('checkbox', { name: 'Limit how often' }).check({ force: true });
    await page.getByRole('textbox', { name: 'Calls' }).fill('7');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('heading', { name: 'Key created' }).waitFor();
    const shown = await page.getByRole('region', { name: 'The new key' }).locator('.key-new code').textContent();
    const key = await find('Made in a browser');
    expect(key).toMatchObject({ active: true, status: 'active', scopes: ['orders:read'], rateLimit: { requests: 7, seconds: 60 } });
    expect(Math.round((Date.parse(key?.expiresAt ?? '') - Date.now()) / DAY_MS)).toBe(90);
    expect(await reveal(key?.id ?? '')).toBe(shown);
    await page.getByRole('link', { name: 'See the key' }).click();
    await page.getByRole('heading', { name: 'Made in a browser' }).waitFor();
    await world().leave(page);
  });

  test('a term of more than a year is warned of, and one in the past refused', async () => {
    const page = await world().open('/keys/new');
    await page.getByLabel('Name').fill('Long');
    await page.getByRole('radio', { name: 'Another date' }).check({ force: true });
    const year = page.getByRole('spinbutton', { name: /^year/ });
    await year.fill(String(new Date().getFullYear() + 3));
    await page.getByText('More than a year is a long time').waitFor();
    await year.fill(String(new Date().getFullYear() - 1));
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('Choose a moment in the future.').waitFor();
    expect(await find('Long')).toBeUndefined();
    await world().leave(page);
  });

  test('the list hides a key, reveals it on request and copies it', async () => {
    const { key } = await createKey(world(), { name: 'To copy' });
    const page = await world().open('/keys');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world().origin });
    const row = page.getByRole('row', { name: /To copy/ });
    await row.waitFor();
    expect(await page.content()).not.toContain(key);
    await row.getByRole('button', { name: 'Reveal the key To copy' }).click();
    await row.getByText(key).waitFor();
    await row.getByRole('button', { name: 'Hide the key To copy' }).click();
    expect(await page.content()).not.toContain(key);
    await row.getByRole('button', { name: 'Copy the key To copy' }).click();
    await page.getByRole('status').getByText('is in the clipboard').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await world().leave(page);
  });

  test('a copy that the browser does not allow shows the key instead', async () => {
    const { key } = await createKey(world(), { name: 'Not to copy' });
    const page = await world().open('/keys');
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))');
    await page.getByRole('button', { name: 'Copy the key Not to copy' }).click();
    await page
      .getByRole('row', { name: /Not to copy/ })
      .getByText(key)
      .waitFor();
    await page.getByText('The browser did not allow the copy').waitFor();
    await world().leave(page);
  });

  test('a key is deactivated and activated', async () => {
    const { id } = await createKey(world(), { name: 'Switch' });
    const page = await world().open(`/keys/${id}`);
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
    expect(await find('Switch')).toMatchObject({ active: false, status: 'inactive' });
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByRole('button', { name: 'Deactivate' }).waitFor();
    expect(await find('Switch')).toMatchObject({ active: true, status: 'active' });
    await world().leave(page);
  });

  test('name, end and limit of a key are edited, and what nobody touched stays', async () => {
    const end = inDays(20);
    const { id } = await createKey(world(), { name: 'Before', expiresAt: end });
    const page = await world().open(`/keys/${id}`);
    await page.getByRole('button', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit "Before"' });
    await dialog.getByLabel('Name').fill('After');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'After' }).waitFor();
    expect(await find('After')).toMatchObject({ id, expiresAt: end, rateLimit: null });
    await page.getByRole('button', { name: 'Edit…' }).click();
    await page.getByRole('checkbox', { name: 'Limit how often' }).check({ force: true });
    const year = new Date(end).getFullYear() + 2;
    await page.getByRole('spinbutton', { name: /^year/ }).fill(String(year));
    await page.getByText('More than a year is a long time').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('100 calls in 60 seconds').waitFor();
    expect(new Date((await find('After'))?.expiresAt ?? '').getFullYear()).toBe(year);
    await world().leave(page);
  });

  test('a key is rotated, and the new text shown', async () => {
    const { id, key } = await createKey(world(), { name: 'Rotate me' });
    const page = await world().open(`/keys/${id}`);
    await page.getByRole('button', { name: 'Rotate…' }).click();
    await page.getByRole('radio', { name: '1 day' }).check({ force: true });
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    const dialog = page.getByRole('dialog', { name: 'The key is rotated' });
    await dialog.getByText('The old key works for another 1 day.').waitFor();
    const shown = await dialog.locator('code').textContent();
    expect(shown).not.toBe(key);
    expect(shown).toBe(await reveal(id));
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await world().leave(page);
  });

  test('a double click, or Enter pressed again, makes one key, one rotation and one entry of a reveal', async () => {
    const page = await world().open('/keys/new');
    const gate = Promise.withResolvers<void>();
    await page.route(LIST, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.getByLabel('Name').fill('Made once');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    gate.resolve();
    await page.getByRole('link', { name: 'See the key' }).click();
    await page.getByRole('button', { name: 'Reveal the key Made once' }).dblclick();
    await page.getByRole('button', { name: 'Rotate…' }).click();
    await page.getByRole('button', { name: 'Rotate the key' }).dblclick();
    const shown = await page.getByRole('dialog', { name: 'The key is rotated' }).locator('code').textContent();
    const made = ((await world().call('GET', '/keys')).body as readonly Key[]).filter((key) => key.name === 'Made once');
    expect(made).toHaveLength(1);
    const { id = '' } = made[0] ?? {};
    const entries = ((await world().call('GET', '/audit')).body as readonly { action: string; target: string }[])
      .filter(({ target }) => target === `key ${id}`)
      .map(({ action }) => action);
    expect(entries).toEqual(['key.rotate', 'key.reveal', 'key.create']);
    expect(shown).toBe(await reveal(id));
    await world().leave(page);
  });

  test('a key that was revealed and then rotated is hidden again, and its copy is the new text', async () => {
    const { id, key } = await createKey(world(), { name: 'Revealed' });
    const page = await world().open(`/keys/${id}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world().origin });
    await page.getByRole('button', { name: 'Reveal the key Revealed' }).click();
    await page.getByText(key).waitFor();
    await page.getByRole('button', { name: 'Rotate…' }).click();
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Copy the key Revealed' }).click();
    await page.getByText('is in the clipboard').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await reveal(id));
    expect(await page.content()).not.toContain(key);
    await world().leave(page);
  });

  test('without a network a rotation fails, and is not made when the network is back', async () => {
    const { id, key } = await createKey(world(), { name: 'Offline' });
    const page = await world().open(`/keys/${id}`, { viewport: { width: 1280, height: 800 } });
    await page.getByRole('button', { name: 'Rotate…' }).click();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    await page.getByRole('alert').getByText('The key may have been rotated').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await page.getByRole('table').waitFor();
    expect(await reveal(id)).toBe(key);
    await world().leave(page);
  });

  test('a deactivation that failed is said until the next try', async () => {
    const { id } = await createKey(world(), { name: 'Leaked' });
    const page = await world().open(`/keys/${id}`);
    await page.route(`**/admin/keys/${id}`, (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()));
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('alert').getByText('The key may still work').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await world().leave(page);
  });

  test('a change that somebody else makes while a key is edited is not undone', async () => {
    const { id } = await createKey(world(), { name: 'Edited twice' });
    const page = await world().open('/keys', { viewport: { width: 1280, height: 800 } });
    await page.clock.install();
    await page.getByRole('link', { name: 'Edited twice' }).click();
    await page.getByRole('button', { name: 'Edit…' }).click();
    await world().call('PATCH', `/keys/${id}`, { name: 'Edited by another' });
    await page.clock.fastForward(10_000);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    const dialog = page.getByRole('dialog', { name: 'Edit "Edited by another"' });
    await dialog.getByRole('checkbox', { name: 'Limit how often' }).check({ force: true });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('100 calls in 60 seconds').waitFor();
    expect(await find('Edited by another')).toMatchObject({ id, rateLimit: { requests: 100, seconds: 60 } });
    await world().leave(page);
  });

  test('a key is deleted once that is confirmed; its page says then that it is gone', async () => {
    const { id } = await createKey(world(), { name: 'Delete me' });
    const page = await world().open(`/keys/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep the key' }).click();
    expect(await find('Delete me')).toBeDefined();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('alertdialog', { name: 'Delete "Delete me"?' }).getByRole('button', { name: 'Delete the key' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    expect(await find('Delete me')).toBeUndefined();
    await page.goto(`${world().origin}/console/keys/${id}`);
    await page.getByRole('heading', { name: 'This key does not exist' }).waitFor();
    await world().leave(page);
  });

  test('a key that has expired can be renamed, and is not said to work when it is activated', async () => {
    const { id } = await createKey(world(), { name: 'Expired', active: false, expiresAt: inDays(1 / 86_400) });
    await eventually(async () => expect((await find('Expired'))?.status).toBe('expired'));
    const page = await world().open(`/keys/${id}`);
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('The key has expired: it works again with a new end only.').waitFor();
    await page.getByRole('button', { name: 'Edit…' }).click();
    await page.getByLabel('Name').fill('Expired and renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The changes are saved.').waitFor();
    expect(await find('Expired and renamed')).toMatchObject({ id, active: true, status: 'expired' });
    await world().leave(page);
  });

  test('a key that expires while its page is open is shown as expired', async () => {
    const subject = 'watcher';
    await createKey(world(), { name: 'Short', expiresAt: inDays(1 / 24) }, subject);
    const page = await world().open('/keys', { subject, viewport: { width: 1280, height: 800 } });
    await page.clock.install();
    await page.reload();
    await page.getByRole('row', { name: /Short Active/ }).waitFor();
    // No answer, so that the page has what it had loaded.
    await page.route(LIST, (route) => route.abort());
    await page.clock.fastForward('02:00:00');
    await page.getByRole('row', { name: /Short Expired/ }).waitFor();
    await page.getByRole('radio', { name: 'Active', exact: true }).check({ force: true });
    await page.getByRole('heading', { name: 'No key fits' }).waitFor();
    await world().leave(page);
  });

  test('keys are found by text and status', async () => {
    await createKey(world(), { name: 'Findable one' });
    await createKey(world(), { name: 'Findable two', active: false });
    const page = await world().open('/keys');
    await page.getByLabel(/^Find keys/).fill('findable');
    const rows = page.getByRole('table', { name: 'API keys' }).getByRole('rowheader');
    await page.getByRole('status').getByText(/^2 of/).waitFor();
    expect(await rows.allTextContents()).toEqual([expect.stringContaining('Findable one'), expect.stringContaining('Findable two')]);
    await page.getByRole('radio', { name: 'Inactive', exact: true }).check({ force: true });
    await page.getByRole('status').getByText(/^1 of/).waitFor();
    await page.getByLabel(/^Find keys/).fill('nothing like it');
    await page.getByRole('heading', { name: 'No key fits' }).waitFor();
    await page.getByRole('button', { name: 'Show all keys' }).click();
    await page.getByRole('row', { name: /Findable two/ }).waitFor();
    await world().leave(page);
  });

  test('the way back from a key leads to the keys that were found', async () => {
    const { id } = await createKey(world(), { name: 'Found again', active: false });
    const page = await world().open('/keys');
    await page.getByLabel(/^Find keys/).click();
    await page.keyboard.type('found AGAIN');
    await page.getByRole('radio', { name: 'Inactive', exact: true }).check({ force: true });
    await page.getByRole('link', { name: 'Found again' }).click();
    await page.getByRole('button', { name: 'Edit…' }).waitFor();
    expect(page.url()).toBe(`${world().origin}/console/keys/${id}`);
    await page.goBack();
    await page.getByRole('status').getByText(/^1 of/).waitFor();
    expect(await page.getByLabel(/^Find keys/).inputValue()).toBe('found AGAIN');
    expect(await page.getByRole('radio', { name: 'Inactive', exact: true }).isChecked()).toBe(true);
    await world().leave(page);
  });

  test('a list of more than a page is loaded page by page', async () => {
    const subject = 'collector';
    for (const name of ['First', 'Second', 'Third']) await world().call('POST', '/keys', { name }, subject);
    const page = await world().open('/applications', { subject });
    // Pages of two keys, where the console requests more.
    await page.route(LIST, (route) => route.continue({ url: route.request().url().replace('limit=1000', 'limit=2') }));
    await page.getByRole('link', { name: 'API keys' }).click();
    const rows = page.getByRole('table', { name: 'API keys' }).getByRole('rowheader');
    await rows.nth(1).waitFor();
    expect(await rows.allTextContents()).toEqual([expect.stringContaining('First'), expect.stringContaining('Second')]);
    await page.getByRole('button', { name: 'Load more keys' }).click();
    await rows.nth(2).waitFor();
    expect(await rows.nth(2).textContent()).toContain('Third');
    await page.getByRole('button', { name: 'Load more keys' }).waitFor({ state: 'detached' });
    await world().leave(page);
  });

  test('a search is one of all keys, and a page is loaded also when the key before it was deleted', async () => {
    const subject = 'searcher';
    const keys = [];
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) keys.push(await createKey(world(), { name }, subject));
    const page = await world().open('/applications', { subject });
    await page.route(LIST, (route) => route.continue({ url: route.request().url().replace('limit=1000', 'limit=2') }));
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('2 keys, more not loaded').waitFor();
    await world().call('DELETE', `/keys/${keys[1]?.id ?? ''}`, undefined, subject);
    await page.getByLabel(/^Find keys/).fill('six');
    await page.getByRole('row', { name: /Six/ }).waitFor();
    await page.getByRole('status').getByText('1 of 5 keys', { exact: true }).waitFor();
    await page.getByLabel(/^Find keys/).fill('seven');
    await page.getByRole('heading', { name: 'No key fits' }).waitFor();
    await world().leave(page);
  });

  test('without keys, the list says what to do', async () => {
    const page = await world().open('/keys', { subject: 'newcomer' });
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await page.getByRole('link', { name: 'Create a key' }).click();
    await page.getByRole('heading', { name: 'Create a key' }).waitFor();
    await page.getByText('No scopes to pick from').waitFor();
    await world().leave(page);
  });

  test('a gateway that is not reached is explained, and another try works', async () => {
    const page = await world().open('/applications');
    await page.route(LIST, (route) => route.abort());
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('The gateway could not be reached').waitFor();
    await page.unroute(LIST);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    await world().leave(page);
  });

  test('the audit log shows who did what, older entries on request', async () => {
    const { id } = await createKey(world(), { name: 'Audited' });
    // Sequentially per key: a change without effect is not an entry.
    const others = await Promise.all(Array.from({ length: 5 }, (_, i) => createKey(world(), { name: `Audited ${i}` })));
    const change = async (key: string): Promise<void> => {
      for (let turn = 0; turn < 10; turn++) await world().call('PATCH', `/keys/${key}`, { active: turn % 2 === 1 });
    };
    await Promise.all([id, ...others.map((other) => other.id)].map(change));
    const page = await world().open('/audit');
    const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('rowheader');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(50);
    expect(await page.getByRole('cell').nth(1).textContent()).toContain(SUBJECT);
    await page.getByRole('button', { name: 'Show older entries' }).click();
    await rows.nth(60).waitFor();
    await page
      .getByRole('row', { name: /Key deactivated/ })
      .getByRole('link', { name: id })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Audited' }).waitFor();
    await page.getByRole('button', { name: 'Reveal the key Audited' }).click();
    await page.getByRole('button', { name: 'Hide the key Audited' }).waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    const newest = page.getByRole('row', { name: /Key revealed/ }).filter({ hasText: id });
    await newest.getByText('just now').waitFor();
    await world().leave(page);
  });
}

async function isInvalid(page: Page, label: string): Promise<boolean> {
  return (await page.getByLabel(label).getAttribute('aria-invalid')) === 'true';
}
