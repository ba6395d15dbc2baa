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
        const find = async () => {
          const { name, text } = await packages.get(caller, params.package);
          const { functions } = await answering.runtime.checkPackage(caller, { name, text }, signal);
          const overloads = functions.filter((one) => one.name === params.function);
          if (overloads.length === 0) throw new ServiceError('not_found', req.url?.split('?', 1)[0] ?? '');
          return { name, overloads };
        };
        const { name, overloads } = await find();
        const call = callFunction(name, overloads, body);
        try {
          await answerQuery(answering, { ...call, options: headers, caller, signal, req, res });
        } catch (thrown) {
          if (!isQueryFailure(thrown)) throw thrown;
          // A package that was deleted in between is reported as one that was deleted before the call.
          if (thrown.validationErrors.length > 0) await find();
          throw withoutPlaces(thrown);
        }
        return undefined;
      },
    }),
  ];
}

/** The places of a failure are in a text that the caller never saw. */
function withoutPlaces({ validationErrors, runtimeError, cause }: QueryFailure): QueryFailure {
  return new QueryFailure(
    { validationErrors: validationErrors.map(placeless), runtimeError: runtimeError && placeless(runtimeError) },
    { cause },
  );
}

function placeless({ message }: QueryError): QueryError {
  return { message, positions: [] };
}
