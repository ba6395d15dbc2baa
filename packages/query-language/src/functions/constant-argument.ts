import type { Plan } from '../plan/plan.ts';
import { isPrimitive, notNullable, printType } from '../types/types.ts';
import type { TemplateUse } from './java-template.ts';
import { templateProblem } from './java-template.ts';
import { groupNames } from './regex-groups.ts';

/** An argument whose constant value is validated at compile time. */
export interface ConstantArgument {
  readonly index: number;
  /** Name of the argument in the message if it must be constant; null if it need not be. */
  readonly mustBe: string | null;
  /** Returns the problem of a value, or null. `values` are those of all arguments, undefined if not constant. */
  readonly problem: (value: ScalarValue, args: readonly Plan[], values: readonly unknown[]) => string | null;
}

/** A constant of a primitive type. */
type ScalarValue = string | number | boolean;

/** Returns the rule of an argument that must be constant, and may have any value. */
export function constantAt(index: number, mustBe: string): ConstantArgument {
  return { index, mustBe, problem: () => null };
}

/** The regex whose groups determine the type of the result. */
export const CONSTANT_REGEX = constantAt(1, 'a regex with groups');

/** Returns the rule of a step that must not be zero. */
export function stepNotZero(zero: ScalarValue): ConstantArgument {
  return { index: 2, mustBe: null, problem: (value) => (value === zero ? 'a step must not be zero' : null) };
}

/** The template by which a text is read as a type. */
export function readingTemplate(type: TemplateUse['type']): ConstantArgument {
  return template(() => ({ type, isReading: true }));
}

/** The template by which a moment is printed. */
export const PRINTING_TEMPLATE = template(([moment]) => ({ type: temporalName(moment), isReading: false }));

function template(use: (args: readonly Plan[]) => TemplateUse): ConstantArgument {
  return { index: 1, mustBe: 'a template', problem: (value, args) => templateProblem(String(value), use(args)) };
}

const CHARSETS = ['utf-8', 'iso-8859-1', 'us-ascii'];
const CHARSET_SYNONYMS = ['utf8', 'latin1', 'latin-1', 'ascii'];

/** The charset of encoded text. */
export const CHARSET: ConstantArgument = {
  index: 1,
  mustBe: 'a charset',
  problem: (value) => {
    const isKnown = [...CHARSETS, ...CHARSET_SYNONYMS].includes(String(value).toLowerCase());
    if (isKnown) return null;
    const form = /^(?:base64|hex)$/i.exec(String(value))?.[0].toUpperCase();
    const instead = form === undefined ? '' : `; ${form}(bytes) and FROM_${form}(text) convert between bytes and their ${form} text`;
    return `'${value}' is no charset that is supported: expected ${CHARSETS.join(', ')}${instead}`;
  },
};

const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'];

/** The unit of time to truncate to. */
export const UNIT_OF_TIME: ConstantArgument = {
  index: 0,
  mustBe: null,
  problem: (value, args) => {
    const isTime = temporalName(args[1]) === 'time';
    const units = isTime ? UNITS.slice(-3) : UNITS;
    if (units.includes(String(value).toLowerCase())) return null;
    return `'${value}' is no unit of ${isTime ? 'a time of day' : 'time'}: expected ${units.join(', ')}`;
  },
};

function temporalName(plan: Plan | undefined): TemplateUse['type'] {
  const name = plan && printType(notNullable(plan.type));
  return name === 'date' || name === 'time' ? name : 'timestamp';
}

/** The width of buckets: months only, or days and time only. */
export const BUCKET_WIDTH: ConstantArgument = {
  index: 0,
  mustBe: null,
  problem: (value) => {
    const [months = 0, days = 0, micros = 0] = String(value).split(' ').map(Number);
    if (months !== 0 && (days !== 0 || micros !== 0)) return 'a bucket is of months or of days and time, not of both';
    const isPositive = months > 0 || (months === 0 && days * 86_400_000_000 + micros > 0);
    return isPositive ? null : 'a bucket must be longer than nothing';
  },
};

/** The replacement of a regex: its `$n` must be groups of the regex. */
export const REPLACEMENT: ConstantArgument = {
  index: 2,
  mustBe: null,
  problem: (value, args, [, pattern]) => {
    if (!isPrimitive(args[1]?.type, 'regex') || typeof value !== 'string' || typeof pattern !== 'string') return null;
    const count = groupNames(pattern).length;
    const beyond = [...value.matchAll(/\$(\d)/g)].find((match) => Number(match[1]) > count);
    return beyond === undefined ? null : `${beyond[0]} in the replacement is no group of the regex, which has ${count}`;
  },
};
