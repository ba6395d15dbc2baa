import type { Binary } from '../program/term.ts';

/** Precedence levels, loosest first, in the order of docs/language.md. */
export const LEVELS = {
  open: 0,
  union: 1,
  intersect: 2,
  or: 3,
  and: 4,
  not: 5,
  comparison: 6,
  postfix: 7,
  append: 8,
  sum: 9,
  product: 10,
  unary: 11,
  access: 12,
  primary: 13,
} as const;

/** Precedence level of each binary operator. */
export const BINARY_LEVELS: Readonly<Record<Binary['operator'], number>> = {
  UNION: LEVELS.union,
  'UNION ALL': LEVELS.union,
  EXCEPT: LEVELS.union,
  'EXCEPT ALL': LEVELS.union,
  INTERSECT: LEVELS.intersect,
  'INTERSECT ALL': LEVELS.intersect,
  OR: LEVELS.or,
  AND: LEVELS.and,
  '=': LEVELS.comparison,
  '<>': LEVELS.comparison,
  '<': LEVELS.comparison,
  '<=': LEVELS.comparison,
  '>': LEVELS.comparison,
  '>=': LEVELS.comparison,
  'IS DISTINCT FROM': LEVELS.comparison,
  'IS NOT DISTINCT FROM': LEVELS.comparison,
  '++': LEVELS.append,
  '+++': LEVELS.append,
  '+': LEVELS.sum,
  '-': LEVELS.sum,
  '||': LEVELS.sum,
  '*': LEVELS.product,
  '/': LEVELS.product,
  '%': LEVELS.product,
};
