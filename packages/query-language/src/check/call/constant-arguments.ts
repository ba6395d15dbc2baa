import { groupNames } from '../../functions/regex-groups.ts';
import type { TemplateUse } from '../../functions/java-template.ts';
import { templateProblem } from '../../functions/java-template.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Span } from '../../text/span.ts';
import { notNullable, printType } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';
import { foldConstant } from '../constant-value.ts';
import type { OptionValue } from '../environment.ts';
import { ownValue } from '../../own-value.ts';

/**
 * Checks the constant value of an argument; returns the problem or null. `others` are the values of all arguments, undefined
 * if not constant.
 */
type ConstantRule = (value: ScalarValue, args: readonly Plan[], others: readonly (OptionValue | undefined)[]) => string | null;

type ScalarValue = string | number | boolean;

interface ConstantArgument {
  readonly index: number;
  /** Name of the argument in the message if it must be constant; null if it need not be. */
  readonly mustBe: string | null;
  readonly problem: ConstantRule;
}

const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'];
const CHARSETS = ['utf-8', 'iso-8859-1', 'us-ascii'];
const CHARSET_SYNONYMS = ['utf8', 'latin1', 'latin-1', 'ascii'];

const template = (use: (args: readonly Plan[]) => TemplateUse): ConstantArgument => ({
  index: 1,
  mustBe: 'a template',
  problem: (value, args) => templateProblem(String(value), use(args)),
});
const readingTemplate = (type: TemplateUse['type']): ConstantArgument => template(() => ({ type, isReading: true }));
const charset: ConstantArgument = {
  index: 1,
  mustBe: 'a charset',
  problem: (value) => {
    const isKnown = [...CHARSETS, ...CHARSET_SYNONYMS].includes(String(value).toLowerCase());
    return isKnown ? null : `'${value}' is no charset that is supported: expected ${CHARSETS.join(', ')}`;
  },
};
const theRegex: ConstantArgument = { index: 1, mustBe: 'a regex with groups', problem: () => null };

/** Arguments whose constants are validated at compile time, by function. */
const CONSTANT_ARGUMENTS: Readonly<Record<string, ConstantArgument>> = {
  TO_DATE: readingTemplate('date'),
  TO_TIME: readingTemplate('time'),
  TO_TIMESTAMP: readingTemplate('timestamp'),
  FORMAT: template(([moment]) => ({ type: temporalName(moment), isReading: false })),
  TRUNC: { index: 0, mustBe: null, problem: unitProblem },
  ENCODE: charset,
  DECODE: charset,
  GROUPS: theRegex,
  PARSE: theRegex,
  TRY_PARSE: theRegex,
  REPLACE: { index: 2, mustBe: null, problem: replacementProblem },
  QUANTILE: {
    index: 1,
    mustBe: 'the fraction of QUANTILE',
    problem: (value) =>
      typeof value === 'number' && !(value >= 0 && value <= 1) ? `the fraction of QUANTILE must be from 0 to 1, not ${value}` : null,
  },
  NTILE: {
    index: 0,
    mustBe: null,
    problem: (value) => (typeof value === 'number' && value < 1 ? `NTILE needs at least one bucket, not ${value}` : null),
  },
  RANGE: { index: 2, mustBe: null, problem: (value) => (value === 0 ? 'a step must not be zero' : null) },
  TIME_BUCKET: { index: 0, mustBe: null, problem: bucketProblem },
  TIMESTAMP_RANGE: { index: 2, mustBe: null, problem: (value) => (value === '0 0 0' ? 'a step must not be zero' : null) },
};

function temporalName(plan: Plan | undefined): TemplateUse['type'] {
  const name = plan && printType(notNullable(plan.type));
  return name === 'date' || name === 'time' ? name : 'timestamp';
}

function unitProblem(value: ScalarValue, args: readonly Plan[]): string | null {
  const isTime = temporalName(args[1]) === 'time';
  const units = isTime ? UNITS.slice(-3) : UNITS;
  if (units.includes(String(value).toLowerCase())) return null;
  return `'${value}' is no unit of ${isTime ? 'a time of day' : 'time'}: expected ${units.join(', ')}`;
}

/** Checks a bucket interval: months only, or days and time only. */
function bucketProblem(value: ScalarValue): string | null {
  const [months = 0, days = 0, micros = 0] = String(value).split(' ').map(Number);
  if (months !== 0 && (days !== 0 || micros !== 0)) return 'a bucket is of months or of days and time, not of both';
  const isPositive = months > 0 || (months === 0 && days * 86_400_000_000 + micros > 0);
  return isPositive ? null : 'a bucket must be longer than nothing';
}

/** `$n` in the replacement of a regex must be one of its groups. */
function replacementProblem(value: ScalarValue, args: readonly Plan[], others: readonly (OptionValue | undefined)[]): string | null {
  const type = args[1]?.type;
  const pattern = others[1];
  if (type?.kind !== 'PrimitiveType' || type.name !== 'regex' || typeof value !== 'string' || typeof pattern !== 'string') return null;
  const count = groupNames(pattern).length;
  const beyond = [...value.matchAll(/\$(\d)/g)].find((match) => Number(match[1]) > count);
  return beyond === undefined ? null : `${beyond[0]} in the replacement is no group of the regex, which has ${count}`;
}

/**
 * Validates the constants among the arguments of a call. Returns the arguments with constants folded, null after a report,
 * or `unknown` if a value that must be constant depends on an argument of the enclosing function.
 */
export function checkConstantArguments(
  context: CheckContext,
  functionName: string,
  args: readonly Plan[],
  spans: readonly Span[],
): readonly Plan[] | 'unknown' | null {
  const rule = ownValue(CONSTANT_ARGUMENTS, functionName);
  const plan = rule === undefined ? undefined : args[rule.index];
  if (rule === undefined || plan === undefined) return args;
  const span = spans[rule.index] ?? plan.span;
  const folded = foldConstant(context.values, plan);
  if (folded.kind === 'unknown') return rule.mustBe === null ? args : 'unknown';
  if (folded.kind === 'none') {
    if (rule.mustBe === null) return args;
    report(context, 'constant-needed', span, rule.mustBe);
    return null;
  }
  const { value } = folded;
  if (value === null) return args;
  if (typeof value === 'object') throw new Error('an argument with a rule is of a primitive type');
  const others = args.map((arg) => {
    const other = foldConstant(context.values, arg);
    return other.kind === 'value' ? other.value : undefined;
  });
  const problem = rule.problem(value, args, others);
  if (problem !== null) {
    report(context, 'bad-constant', span, problem);
    return null;
  }
  if (rule.mustBe === null) return args;
  const constant: Plan = {
    kind: 'Constant',
    type: notNullable(plan.type),
    span: plan.span,
    value: String(value),
  };
  return args.map((arg, i) => (i === rule.index ? constant : arg));
}
