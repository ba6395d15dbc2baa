import { ServiceError } from '@svc/errors';
import { checkPercentEncoding } from '@svc/service-kit';
import { Router, type RequestHandler } from 'express';
import sirv from 'sirv';

/** The built console, and its settings. */
export interface ConsoleSite {
  readonly directory: string;
  /** The console's page. */
  readonly index: Buffer;
  /** Served as `/console/config.json`; contains nothing secret. */
  readonly settings: { readonly issuer: string; readonly clientId: string; readonly audience: string };
}

const ALLOWED = 'GET, HEAD';

/** Serves the console below `/console/`. Every path that is not a file returns its one page, which routes in the browser. */
export function serveConsole({ directory, index, settings }: ConsoleSite): RequestHandler {
  const headers = consoleHeaders(settings.issuer);
  const router = Router({ caseSensitive: true, strict: true });
  router.use((req, res, next) => {
    // Before any path is matched, which decodes it. Other paths are checked once it is known who calls.
    if (req.path.startsWith('/console/')) checkPercentEncoding(req, res, next);
    else next();
  });
  router.use(['/console', '/console/*path'], (req, res, next) => {
    res.routePath = '/console/*';
    res.set(headers);
    if (req.method !== 'GET' && req.method !== 'HEAD')
      throw new ServiceError('method_not_allowed', ALLOWED, { headers: { Allow: ALLOWED } });
    next();
  });
  router.get('/console', (_req, res) => res.redirect(308, '/console/'));
  router.get('/console/config.json', (_req, res) => res.set('Cache-Control', 'no-store').json(settings));
  // Files are listed when the gateway starts; a build contains most of them compressed, too.
  router.use('/console/', sirv(directory, { etag: true, brotli: true, gzip: true, extensions: [], setHeaders: setCaching }));
  router.get(['/console/', '/console/*path'], (req, res) => {
    if (req.path.includes('.', req.path.lastIndexOf('/'))) throw new ServiceError('not_found', req.path);
    res.set('Cache-Control', 'no-store').type('html').send(index);
  });
  return router;
}

/**
 * Returns the security headers: scripts, styles and frames only from the console itself; requests only to the gateway and
 * the authorization server.
 */
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

/** Files in `assets` have a content hash in their names. */
function setCaching(res: { setHeader: (name: string, value: string) => unknown }, path: string): void {
  const isHashed = path.startsWith('/assets/');
  res.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
}
