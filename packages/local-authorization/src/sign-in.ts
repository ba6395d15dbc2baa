import type { IncomingMessage, ServerResponse } from 'node:http';

import { errors, type default as Provider } from 'oidc-provider';

import { loginPage, messagePage, type Page } from './pages.ts';

/** Who signs in when nobody says otherwise: the subject of `npm run -s token`. */
const DEFAULT_SUBJECT = 'demo';
const MAX_FORM_BYTES = 8 * 1024;
const MAX_SUBJECT_LENGTH = 200;
const PATH = /^\/interaction\/[\w-]+$/;

/** Reports whether a request is one of the sign-in page's. */
export function isSignInRequest(req: IncomingMessage): boolean {
  return PATH.test(pathOf(req));
}

/** Shows the sign-in page, and takes its form. The library's cookie ties both to the browser that began. */
export async function answerSignIn(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  try {
    const { params } = await provider.interactionDetails(req, res);
    const show = (status: number, subject: string, problem?: string): void =>
      sendPage(
        res,
        status,
        loginPage({
          action: pathOf(req),
          client: String(params['client_id']),
          redirectOrigin: new URL(String(params['redirect_uri'])).origin,
          subject,
          problem,
        }),
      );
    if (req.method === 'GET' || req.method === 'HEAD') return show(200, hintedSubject(params['login_hint']));
    if (req.method !== 'POST') return void res.writeHead(405, { Allow: 'GET, HEAD, POST' }).end();
    const form = new URLSearchParams(await readForm(req));
    if (form.get('decision') === 'cancel')
      return await provider.interactionFinished(req, res, { error: 'access_denied', error_description: 'The sign-in was cancelled.' });
    const subject = (form.get('subject') ?? '').trim();
    const problem = findProblem(subject);
    if (problem !== undefined) return show(400, subject.slice(0, MAX_SUBJECT_LENGTH), problem);
    await provider.interactionFinished(req, res, { login: { accountId: subject } }, { mergeWithLastSubmission: false });
  } catch (error) {
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
  return typeof hint === 'string' && findProblem(hint) === undefined ? hint : DEFAULT_SUBJECT;
}

function findProblem(subject: string): string | undefined {
  if (subject === '') return 'Enter a subject.';
  if (subject.length > MAX_SUBJECT_LENGTH) return `A subject has at most ${MAX_SUBJECT_LENGTH} characters.`;
  if (/\p{Cc}/u.test(subject)) return 'A subject has no control characters.';
  return undefined;
}

/** Reads a small form; more than the limit is cut off, and then no field is complete. */
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
