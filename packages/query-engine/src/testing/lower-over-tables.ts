import type { CheckEnvironment, Plan } from '@svc/query-language';

import type { LoweredQuery } from '../lowering/lower-plan.ts';
import { lowerPlan } from '../lowering/lower-plan.ts';
import type { ReaderRelation } from '../lowering/lowering-context.ts';
import { memberNames } from '../representation/member-names.ts';
import { typeOf } from './check-text.ts';
import { inferText } from './infer-text.ts';

/** Tables by name: the type of their rows and the SQL that returns them, with columns named as the type's fields. */
export type TestTables = Readonly<Record<string, { readonly type: string; readonly sql: string }>>;

/** An environment in which some tables are all that there is. */
export function environmentOf(tables: TestTables): CheckEnvironment {
  return {
    findRead: () => undefined,
    findPackage: () => undefined,
    inferText,
    findName: ({ name }) => {
      const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
      return table === undefined ? { kind: 'nothing', candidates: [] } : { kind: 'table', name, type: typeOf(`collection(${table.type})`) };
    },
  };
}

/** Lowers a plan that was checked over these tables; located: every failure of it has its place. */
export function lowerOverTables(plan: Plan, tables: TestTables, { hasErrorPositions } = { hasErrorPositions: false }): LoweredQuery {
  return lowerPlan(plan, {
    hasErrorPositions,
    reader: (key) => {
      throw new Error(`nothing is to be read: ${key}`);
    },
    tableScan: (name) => scanOf(name, tables),
  });
}

function scanOf(name: string, tables: TestTables): ReaderRelation {
  const table = tables[name];
  const type = typeOf(table?.type ?? 'record()');
  if (table === undefined || type.kind !== 'RecordType') throw new Error(`there is no table ${name}`);
  const names = memberNames(type.fields);
  return {
    sql: table.sql,
    layout: { kind: 'columns', columns: type.fields.map((field, i) => ({ name: names[i] ?? field.name, field })) },
  };
}
