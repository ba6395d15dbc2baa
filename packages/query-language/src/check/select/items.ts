import type { Plan } from '../../plan/plan.ts';
import type { Expression, ExpressionItem, Name, SelectExpression, StarItem } from '../../syntax/ast.ts';
import type { RecordType } from '../../types/type.ts';
import type { CheckContext } from '../check-context.ts';
import { placeOf, report } from '../check-context.ts';
import { checkValue } from '../check-value.ts';
import { repeatedBy, spansOf } from '../repeated.ts';
import { findCandidates, meant, nearestFrame } from '../scope.ts';
import type { Scope } from '../scope.ts';
import { isFaulty } from '../operand.ts';
import { quotedField } from '../quoted-field.ts';
import type { NamedPlan } from '../record-fields.ts';
import { excluding, fieldIndex, makeRecord, spread } from '../record-fields.ts';
import { groupOf } from './group.ts';
import { impliedName } from './implied-name.ts';
import { inPhase } from './select-frame.ts';
import type { CheckedSource, CheckedSources } from './checked-source.ts';
import { fieldsOfAll, fieldsOfSource, withNumberedDuplicates } from './fields-of-sources.ts';
import { rowOf } from './checked-source.ts';

/** The element of a SELECT's result, with the names that ORDER BY may use. */
export interface CheckedItems {
  readonly plan: Plan;
  readonly isRecord: boolean;
  /** The fields of the record, or the one bare item. */
  readonly items: readonly CheckedItem[];
}

/** An item by which ORDER BY may sort. */
interface CheckedItem {
  readonly name: string | null;
  readonly isNamedByUser: boolean;
  /** Null if it came from a star. */
  readonly expression: Expression | null;
}

interface Place {
  readonly sources: CheckedSources;
  readonly scope: Scope;
  readonly isGrouped: boolean;
  readonly hasNoSource: boolean;
}

interface ItemField extends NamedPlan, CheckedItem {
  readonly name: string;
  readonly isFromStar: boolean;
}

/** Checks the items: a single one without a name yields bare values, others records. */
export function checkItems(context: CheckContext, node: SelectExpression, place: Place): CheckedItems {
  const [only] = node.items;
  if (only !== undefined && node.items.length === 1) {
    const bare = checkBare(context, only, place);
    if (bare !== null) return bare;
  }
  const fields = node.items.flatMap((item, i) =>
    item.kind === 'StarItem' ? starFields(context, item, i, place) : [itemField(context, item, i, place.scope)],
  );
  reportRepeated(context, fields);
  const items = withNumberedDuplicates(fields);
  return { plan: makeRecord(context, node.span, items), isRecord: true, items };
}

/** Checks a single item without a name, whose value is the row itself; null if the SELECT builds records. */
function checkBare(context: CheckContext, item: SelectExpression['items'][number], place: Place): CheckedItems | null {
  if (item.alias !== null) return null;
  if (item.kind === 'ExpressionItem') {
    const only = { name: impliedName(item.value), isNamedByUser: false, expression: item.value };
    return { plan: checkUnnamed(context, item.value, place.scope), isRecord: false, items: [only] };
  }
  const isPlain = item.exclude.length === 0 && item.replace.length === 0;
  const bare = (plan: Plan): CheckedItems => ({ plan, isRecord: false, items: [{ name: null, isNamedByUser: false, expression: null }] });
  if (item.source === null) {
    if (!isPlain && !place.isGrouped) return null;
    const plan = starValue(context, item, place);
    return plan.type.kind === 'RecordType' ? ofRow(plan, plan.type) : bare(plan);
  }
  const [source, another] = isPlain ? sourcesNamed(place, item.source) : [];
  if (source === undefined || another !== undefined || source.plan.rowType.kind === 'RecordType') return null;
  return bare(rowOf(source, placeOf(context, item.span)));
}

/** Returns an item that is the row itself; its fields are the items visible to ORDER BY. */
function ofRow(plan: Plan, { fields }: RecordType): CheckedItems {
  return { plan, isRecord: true, items: fields.map(({ name }) => ({ name, isNamedByUser: false, expression: null })) };
}

/** Returns `*` as one value: the row, or with GROUP BY the group of rows, with EXCLUDE and REPLACE applied. */
function starValue(context: CheckContext, item: StarItem, place: Place): Plan {
  const frame = nearestFrame(place.scope);
  if (frame === null) throw new Error('an item stands in a SELECT');
  if (item.exclude.length === 0 && item.replace.length === 0) return frame.star(placeOf(context, item.span));
  if (!place.isGrouped) return makeRecord(context, item.span, changedFields(context, item, place));
  const row = inPhase(frame, 'aggregate', () => makeRecord(context, item.span, changedFields(context, item, place)));
  return groupOf(context, row, item.span);
}

