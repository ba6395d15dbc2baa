/** Operators as written. A new one is a compile error in their levels, in the parser and in the check. */

/** Operators that stand before their operand. */
export type UnaryOperator = '-' | '+' | 'NOT';

/** The weakest first. */
export type LogicalOperator = 'OR' | 'AND';

/** `=` covers `==`; `<>` covers `!=`. */
export type ComparisonSign = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Operators between values that bind more tightly than a comparison. */
export type ValueOperator = ArithmeticSign | '||' | '++' | '+++';

/** Signs of numbers and of times. */
export type ArithmeticSign = '+' | '-' | '*' | '/' | '%';

/** Operators between two operands. */
export type BinaryOperator = LogicalOperator | ComparisonSign | ValueOperator;
