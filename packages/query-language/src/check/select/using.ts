import type { Plan } from '../../plan/plan.ts';
import type { Name } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';
import { errorType, notNullable, printType, unify } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { refuse, report } from '../check-context.ts';
import { convertTo } from '../convert.ts';
import { checkComparison } from '../comparison.ts';
import { fieldIndex, fieldOf } from '../record-fields.ts';
import { meant } from '../scope.ts';
import type { CheckedSource, FieldsOfSources, OpenField } from './checked-source.ts';
import { rowOf } from './checked-source.ts';

/** Returns whether a field of a source is part of a merged field. */
export function isMerged({ merged }: FieldsOfSources, source: CheckedSource, index: number): boolean {
  return merged.some(({ parts }) => parts.some((part) => part.source === source && part.index === index));
}

/** Returns the fields with a name: merged ones, and those of all sources that are not part of one. */
export function openFields(known: FieldsOfSources, matches: (name: string) => boolean): readonly OpenField[] {
  const merged = known.merged.filter((field) => matches(field.name));
  const others = known.sources.flatMap((source) => {
    const { rowType } = source.plan;
    const fields = rowType.kind === 'RecordType' ? rowType.fields : [];
    return fields.flatMap(({ name }, index) =>
      matches(name) && !isMerged(known, source, index) ? [{ name, parts: [{ source, index }] }] : [],
    );
  });
  return [...merged, ...others];
}

/** Checks one name of USING: returns the equality of both fields and merges them. Null after a report, or if a source is unknown. */
export function mergeField(
  context: CheckContext,
  name: Name,
  at: { readonly left: readonly CheckedSource[]; readonly right: CheckedSource; readonly merged: OpenField[] },
): Plan | null {
  const { alias, plan } = at.right;
  if (plan.rowType.kind === 'PrimitiveType' && alias !== null)
    return refuse(context, 'bare-value', name.span, name.text, alias, printType(plan.rowType));
  const index = fieldIndex(context, plan.rowType, name);
  const left = index === null ? null : fieldOnLeft(context, name, { sources: at.left, merged: at.merged });
  if (index === null || left === null) return null;
  const equality = checkComparison(
    context,
    { operator: '=', span: name.span, spans: [name.span, name.span] },
    fieldValue(left, name.span),
    fieldOf(rowOf(at.right, name.span), index, name.span),
  );
  const known = at.merged.indexOf(left);
  const place = known < 0 ? at.merged.length : known;
  at.merged.splice(place, 1, { name: left.name, parts: [...left.parts, { source: at.right, index }] });
  return equality;
}

function fieldOnLeft(context: CheckContext, name: Name, left: FieldsOfSources): OpenField | null {
  const [source, other] = left.sources;
  const [found, another] = meant(name, (matches) => openFields(left, matches));
  if (found !== undefined && another === undefined) return found;
  if (another !== undefined) report(context, 'ambiguous-name', name.span, name.text);
  else if (source !== undefined && other === undefined) fieldIndex(context, source.plan.rowType, name);
  else if (!left.sources.some(({ isBroken }) => isBroken)) report(context, 'unknown-name', name.span, name.text, null);
  return null;
}

/** The value of a field; of a merged one that of the side which has a row, in a FULL JOIN the one that is not NULL, as the type of both. */
export function fieldValue({ parts }: OpenField, span: Span): Plan {
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('a field is of a source');
  const valueOf = ({ source, index }: OpenField['parts'][number]): Plan => fieldOf(rowOf(source, span), index, span);
  return others.reduce((left, part) => {
    const { join } = part.source.plan;
    const right = valueOf(part);
    if (join === 'full') return firstOf([left, right], span);
    return convertTo(join === 'right' ? right : left, notNullable(unify(left.type, right.type) ?? errorType));
  }, valueOf(first));
}

/** Returns the coalesced value of two fields; the error plan if they have no common type. */
function firstOf(sides: readonly [Plan, Plan], span: Span): Plan {
  const type = unify(sides[0].type, sides[1].type) ?? errorType;
  return { kind: 'Coalesce', type, span, operands: sides.map((side) => convertTo(side, notNullable(type))) };
}
