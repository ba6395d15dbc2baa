import { type ConsoleWorld } from './console-world.ts';

/** Applications as the console shows them. */
export function applicationTests(world: () => ConsoleWorld): void {
  test('an application shows its endpoints, its scopes and what is wrong with it', async () => {
    const page = await world().open('/applications');
    const row = page.getByRole('row', { name: /Shop/ });
    await row.getByText('1 problem').waitFor();
    await row.getByText('4 (1 public, 3 private)').waitFor();
    await row.getByRole('link', { name: 'Shop' }).click();
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    await page.getByText('One thing is wrong').waitFor();
    await page.getByText('/endpoints/2/function').waitFor();
    const endpoints = page.getByRole('table', { name: 'Endpoints' });
    await endpoints
      .getByRole('row', { name: /GET \/orders\/\{id\}\/lines/ })
      .getByText('orders:read')
      .waitFor();
    await endpoints
      .getByRole('row', { name: /GET \/status/ })
      .getByText('Public')
      .waitFor();
    await page.getByText('See orders and their lines.').waitFor();
    await page.getByRole('button', { name: 'Definition' }).click();
    await page.getByRole('region', { name: 'Definition' }).getByText('application: shop').waitFor();
    await world().leave(page);
  });

  test('without applications, the page says how one is made; one that does not exist is said to be gone', async () => {
    const page = await world().open('/applications', { subject: 'newcomer' });
    await page.getByRole('heading', { name: 'No applications yet' }).waitFor();
    // Another namespace's application does not exist.
    await page.goto(`${world().origin}/console/applications/shop`);
    await page.getByRole('heading', { name: 'This application does not exist' }).waitFor();
    await page.goto(`${world().origin}/console/nothing/here`);
    await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor();
    await world().leave(page);
  });
}
