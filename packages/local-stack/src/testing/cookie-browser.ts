/** A client with cookies that does not follow redirects: sufficient for a sign-in. */
export interface CookieBrowser {
  readonly get: (url: string | URL) => Promise<Response>;
  readonly post: (url: string | URL, form: Readonly<Record<string, string>>) => Promise<Response>;
  /** Follows redirects as long as they stay on the origin of `url`, and returns the last answer. */
  readonly follow: (url: string | URL, first: Response) => Promise<{ readonly url: URL; readonly response: Response }>;
}

/** Returns a browser without cookies. Cookies are sent to all paths. */
export function openCookieBrowser(): CookieBrowser {
  const cookies = new Map<string, string>();
  const send = async (url: string | URL, init: RequestInit): Promise<Response> => {
    const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const get: CookieBrowser['get'] = (url) => send(url, {});
  return {
    get,
    post: (url, form) => send(url, { method: 'POST', body: new URLSearchParams(form) }),
    follow: async (from, first) => {
      let [url, response] = [new URL(from), first];
      for (;;) {
        const location = response.headers.get('Location');
        if (location === null) return { url, response };
        const next = new URL(location, url);
        if (next.origin !== url.origin) return { url: next, response };
        [url, response] = [next, await get(next)];
      }
    },
  };
}
