import { RE2JS } from 're2js';

import { assertNever } from '../assert-never.ts';
import { constant } from '../plan/build-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { BooleanLiteral, NullLiteral, NumberLiteral, RegexLiteral, StringLiteral, TemporalLiteral } from '../syntax/ast.ts';
import { bool, primitive, regex, string, undeterminedNull } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { placeOf, report } from './check-context.ts';
import { readTemporal } from './temporal-text.ts';

/** Union of all literals. */
export type Literal = NullLiteral | BooleanLiteral | NumberLiteral | StringLiteral | TemporalLiteral | RegexLiteral;

/** The constant of a literal; a temporal text or a regex that cannot be read is a fault. */
export function checkLiteral(context: CheckContext, literal: Literal): Plan {
  const span = placeOf(context, literal.span);
  switch (literal.kind) {
    case 'NullLiteral':
      return constant(undeterminedNull, null, span);
    case 'BooleanLiteral':
      return constant(bool, literal.value, span);
    case 'NumberLiteral':
      return constant(primitive(literal.type), literal.text, span);
    case 'StringLiteral':
      return constant(string, literal.value, span);
    case 'RegexLiteral': {
      const problem = regexProblem(literal.pattern);
      return problem === null ? constant(regex, literal.pattern, span) : report(context, 'invalid-regex', literal.span, problem);
    }
    case 'TemporalLiteral': {
      const value = readTemporal(literal.type, literal.text);
      return value === null
        ? report(context, 'bad-temporal', literal.textSpan, literal.type, literal.text)
        : constant(primitive(literal.type), value, span);
    }
    default:
      return assertNever(literal);
  }
}

/** Maximum length of a regex: compilation takes time proportional to it. */
const MOST_REGEX_CHARACTERS = 1000;

/** Returns why a pattern is not a valid RE2 regular expression, or null. */
function regexProblem(pattern: string): string | null {
  if (pattern.length > MOST_REGEX_CHARACTERS) return `it has more than ${MOST_REGEX_CHARACTERS} characters`;
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return (error as Error).message.replace(/^error parsing regexp: /, ''); // it throws nothing but errors of its own
  }
}
