import { findFunction } from '../functions/find-function.ts';
import type { Name } from '../syntax/ast.ts';
import { argumentOf, callOf } from '../syntax/parser/sql-forms.ts';
import type { FunctionType, Type } from '../types/type.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan } from './operand.ts';
import { report } from './check-context.ts';
import { makeFunctionValue } from './function-value.ts';
import type { Operand } from './operand.ts';
import type { Scope } from './scope.ts';
import { itemWithoutName } from './suggest-name.ts';

/**
 * Returns a built-in function as a value: the overload that fits the parameter types of the expected function type, or the
 * only overload. Null if no function has the name.
 */
export function builtinValue(context: CheckContext, name: Name, scope: Scope, expected: FunctionType | null): Operand | null {
  const definition = name.isQuoted ? undefined : findFunction(name.text.toUpperCase());
  if (definition === undefined) return null;
  const isPlain = definition.kind === 'scalar' || definition.kind === 'special';
  const types = expected === null ? ownTypes(definition.overloads) : expected.parameters.map((parameter) => parameter.type);
  if (!isPlain || types === null) return report(context, 'builtin-not-known', name.span, definition.name, itemWithoutName(scope));
  const parameters = types.map((type, i) => ({ name: `argument ${i + 1}`, type, defaultValue: null }));
  const { span } = name;
  const args = parameters.map(({ name: text }) => argumentOf({ kind: 'NameExpression', span, name: { ...name, text } }));
  const body = callOf(name.text, span, args, span);
  const source = { span, parameters, resultType: null, resultTypeSpan: span, body, scope, isBoundary: true };
  return makeFunctionValue(context, source) ?? errorPlan(span);
}

function ownTypes(overloads: NonNullable<ReturnType<typeof findFunction>>['overloads']): readonly Type[] | null {
  const [only] = overloads;
  if (only === undefined || overloads.length > 1 || only.isVariadic) return null;
  const types = only.parameters.map(({ pattern, defaultValue }) =>
    pattern.kind === 'Concrete' && defaultValue === null ? pattern.type : null,
  );
  return types.every((type) => type !== null) ? types : null;
}
