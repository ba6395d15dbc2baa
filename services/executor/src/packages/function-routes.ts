import type { Principal } from '@svc/auth';
import { QueryFailure, ServiceError, isQueryFailure, type QueryError } from '@svc/errors';
import { routeDefiner } from '@svc/service-kit';
import type { Route } from '@svc/service-kit';

import type { StoredTexts } from '../catalog/stored-texts.ts';
import { RESULT_OPTIONS, RESULT_RESPONSE, answerQuery, type QueryAnswering } from '../queries/answer-query.ts';
import { callFunction } from './function-call.ts';

const defineRoute = routeDefiner<Principal>();

/** The endpoint that calls a public function of a package: an addition to the interface. */
export function functionRoutes({ packages }: Pick<StoredTexts, 'packages'>, answering: QueryAnswering): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'post',
      path: '/packages/:package/functions/:function',
      tag: 'packages',
      summary: 'Calls a public function of a package with a JSON object of arguments by name; those that have defaults may be left out.',
      request: {
        headers: RESULT_OPTIONS,
        body: { kind: 'json', schema: { type: 'object', description: 'Arguments by name.' }, keepsDigits: true },
      },
      responses: { 200: RESULT_RESPONSE },
      errors: ['package_not_found', 'not_found', 'query errors', 'result_too_large', 'query_timeout', 'service_unavailable'],
      handler: async ({ params, body, headers, caller, signal, req, res }) => {
        const { name, text } = await packages.get(caller, params.package);
        const { functions } = await answering.runtime.checkPackage(caller, { name, text }, signal);
        const overloads = functions.filter((one) => one.name === params.function);
        if (overloads.length === 0) throw new ServiceError('not_found', req.url?.split('?', 1)[0] ?? '');
        const call = callFunction(name, overloads, body);
        await withoutPlaces(() => answerQuery(answering, { ...call, options: headers, caller, signal, req, res }));
        return undefined;
      },
    }),
  ];
}

/** The places of a failure are in a text that the caller never saw. */
async function withoutPlaces(answer: () => Promise<void>): Promise<void> {
  try {
    await answer();
  } catch (thrown) {
    if (!isQueryFailure(thrown)) throw thrown;
    const { validationErrors, runtimeError, cause } = thrown;
    throw new QueryFailure(
      { validationErrors: validationErrors.map(placeless), runtimeError: runtimeError && placeless(runtimeError) },
      { cause },
    );
  }
}

function placeless({ message }: QueryError): QueryError {
  return { message, positions: [] };
}
