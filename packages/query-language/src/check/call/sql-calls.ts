import { functionOfPart, PART_NAMES, renamedCall } from '../../syntax/parser/sql-forms.ts';
import { ownValue } from '../../own-value.ts';
import type { CallExpression, Expression } from '../../syntax/ast.ts';

/** Rewrites of calls of other SQL dialects; null if the arguments do not fit. */
const CALLS: Readonly<Record<string, (call: CallExpression) => CallExpression | null>> = {
  STRPOS: swapped,
  INSTR: swapped,
  LOCATE: (call) => (call.arguments.length === 2 ? renamedCall(call, 'CHARINDEX', call.arguments) : null),
  COUNT_IF: countedIf,
  COUNTIF: countedIf,
  DATE_PART: partOfTime,
};

/** How the rewritten functions are called. */
const ADVICE: Readonly<Record<string, string>> = {
  STRPOS: 'write STRPOS(text, what)',
  INSTR: 'write INSTR(text, what)',
  LOCATE: 'write LOCATE(what, text)',
  COUNT_IF: 'write COUNT_IF(x > 0), or COUNT(*) FILTER (WHERE x > 0)',
  COUNTIF: 'write COUNTIF(x > 0), or COUNT(*) FILTER (WHERE x > 0)',
  DATE_PART: `write DATE_PART('year', t), or YEAR(t), with one of ${PART_NAMES}`,
};

/** Returns advice for a call of such a function whose arguments do not fit; null for any other name. */
export function adviceForCallOfSql(name: string): string | null {
  return ownValue(ADVICE, name) ?? null;
}

/** A call that other dialects of SQL write in another shape, as the call that it means here; null of any other. */
export function callOfSql(call: CallExpression, name: string): CallExpression | null {
  return ownValue(CALLS, name)?.(call) ?? null;
}

/** `STRPOS(text, substring)` */
function swapped(call: CallExpression): CallExpression | null {
  const [text, what, another] = call.arguments;
  return text !== undefined && what !== undefined && another === undefined ? renamedCall(call, 'CHARINDEX', [what, text]) : null;
}

/** `COUNT_IF(condition)` as `COUNT(*) FILTER (WHERE condition)` */
function countedIf(call: CallExpression): CallExpression | null {
  const [only, another] = call.arguments;
  if (only === undefined || another !== undefined || call.filter !== null || call.isDistinct) return null;
  const star: Expression = { kind: 'StarExpression', span: only.span };
  return { ...renamedCall(call, 'COUNT', [{ ...only, value: star }]), filter: only.value };
}

/** `DATE_PART('year', t)` */
function partOfTime(call: CallExpression): CallExpression | null {
  const [part, moment, another] = call.arguments;
  const name = part?.value.kind === 'StringLiteral' ? functionOfPart(part.value.value) : null;
  return name !== null && moment !== undefined && another === undefined ? renamedCall(call, name, [moment]) : null;
}
