import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#1b2430, #e7ebf0); background: light-dark(#f4f6f8, #11161d); }
main { width: 100%; max-width: 24rem; padding: 2rem; border-radius: .75rem;
  background: light-dark(#fff, #1a212b); border: 1px solid light-dark(#d9dfe6, #303a47); }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
.hint { color: light-dark(#526070, #a5b1c0); font-size: .875rem; margin-top: .375rem; }
.error { color: light-dark(#a3161f, #ff9a9a); font-weight: 600; }
input { width: 100%; font: inherit; padding: .5rem .75rem; border-radius: .375rem; color: inherit;
  background: light-dark(#fff, #11161d); border: 1px solid light-dark(#7b8794, #73808f); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
button { font: inherit; font-weight: 600; padding: .5rem 1rem; border-radius: .375rem; cursor: pointer;
  color: inherit; background: transparent; border: 1px solid light-dark(#7b8794, #73808f); }
button.primary { color: light-dark(#fff, #0b1526); background: light-dark(#1d4fc4, #8db4ff); border-color: transparent; }
:focus-visible { outline: 3px solid light-dark(#1d4fc4, #8db4ff); outline-offset: 2px; }
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** A page, with the headers that it is sent with. */
export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Contents of the sign-in page. */
export interface LoginPageOptions {
  /** Target of the form. */
  readonly action: string;
  readonly client: string;
  /** Origins of later redirects, which a form-action policy covers too. */
  readonly redirectOrigins: readonly string[];
  readonly subject: string;
  /** Requested if tokens carry the namespace in a claim of its own. */
  readonly namespace?: { readonly claim: string; readonly value: string } | undefined;
  readonly problem?: { readonly field: 'subject' | 'namespace'; readonly text: string } | undefined;
}

/** Returns the page on which the user chooses a subject. */
export function loginPage({ action, client, redirectOrigins, subject, namespace, problem }: LoginPageOptions): Page {
  const error = problem === undefined ? '' : `<p class="error" id="problem" role="alert">${escapeHtml(problem.text)}</p>`;
  const describe = (field: 'subject' | 'namespace', hint: string): string =>
    problem?.field === field ? `aria-describedby="${hint} problem" aria-invalid="true"` : `aria-describedby="${hint}"`;
  return page({
    title: 'Sign in',
    formTargets: redirectOrigins,
    body: `<h1>Sign in</h1>
<p>To continue to <strong>${escapeHtml(client)}</strong>.</p>
<form method="post" action="${escapeHtml(action)}">
${error}
<label for="subject">Subject</label>
<input id="subject" name="subject" value="${escapeHtml(subject)}" required maxlength="200" autocomplete="username" autocapitalize="none"
 spellcheck="false" autofocus ${describe('subject', 'hint')}>
<p class="hint" id="hint">This authorization server is for the local stack only. It knows no passwords: you are whoever you say you are.</p>
${
  namespace === undefined
    ? ''
    : `<label for="namespace">Namespace</label>
<input id="namespace" name="namespace" value="${escapeHtml(namespace.value)}" maxlength="200" autocomplete="organization"
 autocapitalize="none" spellcheck="false" ${describe('namespace', 'namespace-hint')}>
<p class="hint" id="namespace-hint">The claim ${escapeHtml(namespace.claim)} of your tokens. Left empty, it is your subject.</p>`
}
<div class="actions"><button class="primary" name="decision" value="sign-in">Sign in</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button></div>
</form>`,
  });
}

/** Returns the confirmation page of a sign-out. `form` is the library's, with the id `op.logoutForm`. */
export function logoutPage(form: string, redirectOrigins: readonly string[]): Page {
  return page({
    title: 'Sign out',
    formTargets: redirectOrigins,
    body: `<h1>Sign out</h1>
<p>This ends your session with the local authorization server.</p>
${form}
<div class="actions"><button class="primary" type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
<button type="submit" form="op.logoutForm">Stay signed in</button></div>`,
  });
}

/** Returns the page on which the code of a device is entered. `form` is the library's, with the id `op.deviceInputForm`. */
export function deviceCodePage(form: string, isWrong: boolean): Page {
  return page({
    title: 'Sign in a device',
    formTargets: [],
    body: `<h1>Sign in a device</h1>
${form}
${isWrong ? '<p class="error" id="problem" role="alert">This code is not known, or has been used.</p>' : ''}
<label for="code">Code</label>
<input id="code" name="user_code" form="op.deviceInputForm" required maxlength="20" autocomplete="off" autocapitalize="characters"
 spellcheck="false" autofocus${isWrong ? ' aria-invalid="true" aria-describedby="problem"' : ''}>
<div class="actions"><button class="primary" type="submit" form="op.deviceInputForm">Continue</button></div>`,
  });
}

/** Returns the page on which the user compares the code with that of the device. `form` has the id `op.deviceConfirmForm`. */
export function deviceConfirmPage(form: string, { client, userCode }: { readonly client: string; readonly userCode: string }): Page {
  return page({
    title: 'Sign in a device',
    formTargets: [],
    body: `<h1>Sign in a device</h1>
<p>Continue only if <strong>${escapeHtml(client)}</strong> on your device shows the code <strong>${escapeHtml(userCode)}</strong>.</p>
${form}
<div class="actions"><button class="primary" type="submit" form="op.deviceConfirmForm" autofocus>Continue</button>
<button type="submit" form="op.deviceConfirmForm" name="abort" value="yes">Cancel</button></div>`,
  });
}

/** Returns a page with a heading and a text. */
export function messagePage(title: string, text: string): Page {
  return page({ title, formTargets: [], body: `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>` });
}

interface PageParts {
  readonly title: string;
  readonly body: string;
  readonly formTargets: readonly string[];
}

function page({ title, body, formTargets }: PageParts): Page {
  return {
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – local stack</title><style>${STYLE}</style></head>
<body><main>${body}</main></body></html>`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': [
        "default-src 'none'",
        `style-src 'sha256-${STYLE_HASH}'`,
        `form-action ${["'self'", ...formTargets].join(' ')}`,
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join('; '),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  };
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }),
);

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES.get(character) ?? '');
}
