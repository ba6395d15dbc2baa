import type { Call, Case, Field, Let, Plan, RecordLiteral, RecordType, Type, Variable, VariableId } from '@svc/query-language';
import { bool, notNullable, nullable, PlanIndex } from '@svc/query-language';

import { newVariable } from '../functions-over-relations.ts';
import type { ListRows } from '../collections/list-rows.ts';
import { insideRows } from '../collections/list-rows.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { lowerValue } from '../lower-value.ts';
import { bindAll } from '../scope.ts';
import { onRows, withColumns, type Rows } from './rows.ts';

type Span = Plan['span'];

/** Values of each row that may fail where nobody asks for them: `id` stands for a record of them, which is NULL where one fails. */
export interface Attempt {
  readonly id: VariableId;
  readonly plan: Plan;
}

/** Values of rows in which failures are data, and who tries the same shares an attempt. */
export class Attempts {
  readonly made: Attempt[] = [];
  readonly #known = new PlanIndex<VariableId>();
  readonly #context: LoweringContext;

  constructor(context: LoweringContext) {
    this.#context = context;
  }

  /** The record of the values, tried unless they are sure to fail: a variable. */
  of(values: readonly Plan[], span: Span, sure: Plan | null): Plan {
    const operand = recordOf(values, span);
    const type = nullable(operand.type);
    let id = this.#known.find(operand);
    if (id === undefined) {
      id = newVariable(this.#context);
      this.#known.add(operand, id);
      const tried: Plan = { kind: 'Try', type, span, operand };
      this.made.push({ id, plan: sure === null ? tried : choice(sure, nullOf(tried), tried) });
    }
    return { kind: 'Variable', type, span, id };
  }
}

/** The rows with what was attempted of each as columns. */
export function withAttempts(context: LoweringContext, rows: Rows, attempts: readonly Attempt[]): Rows {
  return attempts.reduce((all, { id, plan }) => {
    const { rows: below, result } = onRows(context, all, (scope) => lowerValue(context, plan, scope));
    const name = freshName(context, 'c');
    const made = withColumns(below, [{ name, sql: result }]);
    return { ...made, scope: bindAll(made.scope, [[id, { kind: 'sql', sql: name }]]) };
  }, rows);
}

/** The same of rows that are the elements of a list. */
export function withListAttempts(context: LoweringContext, rows: ListRows, attempts: readonly Attempt[]): ListRows {
  if (attempts.length === 0) return rows;
  const element = freshName(context, 'x');
  const inside = insideRows(rows);
  const members = attempts.map(({ plan }, i) => `t${i} := ${lowerValue(context, plan, inside)}`);
  return {
    ...rows,
    list: `list_transform(${rows.list}, lambda ${rows.element}: struct_pack(${[`r := ${rows.element}`, ...members].join(', ')}))`,
    element,
    bindings: [
      ...rows.bindings.map(([id, at]) => [id, at.replace(rows.element, `${element}.r`)] as const),
      ...attempts.map(({ id }, i) => [id, `${element}.t${i}`] as const),
    ],
  };
}

/** The record of some values. */
export function recordOf(values: readonly Plan[], span: Span): RecordLiteral {
  const fields = values.map((value, i) => ({ name: `_${i + 1}`, type: value.type }));
  const type: RecordType = { kind: 'RecordType', fields, isNullable: false };
  return { kind: 'RecordLiteral', type, span, values };
}

/** A value of a record, which is NULL where that is. */
export function fieldOf(target: Plan, index: number, type: Type): Field {
  return { kind: 'Field', type: nullable(type), span: target.span, target, index };
}

/** Whether a value is NULL. */
export function isNull(operand: Plan): Plan {
  return { kind: 'IsNull', type: bool, span: operand.span, operand };
}

/** A value where a condition holds, else NULL. */
export function onlyWhere(when: Plan | null, then: Plan): Plan {
  return when === null ? then : choice(when, then, nullOf(then));
}

/** One of two values. */
export function choice(when: Plan, then: Plan, otherwise: Plan): Case {
  return { kind: 'Case', type: nullable(then.type), span: then.span, branches: [{ when, then }], otherwise };
}

/** NULL of the type of a value. */
function nullOf({ type, span }: Plan): Plan {
  return { kind: 'Constant', type: nullable(type), span, value: null };
}

/** Fails as the values do, one of which is known to. */
function failing(values: readonly Plan[], { type, span }: Pick<Plan, 'type' | 'span'>): Call {
  return { kind: 'Call', type: notNullable(type), span, function: 'FAIL', arguments: values };
}

/** Values that have failed where the condition holds, and will again. */
export interface Failure {
  readonly when: Plan;
  readonly values: readonly Plan[];
}

/** A value where none has failed before it: `failures` are asked in their order. */
export function unlessFailed(failures: readonly Failure[], value: Plan): Plan {
  if (failures.length === 0) return value;
  const branches = failures.map(({ when, values }) => ({ when, then: failing(values, value) }));
  return { kind: 'Case', type: value.type, span: value.span, branches, otherwise: value };
}

/** A value with a variable that stands for another, also within queries of its own, whose aggregates are others. */
export function letBe(variable: Variable, value: Plan, body: Plan): Let {
  return { kind: 'Let', type: body.type, span: body.span, id: variable.id, name: 'failed', value, body };
}

/** The negation of a condition. */
export function not(operand: Plan): Plan {
  return { kind: 'Not', type: bool, span: operand.span, operand };
}
