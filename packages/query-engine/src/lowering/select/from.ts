import type { Plan, PlanSource, Select, VariableId } from '@svc/query-language';

import { quoteIdentifier } from '../../representation/sql-text.ts';
import type { Binding, LoweringContext, Scope } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { lowerValue, holdsSubquery } from '../lower-value.ts';
import { lowerRelation, rowBinding } from '../lower-relation.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { usesAny } from '../variables.ts';

/** The FROM of a statement, with what the row variables stand for below it. */
export interface From {
  readonly sql: string;
  readonly bindings: ReadonlyMap<VariableId, Binding>;
  readonly isJoin: boolean;
}

/** All sources of a Select as one FROM clause: independent ones are joined, dependent ones unnested in a sub-select. */
export function lowerFrom(context: LoweringContext, plan: Select, scope: Scope, options: { readonly keepsOrder: boolean }): From {
  const [first, ...rest] = plan.sources;
  if (first === undefined) throw new Error('a SELECT has a source');
  let from = firstSource(context, first, scope, options);
  for (const source of rest) {
    const isDependent = usesAny(source.collection, new Set(from.bindings.keys()));
    from = isDependent ? unnestSource(context, from, source, scope) : joinSource(context, from, source, scope);
  }
  return from;
}

/** The scope below a FROM. */
export function scopeOf(scope: Scope, from: From): Scope {
  return new Map([...scope, ...from.bindings]);
}

function firstSource(context: LoweringContext, source: PlanSource, scope: Scope, options: { readonly keepsOrder: boolean }): From {
  const relation = readSource(context, source, scope, options);
  const alias = freshName(context, 's');
  return { sql: `(${relation.sql}) AS ${alias}`, bindings: bindingsOf(source, relation, alias, source.isOptional), isJoin: false };
}

interface SourceRelation {
  readonly sql: string;
  readonly layout: ReturnType<typeof lowerRelation>['layout'];
  readonly position: string | null;
  readonly present: string | null;
}

/** A source's relation, with its position and a mark of presence where they are wanted. */
function readSource(context: LoweringContext, source: PlanSource, scope: Scope, options: { readonly keepsOrder: boolean }): SourceRelation {
  const relation = lowerRelation(context, source.collection, scope, { keepsOrder: options.keepsOrder || source.position !== null });
  const alias = freshName(context, 'p');
  const extras = [
    ...(source.position === null ? [] : [`row_number() OVER () - 1 AS "position of ${source.row}"`]),
    ...(source.isOptional && relation.layout.kind === 'columns' ? [`TRUE AS "presence of ${source.row}"`] : []),
  ];
  const sql = extras.length === 0 ? relation.sql : `SELECT ${alias}.*, ${extras.join(', ')} FROM (${relation.sql}) AS ${alias}`;
  return {
    sql, layout: relation.layout, position: source.position === null ? null : `position of ${source.row}`,
    present: source.isOptional && relation.layout.kind === 'columns' ? `presence of ${source.row}` : null,
  };
}

function bindingsOf(source: PlanSource, relation: SourceRelation, alias: string, isOptional: boolean): ReadonlyMap<VariableId, Binding> {
  const present = isOptional && relation.present !== null ? `${alias}.${quoteIdentifier(relation.present)}` : null;
  const bindings = new Map<VariableId, Binding>([[source.row, rowBinding(relation.layout, alias, present)]]);
  if (source.position !== null && relation.position !== null) bindings.set(source.position, { kind: 'sql', sql: `${alias}.${quoteIdentifier(relation.position)}` });
  return bindings;
}

const JOINS = { cross: 'CROSS JOIN', inner: 'JOIN', left: 'LEFT JOIN', right: 'RIGHT JOIN', full: 'FULL JOIN' } as const;

function joinSource(context: LoweringContext, from: From, source: PlanSource, scope: Scope): From {
  const relation = readSource(context, source, scope, { keepsOrder: false });
  const alias = freshName(context, 's');
  const bindings = new Map([...from.bindings, ...bindingsOf(source, relation, alias, source.isOptional)]);
  const on = source.on === null ? null : lowerValue(context, source.on, new Map([...scope, ...bindings]));
  if (on !== null && holdsSubquery(on) && source.join !== 'inner') throw new LoweringUnsupported('a query in the condition of an outer join', source.collection.span);
  const join = source.join === 'cross' || (source.join === 'inner' && on === null) ? 'CROSS JOIN' : JOINS[source.join];
  return { sql: `${from.sql} ${join} (${relation.sql}) AS ${alias}${join === 'CROSS JOIN' ? '' : ` ON ${on ?? 'TRUE'}`}`, bindings, isJoin: true };
}

