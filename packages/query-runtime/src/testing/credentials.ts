import { NO_CREDENTIALS, type CredentialLookup, type CredentialUse, type HttpSecret, type RefreshedToken } from '@svc/sources';

/** Credentials of the callers of a test. */
export interface TestCredentials extends CredentialLookup {
  /** Registers a credential of a subject, replacing an earlier one. */
  readonly register: (subject: string, prefixUrl: string, secret: HttpSecret) => void;
  readonly registerToken: (subject: string, accessToken: string) => void;
  readonly uses: CredentialUse[];
  readonly saved: RefreshedToken[];
}

/** Creates credentials matched by URL prefix; refreshed tokens are stored unchanged. */
export function testCredentials(): TestCredentials {
  const http = new Map<string, { readonly prefixUrl: string; readonly identity: string; readonly secret: HttpSecret }>();
  const tokens = new Map<string, { readonly identity: string; readonly accessToken: string }>();
  const uses: CredentialUse[] = [];
  const saved: RefreshedToken[] = [];
  let last = 0;
  return {
    ...NO_CREDENTIALS,
    uses,
    saved,
    register: (subject, prefixUrl, secret) => {
      last += 1;
      http.set(`${subject} ${prefixUrl}`, { prefixUrl, identity: `c${last}`, secret });
    },
    registerToken: (subject, accessToken) => {
      last += 1;
      tokens.set(subject, { identity: `t${last}`, accessToken });
    },
    httpCredential: async (subject, url) => {
      const fitting = [...http].filter(([key, { prefixUrl }]) => key.startsWith(`${subject} `) && url.href.startsWith(prefixUrl));
      return fitting.toSorted(([, a], [, b]) => b.prefixUrl.length - a.prefixUrl.length)[0]?.[1] ?? null;
    },
    fileHostToken: async (subject) => tokens.get(subject) ?? null,
    saveRefreshedToken: async (refreshed) => {
      saved.push(refreshed);
      const key = `${refreshed.subject} ${refreshed.prefixUrl}`;
      const known = http.get(key);
      if (known?.secret.type !== 'oauth-token' || known.identity !== refreshed.identity) return;
      const { token, refreshToken } = refreshed;
      http.set(key, { ...known, secret: { ...known.secret, token, refreshToken: refreshToken ?? known.secret.refreshToken } });
    },
    used: (use) => void uses.push(use),
  };
}
