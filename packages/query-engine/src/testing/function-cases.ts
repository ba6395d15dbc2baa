import type { Constant, Type } from '@svc/query-language';
import { binary, collectionOf, date, decimal, double, int, long, nullable, printType, regex, string, timestamp } from '@svc/query-language';

import { FUNCTION_LOWERINGS } from '../lowering/functions/index.ts';
import type { LoweredArgument } from '../lowering/lowering-types.ts';
import { lowerConstant } from '../lowering/scalars/lower-constant.ts';
import { duckType } from '../representation/duck-type.ts';
import { sqlText } from '../sql/print-sql.ts';
import { verbatim, type Sql } from '../sql/sql.ts';
import { openSqlEvaluator, plainCall, type SqlEvaluator } from './evaluate-sql.ts';

/** A function with its arguments, the type of its result, and the engine's text of that or `! ` and how it fails. */
export type FunctionCase = readonly [name: string, args: readonly LoweredArgument[], result: Type, expected: string];

/** Defines a test for each call, on an engine of their own: of its value, and of the engine's type of the result. */
export function checkFunctions(cases: readonly FunctionCase[]): void {
  let engine: SqlEvaluator;
  beforeAll(async () => {
    engine = await openSqlEvaluator();
  });
  afterAll(() => engine.close());

  it.each(
    cases.map(([name, args, type, expected], i): [string, () => string, string, Type] => [
      `${i}: ${name}(${args.map((arg) => (arg.constant === undefined ? printType(arg.type) : String(arg.constant))).join(', ')})`,
      () => sqlText(lower(name, args, type)),
      expected,
      type,
    ]),
  )('%s', async (_, lowered, expected, type) => {
    const sql = lowered();
    expect(await engine.evaluate(sql)).toBe(expected);
    const wanted = await engine.evaluate(`typeof(CAST(NULL AS ${duckType(type)}))`);
    expect(expected.startsWith('!') ? wanted : await engine.evaluate(`typeof(${sql})`)).toBe(wanted);
  });
}

const span = { begin: 0, end: 0 } as never;
/** A constant argument. */
export const constant = (type: Type, value: Constant['value']): LoweredArgument => ({
  get sql() {
    return lowerConstant({ kind: 'Constant', type, span, value });
  },
  type,
  constant: value,
});
/** A constant string. */
export const s = (value: string | null): LoweredArgument => constant(value === null ? nullable(string) : string, value);
/** A constant regex. */
export const r = (value: string): LoweredArgument => constant(regex, value);
/** A constant int. */
export const i = (value: number | null): LoweredArgument =>
  constant(value === null ? nullable(int) : int, value === null ? null : String(value));
/** A constant long. */
export const l = (value: number | string): LoweredArgument => constant(long, String(value));
/** A constant double. */
export const d = (value: number | string): LoweredArgument => constant(double, String(value));
/** A constant decimal. */
export const dec = (value: string): LoweredArgument => constant(decimal, value);
/** An argument that is not constant, so that nothing is folded. */
export const e = (sql: string, type: Type): LoweredArgument => ({ sql: verbatim(sql), type, constant: undefined });
/** A collection of its SQL. */
export const list = (sql: string, element: Type): LoweredArgument => e(`CAST(${sql} AS ${duckType(element)}[])`, collectionOf(element));
/** A constant timestamp. */
export const ts = (text: string): LoweredArgument => constant(timestamp, text);
/** A constant date. */
export const day = (text: string): LoweredArgument => constant(date, text);
/** A binary of its SQL. */
export const bytes = (sql: string): LoweredArgument => e(sql, binary);
/** An argument that is the result of another function. */
export const result = (name: string, args: readonly LoweredArgument[], type: Type): LoweredArgument => ({
  get sql() {
    return lower(name, args, type);
  },
  type,
  constant: undefined,
});

/** The SQL of a call. */
const lower = (name: string, args: readonly LoweredArgument[], type: Type): Sql => {
  const lowering = FUNCTION_LOWERINGS[name];
  if (lowering === undefined) throw new Error(`no lowering of ${name}`);
  return lowering(args, { ...plainCall, type, functionName: name });
};
