import type { Plan } from '../../plan/plan.ts';
import type { Argument, CallExpression, TypedCallExpression } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';
import type { Type } from '../../types/type.ts';
import { printType, string } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, placeOf, report } from '../check-context.ts';
import { constantValue } from '../constant-value.ts';
import type { OptionValue, ReadNeed } from '../environment.ts';
import { checkValue } from '../expression.ts';
import { isFaulty } from '../operand.ts';
import type { Scope } from '../scope.ts';

/** What an option may be, and how to say so. */
interface OptionRule {
  readonly accepts: (value: OptionValue) => boolean;
  readonly expected: string;
}

const CHARACTER: OptionRule = { accepts: (value) => typeof value === 'string' && [...value].length === 1, expected: 'one character' };
const FLAG: OptionRule = { accepts: (value) => typeof value === 'boolean', expected: 'true or false' };
const SAMPLE: OptionRule = {
  accepts: (value) => Number.isInteger(value) && (value === -1 || Number(value) > 0),
  expected: 'a number of rows, or -1 for all',
};
const COUNT: OptionRule = { accepts: (value) => Number.isInteger(value) && Number(value) >= 0, expected: 'a number of lines' };
const TEXTS: OptionRule = {
  accepts: (value) => Array.isArray(value) && value.every((member) => typeof member === 'string'),
  expected: 'a collection of strings',
};

const COMMON: Readonly<Record<string, OptionRule>> = { sample_size: SAMPLE };
const CSV: Readonly<Record<string, OptionRule>> = {
  ...COMMON,
  delimiter: CHARACTER,
  has_header: FLAG,
  quote: CHARACTER,
  escape: CHARACTER,
  skip: COUNT,
  nulls: TEXTS,
};

/** The functions that read, with the options that each takes. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, OptionRule>>>> = {
  READ: CSV,
  READ_CSV: CSV,
  READ_JSON: COMMON,
  READ_PARQUET: {},
};

/** Functions of the language that read and are not built yet. */
const NOT_YET = [
  'READ_XML',
  'READ_AVRO',
  'READ_EXCEL',
  'READ_TEXT',
  'READ_LINES',
  'READ_BINARY',
  'READ_PGSQL',
  'QUERY_PGSQL',
  'DESCRIBE',
  'LS',
  'LL',
  'TRY_READ',
  'TRY_READ_CSV',
  'TRY_READ_JSON',
  'TRY_READ_PARQUET',
  'PARSE_JSON',
  'PARSE_CSV',
  'PARSE_XML',
  'TRY_PARSE_JSON',
  'TRY_PARSE_CSV',
  'TRY_PARSE_XML',
];

/** Options of the language that are not built yet. */
const OPTIONS_NOT_YET = new Set([
  'encoding',
  'on_error',
  'file_name',
  'row_tag',
  'sheet',
  'http_method',
  'http_body',
  'http_headers',
  'http_args',
  'cache',
]);

/** Names that are read functions, whatever else they could be. */
export const READ_FUNCTIONS: ReadonlySet<string> = new Set([...Object.keys(OPTIONS), ...NOT_YET]);

/** `READ…(location [AS type] {, option := value})`: the type is given, or looked for by whoever answers the need. */
export function checkReadCall(
  context: CheckContext,
  node: CallExpression | TypedCallExpression,
  name: string,
  asType: Type | null,
  scope: Scope,
): Plan {
  const rules = OPTIONS[name];
  if (rules === undefined) {
    for (const argument of node.arguments) checkValue(context, argument.value, scope);
    return report(context, 'not-supported-yet', node.span, name);
  }
  const nameSpan = node.callee.span;
  const [first, ...rest] = node.arguments;
  if (first === undefined || first.name !== null) return report(context, 'missing-arguments', nameSpan, ['location']);
  const location = checkValue(context, first.value, scope);
  const options = checkOptions(context, rest, rules, scope);
  if (isFaulty(location) || options === null || asType?.kind === 'ErrorType') return errorPlan(node.span);
  if (location.type.kind !== 'PrimitiveType' || location.type.name !== 'string')
    return report(context, 'type-mismatch', first.value.span, printType(string), printType(location.type), null);
  const text = constantValue(location);
  if (typeof text !== 'string')
    return location.kind === 'Variable' ? errorPlan(node.span) : report(context, 'constant-needed', first.value.span, 'the location');
  return readNeed(context, node.span, { function: name, location: text, options, asType });
}

function checkOptions(
  context: CheckContext,
  args: readonly Argument[],
  rules: Readonly<Record<string, OptionRule>>,
  scope: Scope,
): Readonly<Record<string, OptionValue>> | null {
  const options: Record<string, OptionValue> = {};
  let hasFault = false;
  for (const argument of args) {
    const plan = checkValue(context, argument.value, scope);
    const name = argument.name?.text.toLowerCase() ?? null;
    const rule = name === null ? undefined : rules[name];
    if (name === null || rule === undefined) {
      hasFault = true;
      if (name !== null && OPTIONS_NOT_YET.has(name)) report(context, 'not-supported-yet', argument.span, `the option ${name}`);
      else if (name === null) report(context, 'argument-count', argument.span, '1', args.length + 1);
      else report(context, 'unknown-option', argument.name?.span ?? argument.span, name, Object.keys(rules).join(', '));
      continue;
    }
    const value = isFaulty(plan) ? undefined : constantValue(plan);
    if (value !== undefined && rule.accepts(value)) options[name] = value;
    else {
      hasFault = true;
      if (value !== undefined) report(context, 'bad-option', argument.value.span, name, rule.expected);
      else if (!isFaulty(plan)) report(context, 'constant-needed', argument.value.span, `option ${name}`);
    }
  }
  return hasFault ? null : options;
}

/** Asks for the source; what is known by now makes the plan. */
function readNeed(context: CheckContext, at: Span, wanted: Pick<ReadNeed, 'function' | 'location' | 'options' | 'asType'>): Plan {
  const key = JSON.stringify([wanted.function, wanted.location, wanted.options, wanted.asType === null ? null : printType(wanted.asType)]);
  const need: ReadNeed = { kind: 'read', key, isTry: false, ...wanted };
  const answer = context.environment.findRead(need);
  if (answer === undefined) {
    context.needs.set(key, need);
    return errorPlan(at);
  }
  if ('problem' in answer) return report(context, 'read-failed', at, answer.problem);
  return { kind: 'Read', type: answer.type, span: placeOf(context, at), key };
}
