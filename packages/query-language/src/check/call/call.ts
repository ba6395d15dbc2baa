import type { FunctionDefinition } from '../../functions/function-definition.ts';
import { findFunction } from '../../functions/find-function.ts';
import { adviceForCount, adviceOfSql } from '../../functions/sql-advice.ts';
import { functionOfSql } from '../../functions/sql-names.ts';
import type { CallExpression, Name } from '../../syntax/ast.ts';
import { printType } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';
import type { Operand } from '../operand.ts';
import { isFaulty } from '../operand.ts';
import type { Scope } from '../scope.ts';
import { findCandidates, namesInSight } from '../scope.ts';
import { suggestFunction } from '../suggest-name.ts';
import { checkAggregateCall } from './aggregate-call.ts';
import { checkBuiltinCall } from './builtin-call.ts';
import { arrangeArguments } from './arguments.ts';
import { checkDeclaredCall, checkFunctionValueCall, checkRest } from './declared-call.ts';
import { plainCall } from './plain-call.ts';
import { checkPgsqlCall, PGSQL_FUNCTIONS } from './pgsql-call.ts';
import { checkReadCall, READ_FUNCTIONS } from './read-call.ts';
import { SPECIAL_CALLS } from './special-calls.ts';
import { adviceForCallOfSql, callOfSql } from './sql-calls.ts';
import { checkWindowCall } from './window-call.ts';
import { ownValue } from '../../own-value.ts';

/** A call: of a declared function, of a value that is a function, or of a built-in one. */
export function checkCall(context: CheckContext, node: CallExpression, scope: Scope): Operand {
  if (node.callee.kind !== 'NameExpression') return checkValueCall(context, node, scope);
  const { name } = node.callee;
  const candidates = findCandidates(scope, name, (candidate) => candidate.isFunction === true || holdsFunction(candidate.use(name.span)));
  const [declared] = candidates;
  if (declared !== undefined) return checkPlain(context, node, scope, (plain) => checkDeclaredCall(context, plain, declared, scope));
  return checkBuiltin(context, node, name, scope);
}

/** Checks a call that is not an aggregate. */
function checkPlain(context: CheckContext, node: CallExpression, scope: Scope, check: (plain: CallExpression) => Operand): Operand {
  const plain = plainCall(context, node);
  return plain === null ? checkRest(context, node, scope) : check(plain);
}

function holdsFunction(operand: Operand): boolean {
  return operand.kind === 'FunctionValue';
}

function checkValueCall(context: CheckContext, node: CallExpression, scope: Scope): Operand {
  const callee = context.checkOperand(node.callee, scope);
  if (callee.kind === 'FunctionValue')
    return checkPlain(context, node, scope, (plain) => checkFunctionValueCall(context, plain, callee, scope));
  return isFaulty(callee) ? callee : report(context, 'function-expected', node.callee.span, printType(callee.type));
}

function checkBuiltin(context: CheckContext, node: CallExpression, name: Name, scope: Scope): Operand {
  const upper = name.text.toUpperCase();
  const ofSql = name.isQuoted ? null : callOfSql(node, upper);
  if (ofSql !== null) return checkCall(context, ofSql, scope);
  const definition = name.isQuoted ? undefined : findFunction(upper);
  if (PGSQL_FUNCTIONS.has(upper) && !name.isQuoted) return checkPgsqlCall(context, node, { name: upper, asType: null, scope });
  if (READ_FUNCTIONS.has(upper) && !name.isQuoted) return checkReadCall(context, node, upper, null, scope);
  const advice = name.isQuoted ? null : adviceForCallOfSql(upper);
  if (advice !== null) return report(context, 'call-of-sql', name.span, name.text, advice);
  if (definition === undefined) return unknownFunction(context, node, name, scope);
  if (definition.kind === 'aggregate' || definition.kind === 'window' || node.window !== null)
    return checkKnown(context, node, { name, definition, scope });
  return checkPlain(context, node, scope, (plain) => checkKnown(context, plain, { name, definition, scope }));
}

interface KnownFunction {
  readonly name: Name;
  readonly definition: FunctionDefinition;
  readonly scope: Scope;
}

function checkKnown(context: CheckContext, node: CallExpression, known: KnownFunction): Operand {
  const arranged = arrangeArguments(context, node, known.definition);
  return arranged === null ? checkRest(context, node, known.scope) : checkArranged(context, arranged, known);
}

/** Checks a call of a built-in function with positional arguments. */
function checkArranged(context: CheckContext, node: CallExpression, { name, definition, scope }: KnownFunction): Operand {
  if (node.ignoresNulls && definition.kind !== 'window') return report(context, 'ignores-nulls', name.span, definition.name);
  const advice = adviceForCount(definition.name, node.arguments.length);
  if (advice !== null) return report(context, 'call-of-sql', name.span, name.text, advice);
  if (node.window !== null) return checkWindowCall(context, node, definition, scope);
  if (definition.kind === 'aggregate') return checkAggregateCall(context, node, definition, scope);
  if (definition.kind === 'window') return report(context, 'window-needed', name.span, definition.name, definition.aggregate ?? null);
  const special = ownValue(SPECIAL_CALLS, definition.name);
  if (special !== undefined) return special(context, node, scope);
  return checkBuiltinCall(context, node, definition, scope);
}

/** Reports a call of an unknown function: the name is a value, or it is not declared. */
function unknownFunction(context: CheckContext, node: CallExpression, name: Name, scope: Scope): Operand {
  const operand = findCandidates(scope, name, () => true)[0]?.use(name.span);
  const advice = name.isQuoted || operand !== undefined ? undefined : adviceOfSql(name.text);
  // The arguments may be those of another system, such as a unit without quotes, so they are not checked.
  if (advice !== undefined) return report(context, 'function-of-sql', name.span, name.text, advice);
  checkRest(context, node, scope);
  if (operand !== undefined) return isFaulty(operand) ? operand : report(context, 'function-expected', name.span, printType(operand.type));
  if (name.text.toUpperCase() === 'UNNEST' && !name.isQuoted) return report(context, 'misplaced-unnest', name.span);
  const nearest = functionOfSql(name.text) ?? suggestFunction(name.text, namesInSight(scope));
  return report(context, 'unknown-name', name.span, name.text, nearest);
}
