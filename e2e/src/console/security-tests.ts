import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { eventually } from '@svc/test-kit';

import { closeWindow, openPage, type ConsoleWorld } from './console-world.ts';
import { goTo } from './layout-tests.ts';
import { createKey } from './test-data.ts';

const MARKUP = '<img src=x onerror="window.attacked=true"><script>window.attacked=true</script>';

/** Tests of attacks by other sites, and by users who choose names. */
export function securityTests(world: () => ConsoleWorld): void {
  test('names that are markup are shown as text, on every page', async () => {
    const subject = '<b onmouseover="window.attacked=true">eve</b>';
    const { id } = await createKey(world(), { name: MARKUP }, subject);
    const definition = { application: 'markup', title: MARKUP, description: MARKUP, scopes: [{ name: 'a:b', description: MARKUP }] };
    expect((await world().call('PUT', '/applications/markup', JSON.stringify(definition), subject)).status).toBe(200);
    const page = await world().open('/keys', { subject });
    for (const path of ['/keys', `/keys/${id}`, '/keys/new', '/applications', '/applications/markup', '/audit']) {
      await goTo(page, path);
      await page
        .getByRole('main')
        .getByText(path === '/audit' ? 'Key created' : MARKUP, { exact: false })
        .first()
        .waitFor();
      expect(await page.evaluate('window.attacked')).toBeUndefined();
      expect(await page.locator('main img, main script, main b').count()).toBe(0);
    }
    await goTo(page, `/keys/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('alertdialog').getByText(MARKUP).waitFor();
    await page.getByRole('button', { name: 'Delete the key' }).click();
    await page.getByText(`The key "${MARKUP}" is deleted.`).waitFor();
    await world().leave(page);
  });

  test('another site cannot put the console into a frame', async () => {
    const complaints: string[] = [];
    const page = await openPage(world().browser, {}, complaints);
    const site = createServer((_req, res) => {
      res.setHeader('Content-Type', 'text/html').end(`<iframe src="${world().origin}/console/" title="trap"></iframe>`);
    }).listen(0, '127.0.0.1');
    try {
      await once(site, 'listening');
      const { port } = site.address() as AddressInfo; // a listening TCP server has this kind of address
      await page.goto(`http://127.0.0.1:${port}/`);
      await eventually(() => expect(complaints.join('\n')).toContain("frame-ancestors 'none'"));
      expect(await page.frameLocator('iframe').getByText('Loading the console').count()).toBe(0);
    } finally {
      site.close();
      await closeWindow(page);
    }
  });

  test('the API takes no cookie for a token, and no call of another site', async () => {
    const page = await world().open('/keys');
    const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const url = `${world().origin}/svc/1/api/admin/keys`;
    const forged = await fetch(url, {
      method: 'POST',
      headers: { Cookie: cookies, 'Content-Type': 'application/json', Origin: world().origin },
      body: '{"name": "forged"}',
    });
    expect([forged.status, forged.headers.get('Set-Cookie')]).toEqual([401, null]);
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://attacker.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBeNull();
    // The list is requested in pages: `?limit=…`.
    const sent = page.waitForRequest((request) => request.url().startsWith(url));
    await page.reload();
    expect(Object.keys(await (await sent).allHeaders())).not.toContain('cookie');
    await world().leave(page);
  });

  test('somebody without the scope sees why nothing is shown', async () => {
    const page = await world().open('/audit');
    await page.route('**/svc/1/api/admin/**', async (route) => {
      const headers = { ...(await route.request().allHeaders()), authorization: `Bearer ${await world().tokenWithoutScope()}` };
      await route.continue({ headers });
    });
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('alert').getByText('The API keys could not be loaded').waitFor();
    await page.getByRole('alert').getByText('svc:admin').waitFor();
    await world().leave(page);
  });
}
