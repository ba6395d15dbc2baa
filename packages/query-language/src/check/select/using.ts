import type { Plan, PlanSource } from '../../plan/plan.ts';
import type { Name } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';
import type { RecordType } from '../../types/type.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, report } from '../check-context.ts';
import { commonType, unifyOperands } from '../convert.ts';
import { checkComparison } from '../operator.ts';
import { fieldOf, noSuchField } from '../record.ts';
import { matcherOf } from '../scope.ts';
import type { CheckedSource } from './sources.ts';
import { rowOf } from './sources.ts';

/** Fields that USING merged: they come once and first. */
export interface MergedField {
  readonly name: string;
  readonly left: { readonly source: CheckedSource; readonly index: number } | MergedField;
  readonly right: { readonly source: CheckedSource; readonly index: number };
  readonly join: PlanSource['join'];
}

/** One name of USING: the equality of both fields, which from here on are one. */
export function mergeField(
  context: CheckContext,
  name: Name,
  at: {
    readonly left: readonly CheckedSource[];
    readonly right: CheckedSource;
    readonly merged: MergedField[];
    readonly join: PlanSource['join'];
  },
): Plan | null {
  const right = findUsing(at.right, name);
  const earlier = at.merged.find((field) => matcherOf(name, 'folded')(field.name) || field.name === name.text);
  const candidates = at.left.flatMap((source) => {
    const index = findUsing(source, name);
    return index === null ? [] : [{ source, index }];
  });
  const left = earlier ?? candidates[0];
  if (at.right.isBroken || at.left.some((source) => source.isBroken)) return null;
  if (right === null) return noSuchField(context, name, at.right.plan.rowType);
  if (left === undefined) {
    const [only, second] = at.left;
    if (only !== undefined && second === undefined) return noSuchField(context, name, only.plan.rowType);
    return report(context, 'unknown-name', name.span, name.text, null);
  }
  if (earlier === undefined && candidates.length > 1) return report(context, 'ambiguous-name', name.span, name.text);
  const rightPlan = fieldOf({ ...rowOf(at.right, name.span), type: at.right.plan.rowType } as Plan, right, name.span);
  const leftPlan = 'source' in left ? fieldOf(rowOf(left.source, name.span), left.index, name.span) : mergedValue(context, left, name.span);
  const spelling = 'source' in left ? ((left.source.plan.rowType as RecordType).fields[left.index]?.name ?? name.text) : left.name;
  at.merged.push({ name: spelling, left, right: { source: at.right, index: right }, join: at.join });
  return checkComparison(context, { operator: '=', span: name.span, spans: [name.span, name.span] }, leftPlan, rightPlan);
}

function findUsing(source: CheckedSource, name: Name): number | null {
  const { rowType } = source.plan;
  if (rowType.kind !== 'RecordType') return null;
  for (const round of ['exact', 'folded'] as const) {
    const index = rowType.fields.findIndex((field) => matcherOf(name, round)(field.name));
    if (index >= 0) return index;
  }
  return null;
}

/** The value of a merged field: that of the side which has a row; in a FULL JOIN the one that is not NULL. */
export function mergedValue(context: CheckContext, field: MergedField, span: Span): Plan {
  const left =
    'source' in field.left ? fieldOf(rowOf(field.left.source, span), field.left.index, span) : mergedValue(context, field.left, span);
  const right = fieldOf(rowOf(field.right.source, span), field.right.index, span);
  if (field.join === 'right') return right;
  if (field.join !== 'full') return left;
  const operands = unifyOperands(context, [left, right], [span, span]);
  return operands === null ? errorPlan(span) : { kind: 'Coalesce', type: commonType(operands), span, operands };
}
