import type { Plan, Type } from '@svc/query-language';

import type { LoweringContext } from './lowering-context.ts';
import { LoweringUnsupported } from './lowering-unsupported.ts';

/**
 * The engine takes twice the time to plan a lambda for each one in whose body it stands: each character counts that many times.
 * This is about a tenth of a second of plain values, a second of those with many casts.
 */
const MAX_WEIGHT = 4_000_000;

/** What stands in fewer does not count, however much it is. */
const FEW = 6;

/** What repeats itself within itself grows past this before it is a burden. */
const MAX_SQL_LENGTH = 10_000_000;

/** The SQL of a value, or LoweringUnsupported at its place: it is too long or, where that is looked for, its lambdas are too deep. */
export function withinLimits(context: LoweringContext, plan: Plan, sql: string): string {
  if (sql.length > MAX_SQL_LENGTH)
    throw new LoweringUnsupported(
      'the program is too large once all that it repeats is written out: give what is used often a declaration',
      plan.span,
    );
  if (context.isDepthMeasured && !isPlannedSoon(sql))
    throw new LoweringUnsupported(
      'collections are worked on in too many levels within one another: give the inner ones a declaration of their own, or take them as sources in FROM',
      plan.span,
    );
  return sql;
}

/** So many levels of collections a result has at most: each is printed by a lambda, unless it holds what JSON has. */
const MAX_RESULT_LEVELS = 10;

const PRINTED_AS_THEY_ARE = new Set(['byte', 'short', 'int', 'long', 'bool', 'string']);

/** Refuses a result that would take too many lambdas to print. */
export function checkResultDepth({ type, span }: Plan): void {
  if (levelsOf(type) > MAX_RESULT_LEVELS)
    throw new LoweringUnsupported(
      `the result has more than ${MAX_RESULT_LEVELS} levels of collections: give fewer, or the inner ones as text by TO_JSON`,
      span,
    );
}

/** The levels of collections down to values that are printed otherwise than JSON would. */
function levelsOf(type: Type): number {
  if (type.kind === 'CollectionType') return isPlain(type.element) ? 0 : 1 + levelsOf(type.element);
  return type.kind === 'RecordType' ? Math.max(0, ...type.fields.map((field) => levelsOf(field.type))) : 0;
}

function isPlain(type: Type): boolean {
  if (type.kind === 'CollectionType') return isPlain(type.element);
  return type.kind === 'PrimitiveType' && PRINTED_AS_THEY_ARE.has(type.name);
}

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\blambda [^:]*:|[()[\],]/g;

/** Whether the lambdas in a statement stand so little in the bodies (not the arguments) of one another that the engine plans it soon. */
export function isPlannedSoon(sql: string): boolean {
  const lambdas = sql.split('lambda ').length - 1;
  if (sql.length * 2 ** lambdas <= MAX_WEIGHT) return true;
  const brackets: number[] = [];
  let [bodies, weight, last] = [0, 0, 0];
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (bodies >= FEW) weight += (index - last) * 2 ** bodies;
    last = index;
    if (weight > MAX_WEIGHT) return false;
    if (token === '(' || token === '[') brackets.push(0);
    else if (token.startsWith('lambda ')) {
      brackets.push((brackets.pop() ?? 0) + 1);
      bodies += 1;
    } else if (token === ',' || token === ')' || token === ']') {
      bodies -= brackets.pop() ?? 0;
      if (token === ',') brackets.push(0);
    }
  }
  return true;
}
