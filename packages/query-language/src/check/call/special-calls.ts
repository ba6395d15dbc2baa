import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import type { Type } from '../../types/type.ts';
import { collectionOf, date, string, timestamp } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan } from '../operand.ts';
import { placeOf } from '../check-context.ts';
import type { Scope } from '../scope.ts';
import { checkExists } from './exists-call.ts';
import { checkAnyOrAll, checkFilter, checkFindFirst, checkTransform } from './callback-calls.ts';
import { checkReduce } from './reduce-call.ts';
import { checkChoose, checkCoalesce, checkError, checkIff, checkNullReplacement, checkNullIf } from './choice-calls.ts';
import { checkGet } from './get-call.ts';
import { checkGrouping } from './grouping-call.ts';
import { hasCount } from './arguments.ts';
import { checkParseText, TEXT_PARSERS } from './parse-text.ts';
import { checkEntries, checkParse, checkZip } from './shaped-calls.ts';
import { checkTry } from './try-call.ts';

type SpecialCall = (context: CheckContext, node: CallExpression, scope: Scope) => Plan;

/** Checks of built-in functions with rules of their own for arguments or result. Arguments are positional. */
export const SPECIAL_CALLS: Readonly<Record<string, SpecialCall>> = {
  COALESCE: checkCoalesce,
  ISNULL: checkNullReplacement,
  NULLIF: checkNullIf,
  IFF: checkIff,
  CHOOSE: checkChoose,
  TRY: checkTry,
  ERROR: checkError,
  NOW: (context, node) => parameter(context, node, 'now', timestamp),
  TODAY: (context, node) => parameter(context, node, 'today', date),
  USER: (context, node) => parameter(context, node, 'user', string),
  SCOPES: (context, node) => parameter(context, node, 'scopes', collectionOf(string)),
  TRANSFORM: checkTransform,
  FILTER: checkFilter,
  ANY: (context, node, scope) => checkAnyOrAll(context, node, scope, 'ANY'),
  ALL: (context, node, scope) => checkAnyOrAll(context, node, scope, 'ALL'),
  FIND_FIRST: checkFindFirst,
  GROUPING: checkGrouping,
  EXISTS: checkExists,
  REDUCE: checkReduce,
  ZIP: checkZip,
  ENTRIES: checkEntries,
  GET: checkGet,
  PARSE: (context, node, scope) => checkParse(context, node, scope, 'PARSE'),
  TRY_PARSE: (context, node, scope) => checkParse(context, node, scope, 'TRY_PARSE'),
  ...Object.fromEntries(
    [...TEXT_PARSERS].map(([name, parser]): [string, SpecialCall] => [
      name,
      (context, node, scope) => checkParseText(context, node, { parser, asType: null, scope }),
    ]),
  ),
};

function parameter(context: CheckContext, node: CallExpression, name: string, type: Type): Plan {
  if (!hasCount(context, node, 0)) return errorPlan(node.span);
  return { kind: 'Parameter', type, span: placeOf(context, node.span), name };
}
