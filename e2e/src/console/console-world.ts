import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { freeSettings, startStack, tokenOf } from '../stack.ts';
import { launchBrowser } from './browser.ts';

/** A stack, a browser, and what the console's tests need of both. */
export interface ConsoleWorld {
  /** The origin of the gateway. */
  readonly origin: string;
  readonly authorizationOrigin: string;
  readonly browser: Browser;
  /** Calls the administration's API as a subject, with a path below `/svc/1/api/admin`. */
  readonly call: (method: string, path: string, body?: unknown, subject?: string) => Promise<ApiAnswer>;
  /** A token that is good, but not for the administration. */
  readonly tokenWithoutScope: () => Promise<string>;
  /** Calls the executor as a subject. */
  readonly putPackage: (name: string, text: string, subject?: string) => Promise<void>;
  /**
   * Opens a path of the console, signed in, and reloads it. Without options it reuses a window that was left, if there is
   * one, whose cache makes loading faster.
   */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>;
  /** Releases a window. One of the usual kind is reused. */
  readonly leave: (page: Page) => Promise<void>;
  /** Returns the errors of pages since the last call: policy violations, script errors. */
  readonly takeComplaints: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** An answer of the API. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The user, and the options of the window. */
export interface OpenOptions extends BrowserContextOptions {
  readonly subject?: string;
}

/** Subject whose namespace the tests use. */
export const SUBJECT = 'ann';

/** Starts a stack with a console. */
export async function openConsoleWorld(): Promise<ConsoleWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-console-'));
  const settings: Readonly<Record<string, string>> = await freeSettings(dataDir);
  // The stack builds the console itself, as it does for an operator.
  const stack = startStack({ ...settings, SVC_CONSOLE_DIR: '' });
  const [browser] = await Promise.all([launchBrowser(), stack.ready]);
  const at = (area: string): string => `http://127.0.0.1:${settings[`SVC_${area}_PORT`] ?? ''}`;
  const origin = at('GATEWAY');
  const complaints: string[] = [];
  /** Cookies of those who have signed in, so that each does so once. */
  const sessions = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>();
  /** Idle windows with default options, and their users. */
  const idle = new Map<string, Page[]>();
  const usual = new Map<Page, string>();
  const tokens = new Map<string, Promise<string>>();
  const tokenFor = (subject: string): Promise<string> => {
    const token = tokens.get(subject) ?? tokenOf(settings, '--sub', subject, '--scope', 'svc:admin');
    tokens.set(subject, token);
    return token;
  };
  const headersFor = async (subject: string) => ({ Authorization: `Bearer ${(await tokenFor(subject)).trim()}` });
  return {
    origin,
    authorizationOrigin: at('AUTHORIZATION'),
    browser,
    takeComplaints: () => complaints.splice(0),
    call: async (method, path, body, subject = SUBJECT) => {
      const isText = typeof body === 'string';
      const response = await fetch(`${origin}/svc/1/api/admin${path}`, {
        method,
        headers: { ...(await headersFor(subject)), 'Content-Type': isText ? 'application/yaml' : 'application/json' },
        ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    },
    tokenWithoutScope: async () => (await tokenOf(settings, '--sub', SUBJECT)).trim(),
    putPackage: async (name, text, subject = SUBJECT) => {
      const headers = { ...(await headersFor(subject)), 'Content-Type': 'text/plain' };
      const response = await fetch(`${at('EXECUTOR')}/packages/${name}?replace=true`, { method: 'PUT', headers, body: text });
      if (!response.ok) throw new Error(`The package was not put: ${await response.text()}`);
    },
    open: async (path, { subject = SUBJECT, ...options } = {}) => {
      const isUsual = Object.keys(options).length === 0;
      const left = isUsual ? idle.get(subject)?.pop() : undefined;
      if (left !== undefined) {
        await left.goto(`${origin}/console${path}`);
        await left.locator('#areas').waitFor({ state: 'attached' });
        return left;
      }
      const session = sessions.get(subject);
      const page = await openPage(browser, { ...options, ...(session === undefined ? {} : { storageState: session }) }, complaints);
      await page.goto(`${origin}/console${path}`);
      if (session === undefined) {
        await signIn(page, subject);
        sessions.set(subject, await page.context().storageState());
      } else await page.locator('#areas').waitFor({ state: 'attached' });
      if (isUsual) usual.set(page, subject);
      return page;
    },
    leave: async (page) => {
      const subject = usual.get(page);
      if (subject === undefined) return closeWindow(page);
      await page.unrouteAll();
      idle.set(subject, [...(idle.get(subject) ?? []), page]);
    },
    close: async () => {
      await browser.close();
      if (stack.process.exitCode === null && stack.process.signalCode === null) stack.process.kill('SIGTERM');
      await stack.ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Opens a window without cookies, and collects the errors of its pages. */
export async function openPage(browser: Browser, options: BrowserContextOptions, complaints: string[]): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });
  context.setDefaultTimeout(15_000);
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('console', (message) => {
    // A rejected request is logged to the console, too; tests of those check the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  return context.newPage();
}

/** Fills in the sign-in page of the authorization server, and waits for the console. */
export async function signIn(page: Page, subject: string): Promise<void> {
  await page.getByLabel('Subject').fill(subject);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // Hidden in a narrow window.
  await page.locator('#areas').waitFor({ state: 'attached' });
}

/** Closes the window of a page. */
export async function closeWindow(page: Page): Promise<void> {
  await page.context().close();
}
