import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { eventually } from '@svc/test-kit';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

import { closeWindow, openPage, type ConsoleWorld, type OpenOptions } from './console-world.ts';
import { chooseInAccountMenu } from './sign-in-tests.ts';
import { createKey } from './test-data.ts';

/** A kind of window, and the rules of axe that can find something in it that they do not find in the one before. */
interface Window {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
  /** All rules if undefined. */
  readonly rules?: readonly string[];
}

const WIDE = { width: 1280, height: 800 };
const PHONE: OpenOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true, isMobile: true };
/** Accessibility rules that depend on the window: colors, sizes and scrolling. */
const RULES_OF_WINDOWS = ['color-contrast', 'target-size', 'scrollable-region-focusable'];

/** Windows in which every page is checked. */
const WINDOWS: readonly Window[] = [
  { name: 'a light window', colorScheme: 'light', viewport: WIDE },
  { name: 'a dark window', colorScheme: 'dark', viewport: WIDE, rules: ['color-contrast'] },
  // 1280 × 1024 at 400 %, as the accessibility guidelines have it.
  { name: 'a window at 400 % zoom', colorScheme: 'light', viewport: { width: 320, height: 256 }, rules: RULES_OF_WINDOWS },
];

/** Tests of every page in every kind of window, for accessibility. */
export function layoutTests(world: () => ConsoleWorld): void {
  test.each<readonly [string, OpenOptions, readonly Window[]]>([
    ['a light, a dark and a narrow window', { viewport: WIDE }, WINDOWS],
    [
      'the window of a telephone',
      PHONE,
      [{ name: 'a telephone', colorScheme: 'dark', viewport: { width: 390, height: 844 }, rules: RULES_OF_WINDOWS }],
    ],
  ])('in %s every page is accessible, and nothing is cut off', async (name, options, windows) => {
    const { id } = await createKey(world(), { name: `${name}_${'x'.repeat(60)}`, scopes: ['orders:read', 'orders:write'] });
    const page = await world().open('/keys', options);
    const problems: string[] = [];
    const look = async (what: string): Promise<void> => void problems.push(...(await inspectIn(page, windows, what)));
    for (const path of ['/keys', '/keys/new', '/applications', '/applications/shop', '/audit']) {
      await goTo(page, path);
      await page.getByRole('main').getByRole('table').or(page.getByRole('checkbox')).first().waitFor();
      await look(path);
    }
    await goTo(page, `/keys/${id}`);
    await page.getByRole('button', { name: 'Rotate…' }).waitFor();
    await look('a key');
    for (const action of ['Edit…', 'Rotate…', 'Delete…']) {
      await page.getByRole('button', { name: action }).click();
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor();
      await look(action);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor({ state: 'detached' });
    }
    expect(problems).toEqual([]);
    await world().leave(page);
  });

  test('the pages of the authorization server are accessible, dark and at 400 % zoom', async () => {
    const page = await openPage(world().browser, {}, []);
    await page.goto(`${world().origin}/console/`);
    await page.getByLabel('Subject').waitFor();
    expect(await inspectIn(page, WINDOWS, 'sign-in')).toEqual([]);
    await page.getByLabel('Subject').fill('  ');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter a subject.').waitFor();
    expect(await inspectIn(page, WINDOWS, 'sign-in with a problem')).toEqual([]);
    await closeWindow(page);
  });

  test('colors follow the system, or the choice of the reader, which lasts', async () => {
    const page = await world().open('/keys', { colorScheme: 'light' });
    const background = async (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await background();
    expect(dark).not.toBe(light);
    await chooseInAccountMenu(page, 'Light');
    expect(await background()).toBe(light);
    await page.reload();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await background()).toBe(light);
    await world().leave(page);
  });

  test('a key is made, revealed, deactivated and deleted by keyboard alone, with the focus in sight', async () => {
    const page = await world().open('/keys', { subject: 'keyboard' });
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await tabTo(page, 'Skip to the content');
    await tabTo(page, 'Create a key');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Create a key' }).waitFor();
    await tabTo(page, 'Name');
    await page.keyboard.type('By keyboard');
    await tabTo(page, '90 days');
    await page.keyboard.press('ArrowLeft');
    await tabTo(page, 'Create the key');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Key created' }).waitFor();
    await tabTo(page, 'See the key');
    await page.keyboard.press('Enter');
    await page.getByText('in 30 days').waitFor();
    await tabTo(page, 'Reveal the key By keyboard');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Hide the key By keyboard' }).waitFor();
    await tabTo(page, 'Deactivate');
    await page.keyboard.press('Enter');
    await page.getByText('Inactive').waitFor();
    await tabTo(page, 'Delete…');
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    // The safe choice has the focus, and the dialog traps it.
    await expectFocus(page, 'Keep the key');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await expectFocus(page, 'Delete…');
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await tabTo(page, 'Delete the key');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await expectFocus(page, 'API keys');
    await world().leave(page);
  });

  test('in a narrow window the navigation opens, leads on and closes', async () => {
    const page = await world().open('/keys', { viewport: { width: 360, height: 640 } });
    const audit = page.getByRole('link', { name: 'Audit log' });
    expect(await audit.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Navigation' }).click();
    await audit.click();
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    expect(await audit.isVisible()).toBe(false);
    await world().leave(page);
  });
}

/** Navigates to a page without reloading the console. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the violations of the current page in several windows in turn; leaves it in the first. */
async function inspectIn(page: Page, windows: readonly Window[], what: string): Promise<readonly string[]> {
  const problems: string[] = [];
  const show = async ({ colorScheme, viewport }: Window): Promise<void> => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
  };
  for (const window of windows) {
    if (windows.length > 1) await show(window);
    problems.push(...(await inspect(page, `${what} in ${window.name}`, window.rules)));
  }
  const [first, ...others] = windows;
  if (first !== undefined && others.length > 0) await show(first);
  return problems;
}

