import type { IncomingMessage, ServerResponse } from 'node:http';

import type { default as Provider } from 'oidc-provider';

import { loginPage, messagePage, type LoginPageOptions, type Page } from './pages.ts';

/** Default subject of a sign-in: that of `npm run -s token`. */
const DEFAULT_SUBJECT = 'demo';
const MAX_FORM_BYTES = 8 * 1024;
const MAX_NAME_LENGTH = 200;
const PATH = /^\/interaction\/[\w-]+$/;

/** Reports whether a request is one of the sign-in page's. */
export function isSignInRequest(req: IncomingMessage): boolean {
  return PATH.test(pathOf(req));
}

/** Options of a sign-in. */
export interface SignInOptions {
  /** The claim that names the namespace; not requested if it is `sub`. */
  readonly namespaceClaim: string;
}

/** Shows the sign-in page, and processes its form. The library's cookie binds both to the browser that started. */
export async function answerSignIn(
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
  { namespaceClaim }: SignInOptions,
): Promise<void> {
  try {
    const { params } = await provider.interactionDetails(req, res);
    const show = (status: number, { subject, namespace }: Names, problem?: Problem): void =>
      sendPage(
        res,
        status,
        loginPage({
          action: pathOf(req),
          client: String(params['client_id']),
          redirectOrigins: typeof params['redirect_uri'] === 'string' ? [new URL(params['redirect_uri']).origin] : [],
          subject,
          namespace: namespaceClaim === 'sub' ? undefined : { claim: namespaceClaim, value: namespace },
          problem,
        }),
      );
    if (req.method === 'GET' || req.method === 'HEAD') return show(200, { subject: hintedSubject(params['login_hint']), namespace: '' });
    if (req.method !== 'POST') return void res.writeHead(405, { Allow: 'GET, HEAD, POST' }).end();
    const form = new URLSearchParams(await readForm(req));
    if (form.get('decision') === 'cancel')
      return await provider.interactionFinished(req, res, { error: 'access_denied', error_description: 'The sign-in was cancelled.' });
    const names = { subject: (form.get('subject') ?? '').trim(), namespace: (form.get('namespace') ?? '').trim() };
    const problem = findProblem(names);
    if (problem !== undefined) return show(400, names, problem);
    // The library keeps `amr` with the session, and with codes and refresh tokens derived from it.
    const login = { accountId: names.subject, ...(names.namespace !== '' && { amr: [names.namespace] }) };
    // A native client starts nothing without the user's consent: submitting the form is the consent.
    await provider.interactionFinished(req, res, { login, consent: {} }, { mergeWithLastSubmission: false });
  } catch (error) {
    const { errors } = await import('oidc-provider');
    if (!(error instanceof errors.OIDCProviderError)) throw error;
    sendPage(
      res,
      400,
      messagePage('This sign-in is over', 'It took too long, or began in another browser. Go back to where you came from and start again.'),
    );
  }
}

/** Sends a page with its headers. */
function sendPage(res: ServerResponse, status: number, { html, headers }: Page): void {
  res.writeHead(status, headers).end(html);
}

function pathOf(req: IncomingMessage): string {
  return (req.url ?? '').split('?', 1)[0] ?? '';
}

function hintedSubject(hint: unknown): string {
  return typeof hint === 'string' && hint !== '' && nameProblem('subject', hint) === undefined ? hint : DEFAULT_SUBJECT;
}

interface Names {
  readonly subject: string;
  /** Empty for that of the subject. */
  readonly namespace: string;
}

type Problem = NonNullable<LoginPageOptions['problem']>;

function findProblem({ subject, namespace }: Names): Problem | undefined {
  if (subject === '') return { field: 'subject', text: 'Enter a subject.' };
  return nameProblem('subject', subject) ?? nameProblem('namespace', namespace);
}

function nameProblem(field: 'subject' | 'namespace', name: string): Problem | undefined {
  if (name.length > MAX_NAME_LENGTH) return { field, text: `A ${field} has at most ${MAX_NAME_LENGTH} characters.` };
  if (/\p{Cc}/u.test(name)) return { field, text: `A ${field} has no control characters.` };
  return undefined;
}

/** Reads a small form; one beyond the limit is truncated, and then no field is complete. */
async function readForm(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_FORM_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
