import type { TokenSource } from '@svc/api-client';

import { CommandError } from '../failures/cli-errors.ts';
import { changeTokens, readTokens, type StoredTokens } from './token-store.ts';

/** Tokens are renewed this long before they expire, so that they outlive requests in progress. */
const RENEW_BEFORE_MS = 30_000;

/** Returns the tokens of a profile's user. Renewed ones are stored for the next command. */
export function openSession(folder: string, profile: string): TokenSource {
  let latest: StoredTokens | undefined;
  const renew = async (): Promise<string> => {
    const refused = latest?.accessToken;
    latest = await changeTokens(folder, profile, async (stored) => {
      if (stored === undefined) throw notSignedIn(profile);
      // Another process was quicker.
      return stored.accessToken !== refused && isFresh(stored) ? stored : refreshStored(stored, profile);
    });
    if (latest === undefined) throw signedOut(profile);
    return latest.accessToken;
  };
  return {
    accessToken: async () => {
      latest ??= await readTokens(folder, profile);
      if (latest === undefined) throw notSignedIn(profile);
      return isFresh(latest) ? latest.accessToken : renew();
    },
    renew,
  };
}

async function refreshStored(stored: StoredTokens, profile: string): Promise<StoredTokens | undefined> {
  if (stored.refreshToken === undefined) throw signedOut(profile);
  // Most commands need no library for OAuth.
  const { discover, refresh } = await import('./authorization.ts');
  return refresh(await discover(stored), stored.refreshToken);
}

function isFresh({ expiresAt }: StoredTokens): boolean {
  return Date.now() < expiresAt - RENEW_BEFORE_MS;
}

function notSignedIn(profile: string): CommandError {
  return new CommandError(`You are not signed in${ofProfile(profile)}: svc login does that; SVC_TOKEN takes an access token instead.`);
}

function signedOut(profile: string): CommandError {
  return new CommandError(`Your sign-in${ofProfile(profile)} is over: svc login begins a new one.`);
}

function ofProfile(profile: string): string {
  return profile === 'default' ? '' : ` with the profile ${JSON.stringify(profile)}`;
}
