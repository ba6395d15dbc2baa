import type { Page } from 'playwright-core';

import { closeWindow, openPage, signIn, SUBJECT, type ConsoleWorld } from './console-world.ts';

/** Access tokens of the local stack last ten minutes. */
const PAST_THE_TOKEN_MS = 11 * 60_000;

/** Signing in, staying signed in, and signing out. */
export function signInTests(world: () => ConsoleWorld): void {
  test('whoever opens a page signs in and comes back to it; no token is stored anywhere', async () => {
    const page = await openPage(world().browser, {}, []);
    await page.goto(`${world().origin}/console/audit`);
    await page.getByLabel('Subject').waitFor();
    expect(new URL(page.url()).origin).toBe(world().authorizationOrigin);
    await signIn(page, SUBJECT);
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    expect(page.url()).toBe(`${world().origin}/console/audit`);
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(stored).toBe('[{},{},""]');
    expect((await page.context().cookies(world().origin)).filter(({ name }) => !name.startsWith('_'))).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await page.getByRole('button', { name: `Account: ${SUBJECT}` }).waitFor();
    await closeWindow(page);
  });

  test('a cancelled sign-in is explained, and can be tried again', async () => {
    const page = await openPage(world().browser, {}, []);
    await page.goto(`${world().origin}/console/`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'You could not be signed in' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('cancelled');
    await page.getByRole('button', { name: 'Try again' }).click();
    await signIn(page, SUBJECT);
    await closeWindow(page);
  });

  test('an answer of a sign-in that this window has not begun is refused', async () => {
    const page = await openPage(world().browser, {}, []);
    await page.goto(`${world().origin}/console/callback?code=stolen&state=guessed`);
    await page.getByRole('heading', { name: 'You could not be signed in' }).waitFor();
    await closeWindow(page);
  });

  test('the back button leads to the page before, also after a reload', async () => {
    const page = await world().open('/keys');
    await page.getByRole('link', { name: 'Applications' }).click();
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    const entries = await page.evaluate('history.length');
    await page.reload();
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    expect(await page.evaluate('history.length')).toBe(entries);
    await page.goBack();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await world().leave(page);
  });

  test('an authorization server that is not reached, or answers with an error, is named', async () => {
    const page = await openPage(world().browser, {}, []);
    await page.route(`${world().authorizationOrigin}/**`, (route) => route.abort());
    await page.goto(`${world().origin}/console/`);
    await page.getByRole('alert').getByText(`The authorization server at ${world().authorizationOrigin} could not be reached`).waitFor();
    await page.unrouteAll();
    await page.route(`${world().authorizationOrigin}/**`, (route) => route.fulfill({ status: 503, body: 'away' }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText(`The authorization server at ${world().authorizationOrigin} gave an answer`).waitFor();
    await closeWindow(page);
  });

  test('a browser that lets pages store nothing is told that signing in needs it', async () => {
    const page = await openPage(world().browser, {}, []);
    const refuse = "get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); }";
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { ${refuse} });`);
    await page.goto(`${world().origin}/console/`);
    await page.getByRole('alert').getByText('Allow cookies and site data').waitFor();
    await closeWindow(page);
  });

  test('after signing out, somebody else can sign in', async () => {
    const page = await world().open('/keys', { subject: 'carol' });
    await chooseInAccountMenu(page, 'Sign out');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signIn(page, 'bob');
    await page.getByRole('button', { name: 'Account: bob' }).waitFor();
    await closeWindow(page);
  });

  test('a token is renewed without a word, until the session is over; then a new sign-in leads back to the page', async () => {
    const page = await openPage(world().browser, {}, []);
    await page.clock.install();
    await page.goto(`${world().origin}/console/audit`);
    await signIn(page, SUBJECT);
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${world().origin}/console/keys`);
    await other.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await page.clock.fastForward(PAST_THE_TOKEN_MS);
    const renewal = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/token'));
    await page.getByRole('link', { name: 'API keys' }).click();
    await renewal;
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();

    await chooseInAccountMenu(other, 'Sign out');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.clock.fastForward(PAST_THE_TOKEN_MS);
    // The dialog may appear before the click, if the page has sent a request already.
    await page.getByRole('link', { name: 'Applications' }).dispatchEvent('click');
    const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' });
    await page.clock.setSystemTime(new Date());
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    await signIn(page, SUBJECT);
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    await closeWindow(page);
  });
}

/** Opens the menu of the one who has signed in, and chooses from it. */
export async function chooseInAccountMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole(name === 'Sign out' ? 'menuitem' : 'menuitemradio', { name }).click();
}
