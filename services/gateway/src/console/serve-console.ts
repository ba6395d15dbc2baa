import { ServiceError } from '@svc/errors';
import { Router, type RequestHandler } from 'express';
import sirv from 'sirv';

/** The built console, and what it has to know about where it runs. */
export interface ConsoleSite {
  readonly directory: string;
  /** Its one page. */
  readonly index: Buffer;
  /** Served as `/console/config.json`; nothing in it is secret. */
  readonly settings: { readonly issuer: string; readonly clientId: string; readonly audience: string };
}

const ALLOWED = 'GET, HEAD';

/** Serves the console below `/console/`. Every path that looks like no file is one of its pages, which are told apart in the browser. */
export function serveConsole({ directory, index, settings }: ConsoleSite): RequestHandler {
  const headers = consoleHeaders(settings.issuer);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(['/console', '/console/*path'], (req, res, next) => {
    res.routePath = '/console/*';
    res.set(headers);
    if (req.method !== 'GET' && req.method !== 'HEAD')
      throw new ServiceError('method_not_allowed', ALLOWED, { headers: { Allow: ALLOWED } });
    next();
  });
  router.get('/console', (_req, res) => res.redirect(308, '/console/'));
  router.get('/console/config.json', (_req, res) => res.set('Cache-Control', 'no-store').json(settings));
  // Files are found when the gateway starts; a build has most of them compressed, too.
  router.use('/console/', sirv(directory, { etag: true, brotli: true, gzip: true, extensions: [], setHeaders: setCaching }));
  router.get(['/console/', '/console/*path'], (req, res) => {
    if (req.path.includes('.', req.path.lastIndexOf('/'))) throw new ServiceError('not_found', req.path);
    res.set('Cache-Control', 'no-store').type('html').send(index);
  });
  return router;
}

/** No script, style or frame but the console's own; requests go to the gateway and to the authorization server alone. */
function consoleHeaders(issuer: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self' ${new URL(issuer).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}

/** The names of the files in `assets` hold a hash of what is in them. */
function setCaching(res: { setHeader: (name: string, value: string) => unknown }, path: string): void {
  const isHashed = path.startsWith('/assets/');
  res.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
}
