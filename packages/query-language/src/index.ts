/** The language: text to typed plan. Pure: no input or output, no clock, no engine. */
export { assertNever } from './assert-never.ts';
export { FIXED_READ_TYPES } from './check/call/fixed-read-types.ts';
export { READ_OPTIONS } from './check/call/option-rules.ts';
export type { Use } from './check/check-context.ts';
export type { PackageCheck } from './check/check-package.ts';
export type { PackageFunction, PackageParameter } from './check/public-functions.ts';
export { checkPackage } from './check/check-package.ts';
export type { CheckOptions, CheckResult } from './check/check-program.ts';
export type { TransformCheck } from './check/check-transform.ts';
export { checkTransform, MESSAGE_COLUMNS, MESSAGES } from './check/check-transform.ts';
export { hasDecimals, hasLongNumbers, withDecimalTexts } from './check/long-decimals.ts';
export { argumentProblem, type BoundArgument } from './check/program-arguments.ts';
export { checkProgram } from './check/check-program.ts';
export type { Endpoint, EndpointMethod } from './check/endpoint.ts';
export type {
  CheckEnvironment,
  NameAnswer,
  NameNeed,
  Need,
  OptionValue,
  PackageAnswer,
  PackageNeed,
  ReadAnswer,
  ReadNeed,
  TextAnswer,
} from './check/environment.ts';
export { INTERVAL_TEXT } from './check/interval-text.ts';
export { OFFSET_TEXT, readTemporal } from './check/temporal-text.ts';
export type { Diagnostic } from './diagnostics/diagnostic.ts';
export { isShortText } from './functions/argument-facts.ts';
export { FUNCTIONS, findFunction } from './functions/find-function.ts';
export type { TemplateField } from './functions/java-template.ts';
export { readTemplate } from './functions/java-template.ts';
export type { Overload } from './functions/function-definition.ts';
export { ownValue } from './own-value.ts';
export { nullOf } from './plan/build-plan.ts';
export { childrenOfPlan } from './plan/children-of-plan.ts';
export { COLLECT } from './plan/collect.ts';
export { canFailItself, isCount, isFallible } from './plan/fallibility.ts';
export { findUnguarded } from './plan/find-unguarded.ts';
export { mapChildren, mapSelect } from './plan/map-children.ts';
export { plainSelect } from './plan/plain-select.ts';
export { printPlan } from './plan/print-plan.ts';
export type * from './plan/plan.ts';
export { PlanIndex } from './plan/plan-index.ts';
export { isAsof } from './plan/is-asof.ts';
export { boundBy, boundBySource } from './plan/variables.ts';
export type { Program } from './syntax/ast.ts';
export type { ParseResult } from './syntax/parse.ts';
export { parseProgram } from './syntax/parse.ts';
export { printProgram } from './syntax/print/print-program.ts';
export type { Place, Position, SourceText } from './text/source-text.ts';
export { createSourceText } from './text/source-text.ts';
export type { Span } from './text/span.ts';
export { isFloating } from './types/numeric-types.ts';
export { parseType } from './types/parse.ts';
export { quoteName, printType } from './types/print.ts';
export type * from './types/type.ts';
export {
  anyType,
  binary,
  bool,
  byte,
  canWideningFail,
  castKind,
  collectionOf,
  date,
  decimal,
  double,
  errorType,
  float,
  hasRecords,
  int,
  interval,
  isAssignable,
  isSameType,
  long,
  notNullable,
  nullable,
  primitive,
  recordOf,
  regex,
  short,
  string,
  time,
  timestamp,
  undeterminedNull,
  unify,
} from './types/types.ts';
