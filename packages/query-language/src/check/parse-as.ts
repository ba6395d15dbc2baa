import { CONSTANT_REGEX } from '../functions/constant-argument.ts';
import { typeOfMatch } from '../functions/regex-groups.ts';
import { constant, not } from '../plan/build-plan.ts';
import type { Call, Plan } from '../plan/plan.ts';
import type { ParseAsExpression } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { Type } from '../types/type.ts';
import { bool, collectionOf, isAssignable, nullable, printType, regex, string } from '../types/types.ts';
import { checkConstantArguments } from './call/constant-arguments.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, isFaulty } from './operand.ts';
import { placeOf, report } from './check-context.ts';
import { commonType, convertTo, expectOperand, mayBeNull, unifyOperands } from './convert.ts';
import { checkValue } from './check-value.ts';
import type { SimpleSelect } from './map-collection.ts';
import { selectFrom } from './map-collection.ts';
import type { Scope } from './scope.ts';

const STRINGS = nullable(collectionOf(nullable(string)));

/**
 * `c PARSE AS regex [… ON FAIL]`: the captures of each text that the regex matches as a whole. A text that does not match
 * yields NULL, no element, an error, or a given value; NULL stays NULL.
 */
export function checkParseAs(context: CheckContext, node: ParseAsExpression, scope: Scope): Plan {
  const collection = checkValue(context, node.operand, scope);
  const pattern = expectOperand(context, checkValue(context, node.regex, scope), regex, node.regex.span);
  const fallback = node.failValue === null ? null : checkValue(context, node.failValue, scope);
  if ([collection, pattern].some(isFaulty)) return errorPlan(node.span);
  if (!isAssignable(collection.type, STRINGS))
    return report(context, 'type-mismatch', node.operand.span, printType(collectionOf(string)), printType(collection.type), null);
  const constants = checkConstantArguments(context, CONSTANT_REGEX, [collection, pattern], [node.operand.span, node.regex.span]);
  if (constants === 'unknown') {
    context.text.untypedReads.push(node.span);
    return errorPlan(node.span);
  }
  const constant = constants?.[1];
  if (constant?.kind !== 'Constant') return errorPlan(node.span);
  const match = typeof constant.value === 'string' ? typeOfMatch(constant.value) : nullable(string);
  const results = resultsOf(context, node, match, fallback);
  if (results === null) return errorPlan(node.span);
  const span = placeOf(context, node.span);
  const texts = convertTo(collection, collectionOf(mayHoldNull(collection.type) ? nullable(string) : string));
  return selectFrom(context, texts, span, (text) => parseOne({ node, span, pattern: constant, ...results }, text));
}

interface Results {
  readonly match: Type;
  /** Value for a text that does not match, if one is given. */
  readonly fallback: Plan | null;
}

/** The type of a match, brought together with that of the value given for no match; null after a report. */
function resultsOf(context: CheckContext, node: ParseAsExpression, match: Type, fallback: Plan | null): Results | null {
  if (fallback === null) return { match, fallback };
  const sample = constant(match, null, node.regex.span);
  const unified = unifyOperands(context, [sample, fallback], [node.regex.span, node.failValue?.span ?? node.span]);
  const [, given] = unified ?? [];
  return unified === null || given === undefined ? null : { match: commonType(unified), fallback: given };
}

function mayHoldNull(type: Type): boolean {
  return type.kind === 'CollectionType' && type.element.isNullable;
}

interface OneText extends Results {
  readonly node: ParseAsExpression;
  readonly span: Span;
  readonly pattern: Plan;
}

/** Returns the item of one text, and the condition under which it is present. */
function parseOne(at: OneText, text: Plan): SimpleSelect {
  const { node, span, fallback } = at;
  const orNull = (type: Type): Type => (mayBeNull(text) ? nullable(type) : type);
  const call = (name: string, type: Type): Call => ({
    kind: 'Call',
    type,
    span,
    function: name,
    arguments: [text, at.pattern],
  });
  const matches = call('MATCHES', orNull(bool));
  switch (node.onFail) {
    case 'error':
      return { item: call('PARSE', orNull(at.match)) };
    case 'null':
      return { item: call('TRY_PARSE', nullable(at.match)) };
    case 'skip': {
      const right = constant(bool, false, span);
      const where: Plan = { kind: 'Comparison', type: bool, span, operator: 'is-distinct', left: matches, right };
      return { where: mayBeNull(text) ? where : matches, item: call('TRY_PARSE', orNull(at.match)) };
    }
    case 'value': {
      if (fallback === null) throw new Error('a value for texts that do not match is written');
      const type = orNull(at.match);
      const otherwise = convertTo(fallback, at.match);
      const item: Plan = {
        kind: 'Case',
        type,
        span,
        branches: [{ when: not(matches), then: otherwise }],
        otherwise: call('TRY_PARSE', type),
      };
      return { item };
    }
  }
}
