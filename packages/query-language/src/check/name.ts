import type { Plan } from '../plan/plan.ts';
import type { Name } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import { double } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { builtinValue } from './builtin-value.ts';
import { placeOf, report, tryCheck } from './check-context.ts';
import { useStoredName } from './stored-name.ts';
import type { Operand } from './operand.ts';
import { isFaulty } from './operand.ts';
import type { Candidate, Scope } from './scope.ts';
import { findCandidates, lostName, namesInSight, nearestFrame, NOT_KNOWN } from './scope.ts';
import { suggest } from '../text/suggest.ts';
import { functionOfSql } from '../functions/sql-names.ts';
import { ownValue } from '../own-value.ts';

const CONSTANTS: Readonly<Record<string, string>> = { nan: 'NaN', inf: 'Infinity' };

/** A name where a value is expected: innermost scope first, then views and tables. */
export function checkName(context: CheckContext, name: Name, scope: Scope): Operand {
  const found = findCandidates(scope, name, () => true);
  const [first, second] = found;
  if (second !== undefined) return report(context, 'ambiguous-name', name.span, name.text);
  if (first !== undefined) return useCandidate(context, first, name.span);
  const constant = name.isQuoted ? undefined : ownValue(CONSTANTS, name.text.toLowerCase());
  if (constant !== undefined) {
    return {
      kind: 'Constant',
      type: double,
      span: placeOf(context, name.span),
      value: constant,
    };
  }
  return storedOrBuiltin(context, name, scope);
}

/** A view or table, else a built-in function as a value. */
function storedOrBuiltin(context: CheckContext, name: Name, scope: Scope): Operand {
  const builtin = (): Operand | null => builtinValue(context, name, scope, null);
  return useStoredName(context, name, (others) => nearestName(scope, name, others), builtin);
}

/** The name of a source: a collection of that name, even where a row of the same name is nearer. Null where it is no such name. */
export function checkSourceName(context: CheckContext, name: Name, scope: Scope): Plan | null {
  const [nearest] = findCandidates(scope, name, () => true);
  if (nearest === undefined || nearest.isFunction === true || isSource(nearest, name.span)) return null;
  const others = findCandidates(scope, name, (candidate) => candidate.isFunction !== true && isSource(candidate, name.span));
  const [only, second] = others;
  if (second !== undefined) return report(context, 'ambiguous-name', name.span, name.text);
  const found = only === undefined ? tryCheck(context, () => useStoredName(context, name, () => null)) : only.use(name.span);
  return found?.kind === 'FunctionValue' ? null : found;
}

/** Whether rows can be read from it; of what may be a field of a source that is not known, a stored name is nearer. */
function isSource(candidate: Candidate, span: Span): boolean {
  if (candidate === NOT_KNOWN) return false;
  const operand = candidate.use(span);
  return operand.kind !== 'FunctionValue' && (operand.type.kind === 'CollectionType' || isFaulty(operand));
}

function useCandidate(context: CheckContext, candidate: Candidate, span: Span): Operand {
  if (candidate.overloads !== undefined && candidate.overloads.length > 1) return report(context, 'function-not-known', span);
  return candidate.use(span);
}

/** What was meant by a name that nothing has: an item that a SELECT in FROM gives without it, or the nearest name in sight. */
function nearestName(scope: Scope, name: Name, others: readonly string[]): string | null {
  return lostName(scope, name) ?? nowOfSql(name) ?? suggest(name.text, [...namesInSight(scope), ...others]);
}

/** Other dialects of SQL write the date and the moment of today without parentheses. */
function nowOfSql(name: Name): string | null {
  const ours = functionOfSql(name.text);
  return ours === 'NOW' || ours === 'TODAY' ? `${ours}()` : null;
}

/** `*` as a value: the row of the SELECT around it, or its group. */
export function checkStar(context: CheckContext, span: Span, scope: Scope): Plan {
  const frame = nearestFrame(scope);
  return frame === null ? report(context, 'star-outside-select', span) : frame.star(placeOf(context, span));
}
