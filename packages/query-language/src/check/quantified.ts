import type { Plan } from '../plan/plan.ts';
import type { BinaryExpression, BinaryOperator, CallExpression, Expression, ExpressionItem, Name } from '../syntax/ast.ts';
import { plainQuery } from '../syntax/plain-query.ts';
import { argumentOf, callOf, calledName } from '../syntax/parser/sql-forms.ts';
import type { Type } from '../types/type.ts';
import { printType, unify } from '../types/types.ts';
import { letIn } from './bind.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';
import { checkValue } from './check-value.ts';
import { constantText } from './convert.ts';
import { keepingNull } from './map-collection.ts';
import { errorPlan, isFaulty } from './operand.ts';
import type { Scope } from './scope.ts';
import { createScope, findCandidates } from './scope.ts';
import { temporalName } from './temporal-text.ts';

/** Names that no program writes: of the left side, of the rows, and of their aggregates. */
const [LEFT, ROWS, FOUND] = [' left', ' rows', ' found'];

/** Comparisons that every row decides alike where the least one does; the others, where the greatest one does. */
const BY_LEAST: ReadonlySet<string> = new Set(['> ANY', '>= ANY', '< ALL', '<= ALL']);

/**
 * Checks `x > ANY (c)`, also with SOME or ALL, of a query or a collection; null for other comparisons. As in SQL it is NULL
 * where rows that are NULL might decide otherwise. `= ANY` is IN; the others compare with the least or greatest row.
 */
export function checkQuantified(context: CheckContext, node: BinaryExpression, left: Plan, scope: Scope): Plan | null {
  const { operator, right } = node;
  const written = rowsOf(right, scope);
  if (written === null) return null;
  const rows = checkValue(context, written, scope);
  if (isFaulty(left) || isFaulty(rows)) return errorPlan(node.span);
  if (rows.type.kind !== 'CollectionType') return report(context, 'collection-expected', written.span, printType(rows.type));
  const quantifier = calledName(right as CallExpression) === 'ALL' ? 'ALL' : 'ANY'; // `rowsOf` knows that it is a call
  const isIn = (operator === '=' && quantifier === 'ANY') || (operator === '<>' && quantifier === 'ALL');
  const value = valueOfRows(rows.type.element, isIn ? left.type : null);
  const isReadAsTemporal = value !== null && constantText(left) !== null && temporalName(value) !== null;
  if (value === null || (!isReadAsTemporal && unify(left.type, value) === null)) {
    const types = [left.type, value ?? rows.type.element].map(printType);
    return report(context, 'incompatible-types', [node.left.span, written.span], types[0] ?? '', types[1] ?? '');
  }
  const build = builderAt(node);
  return letIn(context, left, (x) =>
    keepingNull(context, rows, node.span, (collection) => {
      const withSides = scopeOf(scopeOf(scope, LEFT, x), ROWS, collection);
      if (isIn) return checkValue(context, build.membership(operator === '<>'), withSides);
      return letIn(context, checkValue(context, build.aggregates, withSides), (found) =>
        checkValue(context, build.decided(operator, quantifier), scopeOf(withSides, FOUND, found)),
      );
    }),
  );
}

/** Returns the type that rows are compared with: of their only field, or of the whole as in IN; null of rows with several fields. */
function valueOfRows(element: Type, whole: Type | null): Type | null {
  if (element.kind !== 'RecordType' || (whole !== null && unify(whole, element) !== null)) return element;
  const [field, another] = element.fields;
  return field === undefined || another !== undefined ? null : field.type;
}

/** Returns the argument of `ANY (c)`, `SOME (c)` or `ALL (c)`, unless a declared function has that name; null for others. */
function rowsOf(right: Expression, scope: Scope): Expression | null {
  if (right.kind !== 'CallExpression' || right.callee.kind !== 'NameExpression') return null;
  if (!['ANY', 'SOME', 'ALL'].includes(calledName(right) ?? '')) return null;
  const [only, another] = right.arguments;
  if (only === undefined || another !== undefined || only.name !== null || right.isDistinct) return null;
  return findCandidates(scope, right.callee.name, () => true).length > 0 ? null : only.value;
}

function scopeOf(parent: Scope, name: string, plan: Plan): Scope {
  return createScope(parent, { find: (matches) => (matches(name) ? [{ name, use: () => plan }] : []) });
}

interface Builder {
  /** `left [NOT] IN rows` */
  readonly membership: (isNegated: boolean) => Expression;
  /** `SELECT MIN(v) AS least, MAX(v) AS greatest, COUNT(*) AS rows, COUNT(v) AS values FROM rows AS r (v)` */
  readonly aggregates: Expression;
  /** The comparison by these aggregates. */
  readonly decided: (operator: BinaryOperator, quantifier: 'ANY' | 'ALL') => Expression;
}

/** Builds syntax trees at the place of a comparison. */
function builderAt({ span, operatorSpan }: BinaryExpression): Builder {
  const nameOf = (text: string): Name => ({ kind: 'Name', span, text, isQuoted: true });
  const name = (text: string): Expression => ({ kind: 'NameExpression', span, name: nameOf(text) });
  const aggregate = (called: string, value: Expression): Expression => callOf(called, span, [argumentOf(value)], span);
  const item = (alias: string, value: Expression): ExpressionItem => ({ kind: 'ExpressionItem', span, value, alias: nameOf(alias) });
  const found = (field: string): Expression => ({ kind: 'FieldAccess', span, target: name(FOUND), field: nameOf(field) });
  const binary = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({
    ...{ kind: 'BinaryExpression', span, operator, operatorSpan, left, right },
  });
  const truth = (value: boolean): Expression => ({ kind: 'BooleanLiteral', span, value });
  const comparison = (operator: BinaryOperator, quantifier: 'ANY' | 'ALL'): Expression => {
    const comparedTo = (field: 'least' | 'greatest'): Expression => binary(operator, name(LEFT), found(field));
    if (operator === '=') return binary('AND', comparedTo('least'), comparedTo('greatest'));
    if (operator === '<>') return binary('OR', comparedTo('least'), comparedTo('greatest'));
    return comparedTo(BY_LEAST.has(`${operator} ${quantifier}`) ? 'least' : 'greatest');
  };
  return {
    membership: (isNegated) => ({ kind: 'InExpression', span, isNegated, operand: name(LEFT), right: name(ROWS), list: null }),
    aggregates: plainQuery(
      span,
      [
        item('least', aggregate('MIN', name(' value'))),
        item('greatest', aggregate('MAX', name(' value'))),
        item('rows', aggregate('COUNT', { kind: 'StarExpression', span })),
        item('values', aggregate('COUNT', name(' value'))),
      ],
      { kind: 'Source', span, join: null, collection: name(ROWS), alias: nameOf(' row'), columns: [nameOf(' value')], position: null },
    ),
    decided: (operator, quantifier) => {
      const isAll = quantifier === 'ALL';
      const test = comparison(operator, quantifier);
      const branch = (when: Expression, then: Expression) => ({ kind: 'CaseBranch', span, when, then }) as const;
      const decides: Expression = isAll ? { kind: 'UnaryExpression', span, operator: 'NOT', operand: test } : test;
      return {
        kind: 'CaseExpression',
        span,
        operand: null,
        branches: [
          branch(binary('=', found('rows'), { kind: 'NumberLiteral', span, type: 'int', text: '0' }), truth(isAll)),
          branch(decides, truth(!isAll)),
          branch(binary('=', found('rows'), found('values')), test),
        ],
        alternate: null,
      };
    },
  };
}
