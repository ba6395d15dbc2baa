import type { Span } from '../../text/span.ts';
import { quoteName } from '../../types/print.ts';
import type { CheckContext } from '../check-context.ts';
import { placeOf } from '../check-context.ts';
import type { NamedPlan } from '../record-fields.ts';
import { fieldOf } from '../record-fields.ts';
import type { Candidate } from '../scope.ts';
import { NOT_KNOWN } from '../scope.ts';
import type { CheckedSource, CheckedSources, FieldsOfSources, OpenField } from './checked-source.ts';
import { positionOf, rowOf } from './checked-source.ts';
import { fieldValue, isMerged, openFields } from './using.ts';

/** Aliases and positions first, unless fields hide them, then merged fields, then fields of all sources. */
export function findInSources(context: CheckContext, known: FieldsOfSources, matches: (name: string) => boolean): readonly Candidate[] {
  const named = known.sources.filter(({ alias }) => alias !== null && matches(alias));
  const rows = named.map((source): Candidate => ({
    name: source.alias ?? '',
    use: (span) => rowOf(source, placeOf(context, span)),
    ...(source.rows === null ? {} : { rows: source.rows }),
  }));
  const positions = known.sources.flatMap((source): readonly Candidate[] =>
    source.position !== null && matches(source.position)
      ? [{ name: source.position, use: (span) => positionOf(source, placeOf(context, span)) }]
      : [],
  );
  const fieldsLike = (open: readonly OpenField[], row?: Candidate): readonly Candidate[] =>
    open.map((field) => ({
      name: field.name,
      role: 'field',
      qualified: qualifiedName(field),
      use: (span) => fieldValue(field, placeOf(context, span)),
      ...(row === undefined ? {} : { row }),
    }));
  if (positions.length > 0 || named.some(({ aliasFrom }) => aliasFrom === 'written')) return [...rows, ...positions];
  if (named.length > 0) {
    const hiding = openFields(known, matches).filter((field) => named.every((source) => hidesAlias(field, source)));
    return hiding.length > 0 ? fieldsLike(hiding, rows[0]) : rows;
  }
  const found = [...fieldsLike(openFields(known, matches)), ...known.sources.flatMap((source) => rowsOfName(context, source, matches))];
  return found.length === 0 && known.sources.some((source) => source.isBroken) ? [NOT_KNOWN] : found;
}

/**
 * Returns whether a field hides the implied alias of a source, as a column hides a table's name in SQL. A path, `orders.tags`, is
 * not hidden by the field that it ends in, but by one of its own rows.
 */
function hidesAlias(field: OpenField, source: CheckedSource): boolean {
  if (source.isBroken) return false;
  return source.aliasFrom === 'name' || field.parts.some((part) => part.source === source);
}

/** Returns the rows of a source by the name of its query's item, if they are not records. */
function rowsOfName(context: CheckContext, source: CheckedSource, matches: (name: string) => boolean): readonly Candidate[] {
  if (source.rows === null || source.isBroken || source.plan.rowType.kind === 'RecordType') return [];
  const name = source.rows.name();
  if (name === null || !matches(name)) return [];
  const qualified = source.alias === null ? null : `${quoteName(source.alias)}.${quoteName(name)}`;
  return [{ name, role: 'field', qualified, use: (span) => rowOf(source, placeOf(context, span)) }];
}

function qualifiedName({ name, parts: [first] }: OpenField): string | null {
  const alias = first?.source.alias ?? null;
  return alias === null ? null : `${quoteName(alias)}.${quoteName(name)}`;
}

/** Returns the fields of a source in `*`: those of its record, or its row under its alias or `_i`. */
export function fieldsOfSource(context: CheckContext, source: CheckedSource, index: number, span: Span): readonly NamedPlan[] {
  const { rowType } = source.plan;
  if (rowType.kind !== 'RecordType') return [{ name: source.alias ?? `_${index + 1}`, plan: rowOf(source, placeOf(context, span)), span }];
  return rowType.fields.map((field, i) => ({
    name: field.name,
    plan: fieldOf(rowOf(source, placeOf(context, span)), i, placeOf(context, span)),
    span,
  }));
}

/** The fields of all sources: merged ones first and once, later duplicates with a number. */
export function fieldsOfAll(context: CheckContext, checked: CheckedSources, span: Span): readonly NamedPlan[] {
  const fields = [
    ...checked.merged.map((field) => ({ name: field.name, plan: fieldValue(field, placeOf(context, span)), span })),
    ...checked.sources.flatMap((source, i) => fieldsOfSource(context, source, i, span).filter((_, k) => !isMerged(checked, source, k))),
  ];
  return withNumberedDuplicates(fields);
}

/** Appends `_1`, `_2`, … to repeated names. */
export function withNumberedDuplicates<Field extends NamedPlan>(fields: readonly Field[]): readonly Field[] {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return fields.map((field) => {
    let name = field.name;
    // Continues from the number found for the last source of this name: lower ones are still in use.
    let n = numbers.get(name) ?? 0;
    while (taken.has(name)) {
      n += 1;
      name = `${field.name}_${n}`;
    }
    numbers.set(field.name, n);
    taken.add(name);
    return { ...field, name };
  });
}
