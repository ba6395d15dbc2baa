/** Calls with their windows, and the functions and blocks that are written in place. */
import type { Span } from '../../text/span.ts';
import type { Expression } from './expression.ts';
import type { Name } from './name.ts';
import type { Declaration, Parameter } from './program.ts';
import type { OrderItem } from './select-expression.ts';
import type { TypeExpression } from './type-expression.ts';

/** `callee(arguments) [FILTER (WHERE e)] [IGNORE NULLS] [OVER (…)]`; DISTINCT and ORDER BY inside the parentheses. */
export interface CallExpression {
  readonly kind: 'CallExpression';
  readonly span: Span;
  readonly callee: Expression;
  readonly arguments: readonly Argument[];
  readonly isDistinct: boolean;
  readonly orderBy: readonly OrderItem[];
  readonly filter: Expression | null;
  readonly ignoresNulls: boolean;
  readonly window: Window | null;
}

/** `expression` or `name := expression` */
export interface Argument {
  readonly kind: 'Argument';
  readonly span: Span;
  /** Span of the parentheses around the whole value, if any. */
  readonly bracketSpan: Span | null;
  readonly name: Name | null;
  readonly value: Expression;
}

/** `OVER ([PARTITION BY …] [ORDER BY …] [(ROWS | RANGE) BETWEEN … AND …])` */
export interface Window {
  readonly kind: 'Window';
  readonly span: Span;
  /** The named window of the WINDOW clause that this one extends. */
  readonly base: Name | null;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: WindowFrame | null;
}

/** `(ROWS | RANGE) BETWEEN bound AND bound` */
export interface WindowFrame {
  readonly kind: 'WindowFrame';
  readonly span: Span;
  readonly unit: 'rows' | 'range';
  readonly start: FrameBound;
  readonly end: FrameBound;
}

/** `UNBOUNDED|offset PRECEDING|FOLLOWING`, `CURRENT ROW` */
export interface FrameBound {
  readonly kind: 'FrameBound';
  readonly span: Span;
  readonly type: 'unbounded-preceding' | 'preceding' | 'current-row' | 'following' | 'unbounded-following';
  readonly offset: Expression | null;
}

/** `READ…(location [AS type] {, option := value})` and the PARSE_ family: a call whose first argument may have AS type. */
export interface TypedCallExpression {
  readonly kind: 'TypedCallExpression';
  readonly span: Span;
  readonly callee: Name;
  readonly arguments: readonly Argument[];
  /** The type after AS, and the index of the argument it follows. */
  readonly type: TypeExpression;
  readonly typedArgument: number;
}

/** `\(x: int [, …]) [: type] -> body` */
export interface LambdaExpression {
  readonly kind: 'LambdaExpression';
  readonly span: Span;
  readonly parameters: readonly Parameter[];
  readonly resultType: TypeExpression | null;
  readonly body: Expression;
}

/** `{ declarations expression }`; also the tree of `WITH a AS (…) SELECT …`. */
export interface BlockExpression {
  readonly kind: 'BlockExpression';
  readonly span: Span;
  readonly declarations: readonly Declaration[];
  readonly result: Expression;
}