/** Returns the fields of `*` or `a.*` among other items; with GROUP BY `*` is the group, one field. */
function starFields(context: CheckContext, item: StarItem, index: number, place: Place): readonly ItemField[] {
  if (item.alias !== null || (item.source === null && place.isGrouped)) {
    const { text: name, span } = item.alias ?? { text: `_${index + 1}`, span: item.span };
    const plan = starValue(context, item, place);
    return [{ name, plan, span, isNamedByUser: item.alias !== null, isFromStar: false, expression: null }];
  }
  return changedFields(context, item, place).map((field) => ({ ...field, isNamedByUser: false, isFromStar: true, expression: null }));
}

/** Returns the fields of a star with EXCLUDE and REPLACE applied. */
function changedFields(context: CheckContext, item: StarItem, place: Place): readonly NamedPlan[] {
  const fields = fieldsOfStar(context, item, place);
  const left = excluding(context, fields, item.exclude, makeRecord(context, item.span, fields).type);
  return replaced(context, left, item, place.scope);
}

function fieldsOfStar(context: CheckContext, item: StarItem, place: Place): readonly NamedPlan[] {
  if (item.source === null && place.hasNoSource) {
    report(context, 'star-without-from', item.span);
    return [];
  }
  if (item.source === null) return fieldsOfAll(context, place.sources, item.span);
  const [source, another] = sourcesNamed(place, item.source);
  if (another !== undefined) {
    report(context, 'ambiguous-name', item.source.span, item.source.text);
    return [];
  }
  if (source !== undefined) {
    if (place.isGrouped) {
      report(context, 'ungrouped-name', item.source.span, item.source.text);
      return [];
    }
    return fieldsOfSource(context, source, place.sources.sources.indexOf(source), item.span);
  }
  const plan = checkValue(context, { kind: 'NameExpression', span: item.source.span, name: item.source }, place.scope);
  if (isFaulty(plan)) return [];
  if (plan.type.kind === 'RecordType') return spread(plan, item.span);
  report(context, 'unknown-name', item.source.span, item.source.text, null);
  return [];
}

function sourcesNamed(place: Place, name: Name): readonly CheckedSource[] {
  const { sources } = place.sources;
  return meant(name, (matches) => sources.filter(({ alias }) => alias !== null && matches(alias)));
}

function replaced(context: CheckContext, fields: readonly NamedPlan[], item: StarItem, scope: Scope): readonly NamedPlan[] {
  const { type } = makeRecord(context, item.span, fields);
  const replacements = item.replace.map(({ name, value, span }) => ({
    name,
    index: fieldIndex(context, type, name),
    by: { plan: checkValue(context, value, scope), span },
  }));
  for (const [i, field] of fields.entries()) {
    const spans = replacements.flatMap(({ name, index }) => (index === i ? [name.span] : []));
    if (spans.length > 1) report(context, 'repeated-field', spans, field.name);
  }
  return fields.map((field, i) => ({ ...field, ...replacements.find(({ index }) => index === i)?.by }));
}

function itemField(context: CheckContext, item: ExpressionItem, index: number, scope: Scope): ItemField {
  const plan = item.alias === null ? checkUnnamed(context, item.value, scope) : checkValue(context, item.value, scope);
  const implied = impliedFieldName(item, plan, scope);
  return {
    name: item.alias?.text ?? implied ?? `_${index + 1}`,
    plan,
    span: item.alias?.span ?? item.span,
    isNamedByUser: item.alias !== null,
    isFromStar: false,
    expression: item.value,
  };
}

/** Checks an item without a name: a field's name in double quotes would be the same text in all rows. */
function checkUnnamed(context: CheckContext, value: Expression, scope: Scope): Plan {
  return quotedField(context, value, scope) ?? checkValue(context, value, scope);
}

/** The implied name in the spelling of the field or alias itself. */
function impliedFieldName(item: ExpressionItem, plan: Plan, scope: Scope): string | null {
  const name = impliedName(item.value);
  if (name === null) return null;
  const declared = item.value.kind === 'NameExpression' ? findCandidates(scope, item.value.name, () => true)[0]?.name : undefined;
  const spelling = plan.kind === 'Field' && plan.target.type.kind === 'RecordType' ? plan.target.type.fields[plan.index]?.name : declared;
  return spelling !== undefined && spelling.toLowerCase() === name.toLowerCase() ? spelling : name;
}

/** Reports names given twice, suggesting AS; duplicate fields of stars are numbered instead. Faulty items have no implicit name. */
function reportRepeated(context: CheckContext, fields: readonly ItemField[]): void {
  const sound = fields.filter((field) => field.isNamedByUser || !isFaulty(field.plan));
  for (const same of repeatedBy(sound, ({ name }) => name))
    if (!same.every(({ isFromStar }) => isFromStar)) report(context, 'repeated-item', spansOf(same), same[0].name);
}

/** Returns the index of the item with a name: exact case first; null if there is none or several. */
export function itemNamed({ items }: CheckedItems, name: Name): number | null {
  const [found, another] = meant(name, (matches) => items.flatMap((item, i) => (item.name !== null && matches(item.name) ? [i] : [])));
  return found === undefined || another !== undefined ? null : found;
}
