/** Types: construction, comparison, unification, casts and printing. */
export { canWideningFail, castKind } from './cast-kind.ts';
export { isComparable } from './comparable-type.ts';
export { hasRecords } from './has-records.ts';
export { NUMERIC_NAMES } from './numeric-types.ts';
export { printType } from './print.ts';
export { hasSameFields, isSameType } from './same-type.ts';
export * from './type-constructors.ts';
export { isAssignable, unify } from './unify.ts';