/** A source that depends on earlier ones: their rows, repeated for each element. Unnesting in a select list keeps order. */
function unnestSource(context: LoweringContext, from: From, source: PlanSource, scope: Scope): From {
  if (source.join === 'right' || source.join === 'full') throw new LoweringUnsupported('a dependent source on the right of RIGHT or FULL JOIN', source.collection.span);
  const inside = scopeOf(scope, from);
  const list = lowerValue(context, source.collection, inside);
  const carried = carry(context, from);
  const alias = freshName(context, 's');
  const [element, position, whole] = [freshName(context, 'e'), freshName(context, 'i'), freshName(context, 'w')];
  const filtered = source.on === null ? list : filteredBy(context, source.on, { source, list, scope: inside });
  const isLeft = source.join === 'left';
  const padded = isLeft ? `CASE WHEN len(${whole}) > 0 THEN ${whole} ELSE [NULL] END` : whole;
  const positions = isLeft ? `CASE WHEN len(${whole}) > 0 THEN range(len(${whole})) ELSE [NULL] END` : `range(len(${whole}))`;
  const inner = `SELECT ${[...carried.items, `${filtered} AS ${whole}`].join(', ')} FROM ${from.sql}`;
  const items = [...carried.names, `unnest(${padded}) AS ${element}`, ...(source.position === null ? [] : [`unnest(${positions}) AS ${position}`])];
  const bindings = carried.rebind(alias);
  bindings.set(source.row, { kind: 'sql', sql: `${alias}.${element}` });
  if (source.position !== null) bindings.set(source.position, { kind: 'sql', sql: `${alias}.${position}` });
  if (source.position !== null && source.on !== null) throw new LoweringUnsupported('AT with a condition on a dependent source', source.collection.span);
  return { sql: `(SELECT ${items.join(', ')} FROM (${inner}) AS ${freshName(context, 't')}) AS ${alias}`, bindings, isJoin: from.isJoin };
}

function filteredBy(context: LoweringContext, on: Plan, at: { readonly source: PlanSource; readonly list: string; readonly scope: Scope }): string {
  const element = freshName(context, 'x');
  const condition = lowerValue(context, on, new Map(at.scope).set(at.source.row, { kind: 'sql', sql: element }));
  if (holdsSubquery(condition)) throw new LoweringUnsupported('a query in the condition of a dependent source', on.span);
  return `list_filter(${at.list}, lambda ${element}: coalesce(${condition}, FALSE))`;
}

/** All that is bound so far, as columns of a sub-select. */
export interface Carried {
  readonly items: readonly string[];
  readonly names: readonly string[];
  readonly rebind: (alias: string) => Map<VariableId, Binding>;
}

/** Carries the rows of a FROM through a sub-select under new names. */
export function carry(context: LoweringContext, from: From): Carried {
  const items: string[] = [];
  const names: string[] = [];
  const rename = (sql: string): string => {
    const name = freshName(context, 'c');
    items.push(`${sql} AS ${name}`);
    names.push(name);
    return name;
  };
  const renamed = [...from.bindings].map(([id, binding]) => {
    if (binding.kind === 'sql') return { id, columns: [rename(binding.sql)], present: null, isRow: false };
    if (binding.kind === 'relation') throw new Error('a relation is no column');
    return { id, columns: binding.columns.map(rename), present: binding.present === null ? null : rename(binding.present), isRow: true };
  });
  return {
    items, names,
    rebind: (alias) => new Map(renamed.map(({ id, columns, present, isRow }): [VariableId, Binding] => {
      const qualified = columns.map((column) => `${alias}.${column}`);
      return [id, isRow ? { kind: 'row', columns: qualified, present: present === null ? null : `${alias}.${present}` } : { kind: 'sql', sql: qualified[0] ?? 'NULL' }];
    })),
  };
}

