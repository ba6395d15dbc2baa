import type { Plan } from '../../plan/plan.ts';
import type { Argument, CallExpression, TypedCallExpression } from '../../syntax/ast.ts';
import type { Type } from '../../types/type.ts';
import { isPrimitive, printType, string } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { report } from '../check-context.ts';
import { foldConstant } from '../constant-value.ts';
import { checkValue } from '../check-value.ts';
import type { Scope } from '../scope.ts';
import { readNeed, unknownRead } from './read-call.ts';

/** The functions that read a registered database server, without TRY_, and their parameters: constant texts. */
const PARAMETERS = {
  READ_PGSQL: ['server', 'schema', 'table'],
  QUERY_PGSQL: ['server', 'sql'],
} as const;

type PgsqlFunction = keyof typeof PARAMETERS;

/** Names of functions that read a registered database server. */
export const PGSQL_FUNCTIONS: ReadonlySet<string> = new Set(Object.keys(PARAMETERS).flatMap((name) => [name, `TRY_${name}`]));

/** The position of the argument behind which AS may stand, for a function that reads a database server. */
export function lastPgsqlArgument(name: string): number {
  return PARAMETERS[functionOf(name)].length - 1;
}

/**
 * `READ_PGSQL(server, schema, table [AS type])`, `QUERY_PGSQL(server, sql [AS type])`: like any other read once the server
 * and the table or statement are known.
 */
export function checkPgsqlCall(
  context: CheckContext,
  node: CallExpression | TypedCallExpression,
  { name, asType, scope }: { readonly name: string; readonly asType: Type | null; readonly scope: Scope },
): Plan {
  const functionName = functionOf(name);
  const parameters = PARAMETERS[functionName];
  const named = node.arguments.find((argument) => argument.name !== null)?.name;
  if (named !== undefined && named !== null) return report(context, 'no-options', named.span, functionName, named.text.toLowerCase());
  const texts = node.arguments.map((argument) => constantText(context, argument, scope));
  if (texts.length < parameters.length) return report(context, 'missing-arguments', node.callee.span, parameters.slice(texts.length));
  if (texts.length > parameters.length) return report(context, 'argument-count', node.callee.span, String(parameters.length), texts.length);
  if (texts.includes('faulty') || asType?.kind === 'ErrorType') return errorPlan(node.span);
  const isTry = name.startsWith('TRY_');
  if (texts.includes('unknown')) return unknownRead(context, node.span, { functionName, isTry, asType });
  const [server = '', ...rest] = texts.map((text) => (typeof text === 'object' ? text.value : ''));
  const [first = '', table = ''] = rest;
  const isQuery = functionName === 'QUERY_PGSQL';
  const location = `pgsql:${[server, ...(isQuery ? [] : [first, table])].map(escaped).join('/')}`;
  return readNeed(context, node.span, { function: functionName, isTry, location, options: isQuery ? { sql: first } : {}, asType });
}

/** Escapes a name for a location: `/` and `%` as in URLs. */
function escaped(name: string): string {
  return name.replace(/[%/\p{Cc}]/gu, encodeURIComponent);
}

/** A constant text; `unknown` if it depends on an unknown argument, `faulty` after a report. */
type ConstantText = { readonly value: string } | 'unknown' | 'faulty';

function constantText(context: CheckContext, argument: Argument, scope: Scope): ConstantText {
  const plan = checkValue(context, argument.value, scope);
  if (isFaulty(plan)) return 'faulty';
  if (!isPrimitive(plan.type, 'string')) {
    report(context, 'type-mismatch', argument.value.span, printType(string), printType(plan.type), null);
    return 'faulty';
  }
  const folded = foldConstant(context.values, plan);
  if (folded.kind === 'unknown') return 'unknown';
  if (folded.kind === 'none' || typeof folded.value !== 'string' || !folded.value.isWellFormed()) {
    report(context, 'constant-needed', argument.value.span, 'what is read');
    return 'faulty';
  }
  return { value: folded.value };
}

function functionOf(name: string): PgsqlFunction {
  return name.endsWith('QUERY_PGSQL') ? 'QUERY_PGSQL' : 'READ_PGSQL';
}
