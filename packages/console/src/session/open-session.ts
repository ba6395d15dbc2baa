import { Authorization } from './authorization.ts';
import { loadConfig } from './config.ts';
import { Session } from './session.ts';

/** Initial state of the page. */
export type Opening =
  | { readonly kind: 'signed-in'; readonly session: Session }
  /** The user has signed out. */
  | { readonly kind: 'signed-out'; readonly signIn: () => Promise<void> }
  /** The browser is on its way to the authorization server. */
  | { readonly kind: 'leaving' };

/** Signs in: immediately on most paths of the console, on request at `signed-out`. Throws if that fails. */
export async function openSession(): Promise<Opening> {
  if (!isSecureContext)
    throw new Error(
      'This address is not secure: browsers sign in only by HTTPS, or on the machine itself by http://localhost or http://127.0.0.1.',
    );
  const authorization = await Authorization.discover(await loadConfig());
  const base = import.meta.env.BASE_URL;
  if (location.pathname === `${base}signed-out`) return { kind: 'signed-out', signIn: () => authorization.begin(base) };
  if (location.pathname !== `${base}callback`) {
    await authorization.begin(`${location.pathname}${location.search}`);
    return { kind: 'leaving' };
  }
  const { tokens, returnTo } = await authorization.finish(new URL(location.href));
  // The code can be used once; the back button must not return to it.
  history.replaceState(null, '', returnTo);
  return { kind: 'signed-in', session: new Session(authorization, tokens) };
}
