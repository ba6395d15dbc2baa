import type { BlockExpression, CallExpression, LambdaExpression, TypedCallExpression } from './calls.ts';
import type {
  BetweenExpression,
  CaseExpression,
  IfExpression,
  InExpression,
  IsDistinctExpression,
  IsNullExpression,
  LikeExpression,
} from './conditions.ts';
import type { BooleanLiteral, NullLiteral, NumberLiteral, RegexLiteral, StringLiteral, TemporalLiteral } from './literals.ts';
import type {
  AtTimeZoneExpression,
  BinaryExpression,
  CastExpression,
  OrderedChain,
  ParseAsExpression,
  SetExpression,
  UnaryExpression,
} from './operators.ts';
import type { SelectExpression } from './select-expression.ts';
import type {
  CollectionExpression,
  ExcludeExpression,
  FieldAccess,
  IndexAccess,
  IntoExpression,
  NameExpression,
  RecordExpression,
  StarExpression,
} from './values.ts';

/** Union of all expressions. A new kind is a compile error in the printer, the walk and the check. */
export type Expression =
  | NullLiteral
  | BooleanLiteral
  | NumberLiteral
  | StringLiteral
  | TemporalLiteral
  | RegexLiteral
  | NameExpression
  | StarExpression
  | CollectionExpression
  | RecordExpression
  | FieldAccess
  | IndexAccess
  | CallExpression
  | TypedCallExpression
  | UnaryExpression
  | BinaryExpression
  | SetExpression
  | OrderedChain
  | InExpression
  | LikeExpression
  | BetweenExpression
  | IsNullExpression
  | IsDistinctExpression
  | AtTimeZoneExpression
  | IntoExpression
  | ExcludeExpression
  | ParseAsExpression
  | IfExpression
  | CaseExpression
  | CastExpression
  | LambdaExpression
  | BlockExpression
  | SelectExpression;
