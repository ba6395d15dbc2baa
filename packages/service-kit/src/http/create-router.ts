import { Router, type Request } from 'express';

import { ServiceError } from '@svc/errors';

import type { Route } from '../routes/route.ts';
import { checkPercentEncoding } from './request-path.ts';
import { compileRoute } from './route-handler.ts';

/** Options of a router. */
export interface RouterOptions<Caller> {
  readonly bodyLimitBytes: number;
  readonly callerOf: (req: Request) => Caller;
}

/** A router of exact paths. A path that exists with other methods is `method_not_allowed`, with `Allow`. */
export function createRouter<Caller>(routes: readonly Route<Caller>[], { bodyLimitBytes, callerOf }: RouterOptions<Caller>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
    const onPath = router.route(path);
    onPath.all(checkPercentEncoding, (_req, res, next) => {
      res.routePath = path;
      next();
    });
    const refuse = refuseMethod(group);
    if (!group.some((route) => route.method === 'get' && route.head)) onPath.head(refuse);
    for (const route of group) {
      const handle = compileRoute(route, bodyLimitBytes);
      onPath[route.method](async (req, res) => handle(req, res, callerOf(req)));
    }
    onPath.all(refuse);
  }
  return router;
}

function refuseMethod(group: readonly Route<never>[]): () => never {
  const allowed = group.flatMap(({ method, head }) => (method === 'get' && head ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ');
  return () => {
    throw new ServiceError('method_not_allowed', allowed, { headers: { Allow: allowed } });
  };
}
