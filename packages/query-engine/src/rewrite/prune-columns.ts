import type { Plan, Read, RecordType, Select, Type } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import { ColumnUses, isFieldOfDocument, type ProducedRows } from '../analysis/column-uses.ts';

/**
 * Removes unused columns from sources and documents, and from SELECTs that are sources or declarations. The engine prunes the columns that
 * it reads, but binds and plans every expression of a statement first. A computed value stays: dropping it could hide a
 * failure.
 */
export function pruneColumns(plan: Plan): Plan {
  const uses = new ColumnUses(plan);
  return uses.isAllUsed ? plan : rewrite(plan, uses);
}

function rewrite(plan: Plan, uses: ColumnUses): Plan {
  if (plan.kind === 'Field' && (plan.target.kind === 'Variable' || isFieldOfDocument(plan))) {
    const rows = plan.target.kind === 'Variable' ? uses.rowsOf(plan.target.id) : uses.producedBy(plan.target);
    if (rows !== undefined) return { ...plan, index: rows.kept.indexOf(plan.index), target: rewrite(plan.target, uses) };
  }
  if (plan.kind === 'Variable') return withRowType(plan, uses.rowsOf(plan.id));
  if (plan.kind === 'TableScan') return withRowType(plan, uses.producedBy(plan));
  if (plan.kind === 'Read') return rewriteRead(plan, uses.producedBy(plan));
  if (plan.kind !== 'Select') return mapChildren(plan, (child) => rewrite(child, uses));
  return rewriteSelect(plan, uses);
}

function rewriteRead(read: Read, rows: ProducedRows | undefined): Read {
  const usedByMember = rows?.usedByMember ?? [];
  return { ...withRowType(read, rows), ...(usedByMember.length === 0 ? {} : { usedByMember }) };
}

function rewriteSelect(select: Select, uses: ColumnUses): Select {
  const rows = uses.producedBy(select);
  const pruned = rows === undefined ? select : { ...select, item: pruneItem(select.item, rows, uses) };
  const rewritten = mapChildren(pruned, (child) => rewrite(child, uses)) as Select; // the kind is kept
  return {
    ...withRowType(rewritten, rows),
    sources: rewritten.sources.map((source) => ({ ...source, rowType: prunedType(source.rowType, uses.rowsOf(source.row)) })),
  };
}

/** Returns the item with the kept fields: the row of a source becomes a record if other clauses keep more of its fields. */
function pruneItem(item: Plan, rows: ProducedRows, uses: ColumnUses): Plan {
  const type = prunedType(item.type, rows);
  if (item.kind === 'RecordLiteral') return { ...item, type, values: rows.kept.flatMap((index) => item.values[index] ?? []) };
  if (item.kind !== 'Variable' || item.type.kind !== 'RecordType') return item;
  if (uses.rowsOf(item.id)?.kept.length === rows.kept.length) return item;
  const { fields } = item.type;
  const values = rows.kept.flatMap((index): readonly Plan[] => {
    const field = fields[index];
    return field === undefined ? [] : [{ kind: 'Field', type: field.type, span: item.span, target: item, index }];
  });
  return { kind: 'RecordLiteral', type, span: item.span, values };
}

/** The same node for rows of fewer fields: of a collection, or one of them. */
function withRowType<P extends Plan>(plan: P, rows: ProducedRows | undefined): P {
  if (rows === undefined) return plan;
  const { type } = plan;
  return { ...plan, type: type.kind === 'CollectionType' ? { ...type, element: prunedType(type.element, rows) } : prunedType(type, rows) };
}

function prunedType(type: Type, rows: ProducedRows | undefined): Type {
  if (rows === undefined || type.kind !== 'RecordType') return type;
  const fields: RecordType['fields'] = rows.kept.flatMap((index) => type.fields[index] ?? []);
  return { ...type, fields };
}
