import type { Let, Plan, Span } from '@svc/query-language';

import type { RelationLayout } from '../representation/relation-layout.ts';
import type { LoweringContext, LoweringEnvironment, RaisedFailure, Scope } from './lowering-context.ts';
import { createLoweringContext, freshName, placesByLine } from './lowering-context.ts';
import { lowerRelation } from './lower-relation.ts';
import { lowerValue } from './lower-value.ts';
import { lowerSelect } from './select/lower-select.ts';
import { countUses, substitute } from './variables.ts';

/** A plan as a statement of the engine. */
export interface LoweredQuery {
  /** SQL of a relation; for what is no collection, of one row. */
  readonly sql: string;
  readonly layout: RelationLayout;
  readonly isCollection: boolean;
  /** Names of the plan's parameters, in the order of `$1`, `$2`, …; each is bound as text. */
  readonly parameters: readonly string[];
  /** What an error that carries an id says, and where. */
  readonly failures: ReadonlyMap<string, RaisedFailure>;
  /** The places of casts in the text that is run, which may stand anywhere in a longer one, by its lines from 1. */
  readonly placesOf: (sql: string) => ReadonlyMap<number, Span>;
}

/** Says a plan in SQL. Throws LoweringUnsupported where the engine cannot be told. */
export function lowerPlan(plan: Plan, environment: LoweringEnvironment): LoweredQuery {
  const context = createLoweringContext(environment);
  const { body, scope } = openLets(context, plan);
  const isCollection = body.type.kind === 'CollectionType' && !body.type.isNullable;
  const relation = isCollection ? lowerRelation(context, body, scope, { keepsOrder: true }) : oneRow(context, body, scope);
  const tables = context.tables.length === 0 ? '' : `WITH ${context.tables.join(', ')} `;
  return {
    sql: tables + relation.sql, layout: relation.layout, isCollection, parameters: context.parameters, failures: context.failures,
    placesOf: (sql) => placesByLine(context, sql),
  };
}

function oneRow(context: LoweringContext, plan: Plan, scope: Scope): { readonly sql: string; readonly layout: RelationLayout } {
  if (plan.kind === 'Select' && plan.isSingle) return lowerSelect(context, plan, scope, { keepsOrder: false });
  return { sql: `SELECT ${lowerValue(context, plan, scope)} AS v`, layout: { kind: 'value', column: 'v', type: plan.type } };
}

/** The declarations of a program: one that is used once stands where it is used, one that is used more often is computed once. */
function openLets(context: LoweringContext, plan: Plan): { readonly body: Plan; readonly scope: Scope } {
  const scope = new Map<number, { readonly kind: 'relation'; readonly name: string; readonly layout: RelationLayout } | { readonly kind: 'sql'; readonly sql: string }>();
  let body = plan;
  while (body.kind === 'Let') {
    const uses = countUses(body.body).get(body.id) ?? 0;
    if (uses <= 1) body = uses === 0 ? body.body : substitute(body.body, body.id, body.value);
    else {
      scope.set(body.id, shared(context, body, scope));
      body = body.body;
    }
  }
  return { body, scope };
}

function shared(context: LoweringContext, binding: Let, scope: Scope): { readonly kind: 'relation'; readonly name: string; readonly layout: RelationLayout } | { readonly kind: 'sql'; readonly sql: string } {
  const name = freshName(context, 'd');
  const { value } = binding;
  if (value.type.kind === 'CollectionType' && !value.type.isNullable) {
    const relation = lowerRelation(context, value, scope, { keepsOrder: true });
    context.tables.push(`${name} AS MATERIALIZED (${relation.sql})`);
    return { kind: 'relation', name, layout: relation.layout };
  }
  context.tables.push(`${name} AS MATERIALIZED (SELECT ${lowerValue(context, value, scope)} AS v)`);
  return { kind: 'sql', sql: `(SELECT v FROM ${name})` };
}
