/** Operators of values, of collections and of types. */
import type { Span } from '../../text/span.ts';
import type { Expression } from './expression.ts';
import type { OrderItem } from './select-expression.ts';
import type { TypeExpression } from './type-expression.ts';

/** Operators that stand before their operand. */
export type UnaryOperator = '-' | '+' | 'NOT';

/** `operator operand` */
export interface UnaryExpression {
  readonly kind: 'UnaryExpression';
  readonly span: Span;
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/** The weakest first. */
export type LogicalOperator = 'OR' | 'AND';

/** `=` covers `==`; `<>` covers `!=`. */
export type ComparisonSign = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Operators between values that bind more tightly than a comparison. */
export type ValueOperator = ArithmeticSign | '||' | '++' | '+++';

/** Signs of numbers and of times. */
export type ArithmeticSign = '+' | '-' | '*' | '/' | '%';

/** A new one is a compile error in the lexer, the parser, the printer and the check. */
export type BinaryOperator = LogicalOperator | ComparisonSign | ValueOperator;

/** `left operator right` */
export interface BinaryExpression {
  readonly kind: 'BinaryExpression';
  readonly span: Span;
  readonly operator: BinaryOperator;
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}

/** `(UNION | EXCEPT | INTERSECT) [ALL]`; ORDER BY, LIMIT and OFFSET of the whole chain are in an OrderedChain. */
export interface SetExpression {
  readonly kind: 'SetExpression';
  readonly span: Span;
  readonly operator: 'UNION' | 'UNION ALL' | 'EXCEPT' | 'EXCEPT ALL' | 'INTERSECT' | 'INTERSECT ALL';
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}

/** A chain of set operators followed by ORDER BY, LIMIT or OFFSET of the whole chain. */
export interface OrderedChain {
  readonly kind: 'OrderedChain';
  readonly span: Span;
  readonly operand: SetExpression;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
}

/** `operand AT TIME ZONE zone` */
export interface AtTimeZoneExpression {
  readonly kind: 'AtTimeZoneExpression';
  readonly span: Span;
  readonly operand: Expression;
  readonly zone: Expression;
}

/** `operand PARSE AS regex [SKIP | NULL | ERROR | (e) | literal ON FAIL]` */
export interface ParseAsExpression {
  readonly kind: 'ParseAsExpression';
  readonly span: Span;
  readonly operand: Expression;
  readonly regex: Expression;
  readonly onFail: 'null' | 'skip' | 'error' | 'value';
  readonly failValue: Expression | null;
}

/** `CAST(e AS type)` and `TRY_CAST(e AS type)` */
export interface CastExpression {
  readonly kind: 'CastExpression';
  readonly span: Span;
  readonly isTry: boolean;
  readonly operand: Expression;
  readonly type: TypeExpression;
}
