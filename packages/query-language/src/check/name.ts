import { constant } from '../plan/build-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { Name } from '../syntax/ast.ts';
import { callOf } from '../syntax/parser/sql-forms.ts';
import type { Span } from '../text/span.ts';
import type { FunctionType } from '../types/type.ts';
import { double } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { builtinValue } from './builtin-value.ts';
import { placeOf, report } from './check-context.ts';
import { useStoredName } from './stored-name.ts';
import type { Operand } from './operand.ts';
import { asData } from './check-value.ts';
import { isFaulty } from './operand.ts';
import type { Candidate, Scope } from './scope.ts';
import { findCandidates, hidesParameter, levelsOf, meant, nearestFrame, NOT_KNOWN } from './scope.ts';
import { isFieldOfElements, itemWithoutName, nearestName, sampledRowsInSight } from './suggest-name.ts';
import { ownValue } from '../own-value.ts';

const CONSTANTS: Readonly<Record<string, string>> = { nan: 'NaN', inf: 'Infinity' };

/** Resolves a name as a value: innermost scope first, then a built-in function where a function is expected, then views and tables. */
export function checkName(context: CheckContext, name: Name, scope: Scope, wanted: FunctionType | null): Operand {
  const found = findCandidates(scope, name, () => true);
  const [first, second] = found;
  if (second !== undefined) return report(context, 'ambiguous-name', name.span, name.text);
  if (first?.role === 'field' && hidesParameter(scope, name))
    return report(context, 'field-and-parameter', name.span, name.text, first.qualified ?? null);
  if (first !== undefined) return useCandidate(context, first, name.span);
  const builtin = wanted === null ? null : builtinValue(context, name, scope, wanted);
  if (builtin !== null) return builtin;
  const number = name.isQuoted ? undefined : ownValue(CONSTANTS, name.text.toLowerCase());
  if (number !== undefined) return constant(double, number, placeOf(context, name.span));
  const today = name.isQuoted ? undefined : TODAY_AND_NOW.get(name.text.toUpperCase());
  return storedOrBuiltin(context, name, scope, today);
}

/** Names that SQL uses without parentheses. */
const TODAY_AND_NOW: ReadonlyMap<string, string> = new Map([
  ['CURRENT_DATE', 'TODAY'],
  ['CURRENT_TIMESTAMP', 'NOW'],
  ['LOCALTIMESTAMP', 'NOW'],
]);

/** Resolves a view or table, else a name that SQL writes without parentheses, else a built-in function as a value. */
function storedOrBuiltin(context: CheckContext, name: Name, scope: Scope, called: string | undefined): Operand {
  const builtin = (): Operand | null =>
    called === undefined ? builtinValue(context, name, scope, null) : context.checkOperand(callOf(called, name.span, [], name.span), scope);
  const otherwise = (): Operand | null =>
    called === undefined && isItemAround(scope, name) ? report(context, 'item-not-seen', name.span, name.text) : builtin();
  const notFound = (others: readonly string[]): Plan =>
    report(context, 'unknown-name', name.span, name.text, nearestName(scope, name, others), {
      unnamed: itemWithoutName(scope),
      sampledRows: sampledRowsInSight(context, scope),
      isOfElements: isFieldOfElements(scope, name),
    });
  return useStoredName(context, name, notFound, otherwise);
}

/** Returns whether an enclosing SELECT has an item of the name that is not visible at this position. */
function isItemAround(scope: Scope, name: Name): boolean {
  const folded = name.text.toLowerCase();
  return levelsOf(scope).some(({ frame }) =>
    frame?.items.some(
      (item) =>
        item.kind === 'ExpressionItem' &&
        item.alias?.text.toLowerCase() === folded &&
        (name.span.start < item.span.start || name.span.end > item.span.end),
    ),
  );
}

/** Scopes at the name of a source: the sources before it in its FROM (null if they are not visible), and the scope around the SELECT. */
interface SourcePlace {
  readonly own: Scope | null;
  readonly outer: Scope;
}

/**
 * Resolves the bare name of a source: an alias of the same FROM; a parameter or declaration before a field of an outer row;
 * then a view or table. Never a field of an earlier source. A collection takes precedence over nearer candidates that are
 * none.
 */
export function checkSourceName(context: CheckContext, name: Name, place: SourcePlace): Plan {
  const [only, second] = sourcesOfName(name, place);
  if (second !== undefined) return report(context, 'ambiguous-name', name.span, name.text);
  if (only !== undefined) return asData(context, useCandidate(context, only, name.span));
  const aliasOrOuter = (): Operand | null => {
    const aliases = meant(name, (matches) => aliasesOf(place.own, matches));
    const [nearest] = aliases.length > 0 ? aliases : findCandidates(place.outer, name, () => true);
    return nearest === undefined ? null : useCandidate(context, nearest, name.span);
  };
  const stored = useStoredName(
    context,
    name,
    (others) => {
      const suggestion = fieldBefore(name, place) ?? nearestName(place.outer, name, others);
      // In stored text the diagnostic becomes the cause of another one and must be short.
      return report(context, context.text.rootSpan === null ? 'unknown-source' : 'unknown-name', name.span, name.text, suggestion);
    },
    () => aliasOrOuter() ?? builtinValue(context, name, place.outer, null),
  );
  return asData(context, stored);
}

/** Returns the candidates of the first kind and nearest scope that are collections; functions are included, as an error. */
function sourcesOfName(name: Name, { own, outer }: SourcePlace): readonly Candidate[] {
  const levels = levelsOf(outer);
  return meant(name, (matches) => {
    const sourcesOf = (candidates: readonly Candidate[]): readonly Candidate[] =>
      candidates.filter((candidate) => candidate.isFunction === true || isSource(candidate, name.span));
    const inOrder = [aliasesOf(own, matches), ...levels.map((level) => level.find(matches).filter(({ role }) => role !== 'field'))];
    const fields = levels.map((level) => level.find(matches).filter(({ role }) => role === 'field'));
    for (const candidates of [...inOrder, ...fields]) {
      const found = sourcesOf(candidates);
      if (found.length > 0) return found;
    }
    return [];
  });
}

function aliasesOf(own: Scope | null, matches: (name: string) => boolean): readonly Candidate[] {
  return (own?.find(matches) ?? []).filter((candidate) => candidate.role !== 'field' && candidate !== NOT_KNOWN);
}

/** The field of an earlier source that was meant, as it must be written. */
function fieldBefore(name: Name, { own }: SourcePlace): string | null {
  const [field] = own === null ? [] : meant(name, (matches) => own.find(matches).filter(({ role }) => role === 'field'));
  return field?.qualified ?? null;
}

/** Returns whether a candidate is a collection. A possible field of an unknown source is not: a stored name takes precedence. */
function isSource(candidate: Candidate, span: Span): boolean {
  if (candidate === NOT_KNOWN) return false;
  const operand = candidate.use(span);
  return operand.kind !== 'FunctionValue' && (operand.type.kind === 'CollectionType' || isFaulty(operand));
}

function useCandidate(context: CheckContext, candidate: Candidate, span: Span): Operand {
  if (candidate.overloads !== undefined && candidate.overloads.length > 1) return report(context, 'function-not-known', span);
  return candidate.use(span);
}

/** `*` as a value: the row of the SELECT around it, or its group. */
export function checkStar(context: CheckContext, span: Span, scope: Scope): Plan {
  const frame = nearestFrame(scope);
  return frame === null ? report(context, 'star-outside-select', span) : frame.star(placeOf(context, span));
}
