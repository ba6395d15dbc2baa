/** Operators of numbers and of times. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

/** Operators with a boolean result. */
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'IS DISTINCT FROM' | 'IS NOT DISTINCT FROM';

/** Operators of collections. */
export type SetOperator = 'UNION' | 'UNION ALL' | 'EXCEPT' | 'EXCEPT ALL' | 'INTERSECT' | 'INTERSECT ALL';
