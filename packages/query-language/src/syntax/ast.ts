/**
 * The syntax tree: untyped, one readonly interface per construct of the grammar. Every node has `kind` first and a `span`;
 * names keep their case.
 */
export type * from './ast/expression.ts';
export type * from './ast/literals.ts';
export type * from './ast/name.ts';
export type * from './ast/operators.ts';
export type * from './ast/program.ts';
export type * from './ast/type-expression.ts';
