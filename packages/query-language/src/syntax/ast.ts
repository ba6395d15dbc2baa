/**
 * What was written: the untyped tree, one readonly interface per construct of the grammar.
 * Every node has `kind` first and a `span`; names keep the case they were written in.
 */
export type * from './ast/calls.ts';
export type * from './ast/conditions.ts';
export type * from './ast/expression.ts';
export type * from './ast/literals.ts';
export type * from './ast/name.ts';
export type * from './ast/operators.ts';
export type * from './ast/program.ts';
export type * from './ast/select-expression.ts';
export type * from './ast/type-expression.ts';
export type * from './ast/values.ts';
