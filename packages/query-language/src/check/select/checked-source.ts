import { long, nullable } from '../../types/types.ts';
import type { Plan, PlanSource, VariableId } from '../../plan/plan.ts';
import { boundBySource } from '../../plan/variables.ts';
import type { Span } from '../../text/span.ts';
import type { Type } from '../../types/type.ts';
import type { NamedRows, Scope } from '../scope.ts';
import type { SelectFrame } from './select-frame.ts';
import { isOverGroups } from './select-frame.ts';

/** A checked source of FROM. */
export interface CheckedSource {
  readonly alias: string | null;
  /** What the alias comes from: written, or implied by the name or the path of the source. */
  readonly aliasFrom: 'written' | 'name' | 'path';
  readonly position: string | null;
  /** Properties of its rows that its text determines. */
  readonly rows: NamedRows | null;
  readonly plan: PlanSource;
  /** True if a RIGHT or FULL JOIN follows, which can leave its rows NULL. */
  isOptional: boolean;
  readonly isBroken: boolean;
  readonly frame: SelectFrame;
  /** With several grouping sets: the row type visible to items, in which fields of rolled-up keys are nullable. */
  overGroups: { readonly rowType: Type; readonly isPositionNullable: boolean } | null;
}

/** A field that is visible without qualification: of one source, or merged by USING from several, in their order. */
export interface OpenField {
  readonly name: string;
  readonly parts: readonly { readonly source: CheckedSource; readonly index: number }[];
}

/** The sources of a SELECT, from left to right, and the fields merged by USING. */
export interface FieldsOfSources {
  readonly sources: readonly CheckedSource[];
  readonly merged: readonly OpenField[];
}

/** The checked sources of a SELECT, with the scope of their names. */
export interface CheckedSources extends FieldsOfSources {
  readonly scope: Scope;
}

/** The plan of a source's row; a row that an outer join filled up is NULL. */
export function rowOf(source: CheckedSource, span: Span): Plan {
  const { row } = source.plan;
  const rowType = source.overGroups !== null && isOverGroups(source.frame) ? source.overGroups.rowType : source.plan.rowType;
  return { kind: 'Variable', type: source.isOptional ? nullable(rowType) : rowType, span, id: row };
}

/** The position of a source's row, from AT. */
export function positionOf(source: CheckedSource, span: Span): Plan {
  const id = source.plan.position;
  if (id === null) throw new Error('the source has no position');
  const isRolledUp = source.overGroups?.isPositionNullable === true && isOverGroups(source.frame);
  return { kind: 'Variable', type: source.isOptional || isRolledUp ? nullable(long) : long, span, id };
}

/** The variables of the rows and positions of sources. */
export function variablesOf(sources: readonly { readonly plan: PlanSource }[]): ReadonlySet<VariableId> {
  return new Set(sources.flatMap(({ plan }) => boundBySource(plan)));
}
