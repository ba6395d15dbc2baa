/** Conditions in words, and choices. */
import type { Span } from '../../text/span.ts';
import type { Expression } from './expression.ts';

/** `operand [NOT] IN right`; for `(e, …)` `list` is set and `right` is null. */
export interface InExpression {
  readonly kind: 'InExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly operand: Expression;
  readonly right: Expression | null;
  readonly list: readonly Expression[] | null;
}

/** `operand [NOT] LIKE|ILIKE pattern [ESCAPE escape]` */
export interface LikeExpression {
  readonly kind: 'LikeExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly isCaseInsensitive: boolean;
  readonly operand: Expression;
  readonly pattern: Expression;
  readonly escape: Expression | null;
}

/** `operand [NOT] BETWEEN low AND high` */
export interface BetweenExpression {
  readonly kind: 'BetweenExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

/** `operand IS [NOT] NULL` */
export interface IsNullExpression {
  readonly kind: 'IsNullExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly operand: Expression;
}

/** `left IS [NOT] DISTINCT FROM right` */
export interface IsDistinctExpression {
  readonly kind: 'IsDistinctExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly left: Expression;
  readonly right: Expression;
}

/** `IF condition THEN value ELSE value` */
export interface IfExpression {
  readonly kind: 'IfExpression';
  readonly span: Span;
  readonly condition: Expression;
  readonly consequent: Expression;
  readonly alternate: Expression;
}

/** Both SQL forms: `operand` is null in the searched one. */
export interface CaseExpression {
  readonly kind: 'CaseExpression';
  readonly span: Span;
  readonly operand: Expression | null;
  readonly branches: readonly CaseBranch[];
  readonly alternate: Expression | null;
}

/** `WHEN when THEN then` */
export interface CaseBranch {
  readonly kind: 'CaseBranch';
  readonly span: Span;
  readonly when: Expression;
  readonly then: Expression;
}
