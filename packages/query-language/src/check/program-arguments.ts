import type { Plan } from '../plan/plan.ts';
import type { Span } from '../text/span.ts';
import type { PrimitiveName, Type } from '../types/type.ts';
import { anyType, isPrimitive, nullable, printType, string } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, isFaulty } from './operand.ts';
import { report } from './check-context.ts';
import { jsonProblem } from './json-argument.ts';
import { hasDecimals, withDecimalTexts } from './long-decimals.ts';
import type { FunctionValue, Operand } from './operand.ts';
import { isTemporalName, readTemporal } from './temporal-text.ts';
import { ownValue } from '../own-value.ts';

/** Argument of a query that is a function, for the plan's Parameter `argument:<name>`. See `Constant` for the text. */
export interface BoundArgument {
  readonly name: string;
  readonly type: Type;
  readonly value: string | boolean | null;
}

/** The operands that a query's function is called with, and the values that go in when it runs. */
export interface ArgumentsOfProgram {
  readonly operands: readonly (Operand | null)[];
  readonly arguments: readonly BoundArgument[];
}

/** Binds external texts as arguments: cast for primitives, parsed as JSON for records and collections. Reports those that are invalid. */
export function bindArguments(
  context: CheckContext,
  callee: FunctionValue,
  texts: ReadonlyMap<string, string>,
  span: Span,
): ArgumentsOfProgram {
  const { parameters } = callee.type;
  const found: BoundArgument[] = [];
  for (const name of texts.keys()) {
    if (!parameters.some((parameter) => parameter.name === name)) report(context, 'unknown-argument', span, name);
  }
  const missing: string[] = [];
  const operands = parameters.map((parameter): Operand | null => {
    const name = parameter.name ?? '';
    const text = texts.get(name);
    if (text === undefined) {
      if (parameter.isOptional) return null;
      missing.push(name);
      return errorPlan(span);
    }
    if (isFaulty(parameter.type)) return errorPlan(span);
    const value = readArgument(parameter.type, text);
    if (typeof value !== 'string') return report(context, 'argument-invalid', span, name, printType(parameter.type), value.problem);
    found.push({ name, type: parameter.type, value });
    context.values.programArguments.set(`argument:${name}`, value);
    return toPlan(parameter.type, name, span);
  });
  if (missing.length > 0) report(context, 'missing-arguments', span, missing);
  return { operands, arguments: found };
}

/**
 * Records and collections are passed as JSON and cast, and so are texts of intervals and bytes; any other primitive is a
 * parameter of its type.
 */
function toPlan(type: Type, name: string, span: Span): Plan {
  const parameter = (given: Type): Plan => ({ kind: 'Parameter', type: given, span, name: `argument:${name}` });
  const isText = isPrimitive(type, 'interval', 'binary');
  if (!isText && (type.kind === 'PrimitiveType' || type.kind === 'AnyType')) return parameter(type);
  return { kind: 'Cast', type, span, operand: parameter(isText ? string : nullable(anyType)), isTry: false };
}

const LIMITS: Readonly<Partial<Record<PrimitiveName, readonly [bigint, bigint]>>> = {
  byte: [-128n, 127n],
  short: [-32768n, 32767n],
  int: [-2147483648n, 2147483647n],
  long: [-9223372036854775808n, 9223372036854775807n],
};

/**
 * Returns why an external text cannot be an argument of a type: null if it can, an empty text if there are no details.
 * Accepts what `bindArguments` accepts.
 */
export function argumentProblem(type: Type, text: string): string | null {
  const value = readArgument(type, text);
  return typeof value === 'string' ? null : (value.problem ?? '');
}

/** Converts a text to a constant, or returns why it cannot be cast. */
function readArgument(type: Type, text: string): string | { readonly problem: string | null } {
  if (type.kind === 'PrimitiveType') return readText(type, text) ?? { problem: null };
  const json = readJson(text);
  const problem = json === null ? 'it is no JSON' : jsonProblem(type, json.value, readMember);
  if (problem !== null) return { problem };
  return hasDecimals(type) ? withDecimalTexts(text, type) : text;
}

/** Like `readText`, for a member of JSON, where binary values are base64. */
function readMember(type: Type, text: string): string | undefined {
  return isPrimitive(type, 'binary') && (text.length % 4 !== 0 || !BASE64.test(text)) ? undefined : readText(type, text);
}

/** Converts the text of a primitive to a constant; undefined if it cannot be cast. */
function readText(type: Type, text: string): string | undefined {
  if (type.kind !== 'PrimitiveType') return undefined;
  const { name } = type;
  if (name === 'string' || name === 'binary') return text;
  const trimmed = text.trim();
  if (isTemporalName(name)) {
    const value = readTemporal(name, trimmed);
    return value === null ? undefined : name === 'interval' ? trimmed : value;
  }
  if (name === 'bool') return ownValue(BOOLEANS, trimmed.toLowerCase());
  const limits = LIMITS[name];
  if (limits !== undefined) {
    const value = readInteger(trimmed);
    return value !== undefined && value >= limits[0] && value <= limits[1] ? String(value) : undefined;
  }
  if (name === 'decimal') return NUMBER.test(trimmed) && Math.abs(Number(trimmed)) < DECIMAL_BOUND ? trimmed : undefined;
  if (name === 'regex') return undefined;
  return NO_NUMBER.test(trimmed) || (NUMBER.test(trimmed) && isInRange(name, Number(trimmed))) ? trimmed : undefined;
}

function isInRange(name: PrimitiveName, value: number): boolean {
  return Number.isFinite(name === 'float' ? Math.fround(value) : value);
}

/** A decimal has 38 digits, 18 of them after the point. */
const DECIMAL_BOUND = 1e20;

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const BASE64 = /^[a-z\d+/]*={0,2}$/i;
const NO_NUMBER = /^[+-]?(nan|inf(inity)?)$/i;
const BOOLEANS: Readonly<Record<string, string>> = {
  ...{ true: 'true', t: 'true', yes: 'true', y: 'true', 1: 'true' },
  ...{ false: 'false', f: 'false', no: 'false', n: 'false', 0: 'false' },
};

/** Maximum number of digits that are parsed; no number has more. */
const MOST_DIGITS = 40;

/** An integer as CAST reads it: a fraction is cut off. */
function readInteger(text: string): bigint | undefined {
  if (/^0x[\da-f]+$/i.test(text)) return text.length > MOST_DIGITS ? undefined : BigInt(text);
  if (!NUMBER.test(text)) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d*)(?:\.(\d*))?(?:e(.+))?$/i.exec(text) ?? [];
  const point = whole.length + Number(exponent);
  const digits = `${whole}${fraction}`.slice(0, Math.max(0, point)).padEnd(Math.min(point, MOST_DIGITS), '0').replace(/^0+/, '');
  return digits.length > MOST_DIGITS ? undefined : BigInt(digits) * (sign === '-' ? -1n : 1n);
}

/** Parses JSON; numbers with more digits than a double holds are texts. */
function readJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: MANY_DIGITS.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text) };
  } catch {
    return null;
  }
}

const MANY_DIGITS = /\d{16}/;

function keepDigits(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && MANY_DIGITS.test(context?.source ?? '') ? context?.source : value;
}