/** Returns the violations of the page as shown, by all rules or by some. */
async function inspect(page: Page, what: string, rules?: readonly string[]): Promise<readonly string[]> {
  // Waits for animations: the contrast of changing colors is undefined.
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((a) => a.effect.getTiming().iterations !== Infinity).map((a) => a.finished.catch(() => {})))',
  );
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(await axe);
  const runOnly = rules === undefined ? { type: 'tag', values: STANDARDS } : { type: 'rule', values: rules };
  const run = { runOnly, resultTypes: ['violations'] };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(run)})`)) as AxeResults; // axe's own result, through JSON
  const [wanted, given] = (await page.evaluate('[document.documentElement.scrollWidth, window.innerWidth]')) as [number, number];
  return [
    ...violations.map(({ id, nodes }) => `${what}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    ...(wanted > given ? [`${what}: ${wanted} wide in a window of ${given}`] : []),
  ];
}

/** Presses Tab until the element with a name has the focus, and checks that the focus is visible. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await focusedName(page)) === name) {
      expect(await page.evaluate(FOCUS_IS_SEEN)).toBe(true);
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`No number of tabs leads to ${name}.`);
}

/** A radio or checkbox is drawn by an element around it. */
const FOCUS_IS_SEEN = `(() => {
  const marks = [document.activeElement, document.activeElement.closest('label'), ...(document.activeElement.closest('label')?.children ?? [])];
  return marks.some((mark) => mark !== null && getComputedStyle(mark).outlineStyle !== 'none' && getComputedStyle(mark).outlineWidth !== '0px');
})()`;

const FOCUSED_NAME = `(() => {
  const { activeElement: element } = document;
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
  return label.trim();
})()`;

/** The focus moves once what had it, or is to have it, is drawn. */
async function expectFocus(page: Page, name: string): Promise<void> {
  await eventually(async () => expect(await focusedName(page)).toBe(name), { timeoutMs: 10_000 });
}

async function focusedName(page: Page): Promise<unknown> {
  return page.evaluate(FOCUSED_NAME);
}
