import type { Aggregate, Plan, Select, Variable, VariableId } from '../../plan/plan.ts';
import { mapChildren, mapSelect } from '../../plan/map-children.ts';
import { plainSelect } from '../../plan/plain-select.ts';
import { boundBy, usesAny } from '../../plan/variables.ts';
import { recordOf } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { freshVariable } from '../check-context.ts';
import { fieldOf } from '../record-fields.ts';
import { variablesOf } from './checked-source.ts';
import { groupOf } from './group.ts';
import type { CheckedSource } from './checked-source.ts';

/**
 * Rewrites aggregates that use variables bound by a lambda or query between them and their SELECT. They have no single value
 * per group, so each becomes a query over the rows of the group, as in `(SELECT SUM(a + x) FROM *)`.
 */
export function overCollectedRows(context: CheckContext, plan: Plan, sources: readonly CheckedSource[]): Plan {
  const walk = (part: Plan, within: ReadonlySet<VariableId>): Plan => {
    if (part.kind === 'Aggregate') return usesAny(part, within) ? overCollected(context, part, sources) : part;
    const below = new Set([...within, ...boundBy(part)]);
    const inside = (child: Plan): Plan => walk(child, below);
    return part.kind === 'Select' && part.grouping !== null ? mapSelect(part, inside, (own) => own) : mapChildren(part, inside);
  };
  return walk(plan, new Set());
}

function overCollected(context: CheckContext, aggregate: Aggregate, sources: readonly CheckedSource[]): Select {
  const { span } = aggregate;
  const used = usedRows(aggregate, sources);
  const type = recordOf(used.map((value, i) => ({ name: String(i), type: value.type })));
  const row: Plan = { kind: 'RecordLiteral', type, span, values: used };
  const element = freshVariable(context);
  const moved = (part: Plan): Plan => {
    const index = part.kind === 'Variable' ? used.findIndex(({ id }) => id === part.id) : -1;
    return index < 0 ? mapChildren(part, moved) : fieldOf({ kind: 'Variable', type, span, id: element }, index, part.span);
  };
  const rows = groupOf(context, row, span);
  const select = plainSelect(rows, { row: element, item: mapChildren(aggregate, moved), itemVariable: freshVariable(context), span });
  return { ...select, type: aggregate.type, grouping: { keys: [], sets: null }, isSingle: true };
}

/** The rows and positions that an aggregate uses. */
function usedRows(aggregate: Aggregate, sources: readonly CheckedSource[]): readonly Variable[] {
  const own = variablesOf(sources);
  const used = new Map<VariableId, Variable>();
  const look = (part: Plan): Plan => {
    if (part.kind === 'Variable' && own.has(part.id)) used.set(part.id, part);
    return mapChildren(part, look);
  };
  look(aggregate);
  return [...used.values()];
}
