import type { Cast, Trip } from '../program/term.ts';
import { convert, textOf } from '../values/convert.ts';
import { wholePart } from '../values/decimal.ts';
import { whole } from '../values/numbers.ts';
import { inOrder } from '../values/order.ts';
import type { RecordShape, Scalar, Shape } from '../values/shape.ts';
import { asMoment, momentText, partOf } from '../values/temporal.ts';
import type { Value } from '../values/value.ts';
import { RunTimeError, Unpromised } from '../values/value.ts';
import type { Environment } from './environment.ts';
import { evaluate } from './environment.ts';

/** CAST and TRY_CAST. */
export function evaluateCast({ operand, shape, isTry }: Cast, environment: Environment): Value {
  const value = evaluate(operand, environment);
  try {
    return castTo(shape, value, operand.shape);
  } catch (thrown) {
    if (isTry && thrown instanceof RunTimeError) return null;
    throw thrown;
  }
}

/** Casts records by field name, collections by element; a missing field is NULL, an extra one is dropped. */
function castTo(shape: Shape, value: Value, from: Shape): Value {
  if (value === null) return null;
  if (typeof shape === 'string') {
    const made = shape === from || shape === 'unknown' ? value : scalarTo(shape, value);
    if (made === null) throw new RunTimeError('cannot cast');
    return made;
  }
  if (typeof from !== 'object' || typeof value !== 'object') throw new Error('no value of the type');
  if (shape.kind === 'collection' && from.kind === 'collection' && value.kind === 'collection')
    return { kind: 'collection', blocks: value.blocks.map((block) => block.map((one) => castTo(shape.element, one, from.element))) };
  if (shape.kind !== 'record' || from.kind !== 'record' || value.kind !== 'record') throw new Error('no value of the type');
  return { kind: 'record', values: shape.fields.map((field) => castField(field, value.values, from)) };
}

function castField({ name, shape }: RecordShape['fields'][number], values: readonly Value[], from: RecordShape): Value {
  const place = from.fields.findIndex((field) => field.name === name);
  return castTo(shape, values[place] ?? null, from.fields[place]?.shape ?? 'unknown');
}

/** Null if the value cannot be converted. */
function scalarTo(shape: Scalar, value: Value): Value {
  if (shape === 'string') return textOf(value);
  if (shape === 'date' || shape === 'time') return partOf(asMoment(value), shape);
  if (shape === 'bool') return value !== 0n;
  if (shape === 'float') return floatOf(value);
  if (shape === 'timestamp' || shape === 'decimal' || shape === 'double') return convert(value, shape);
  return wholeOf(typeof value === 'object' && value?.kind === 'decimal' ? wholePart(value) : value, shape);
}

/** Converts to an integer; null if the value is not a number or out of range. */
function wholeOf(value: Value, shape: Shape): Value {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  const number = typeof value === 'string' ? wholeOfText(value) : typeof value === 'number' ? wholeOfDouble(value) : value;
  if (typeof number !== 'bigint') return null;
  try {
    return whole(number, shape);
  } catch {
    return null;
  }
}

/** Returns null if a finite value overflows. */
function floatOf(value: Value): Value {
  const [from, to] = [Number(convert(value, 'double')), convert(value, 'float')];
  return Number.isFinite(from) && !Number.isFinite(to) ? null : to;
}

function wholeOfDouble(value: number): bigint | null {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : null;
}

/** The engine reads more forms of numbers than these. */
function wholeOfText(value: string): bigint | null {
  const text = value.trim();
  if (/^-?\d+$/.test(text)) return BigInt(text);
  if (/\d/.test(text)) throw new Unpromised('forms of numbers in text');
  return null;
}

/** Converts a value by way of JSON, which has no NaN and no infinities, or of `any`. */
export function evaluateTrip({ operand, through, field }: Trip, environment: Environment): Value {
  const value = evaluate(operand, environment);
  const found = field === null || typeof value !== 'object' || value?.kind !== 'record' ? value : (value.values[field.index] ?? null);
  return afterTrip(found, through);
}

function afterTrip(value: Value, through: Trip['through']): Value {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    if (through === 'any') throw new Unpromised('what is not finite in any');
    return null;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (value.kind === 'decimal' && String(value.digits).length > 15) throw new Unpromised('digits of a decimal in JSON');
  if (value.kind === 'record') return { kind: 'record', values: value.values.map((one) => afterTrip(one, through)) };
  if (value.kind !== 'collection') return value;
  return { kind: 'collection', blocks: value.blocks.map((block) => block.map((one) => afterTrip(one, through))) };
}

/** TO_JSON: without blanks, and a double without fraction with `.0`. */
export function jsonText(value: Value, shape: Shape): string {
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return 'null';
  if (shape === 'float') throw new Unpromised('the text of a float');
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return textOf(value);
  if (value.kind === 'moment') return JSON.stringify(momentText(value));
  if (value.kind === 'interval') throw new Unpromised('the text of an interval');
  if (value.kind === 'bytes') return JSON.stringify(Buffer.from(value.hex, 'hex').toString('base64'));
  if (value.kind === 'decimal') return textOf(value);
  if (typeof shape !== 'object') throw new Error('no value of the type');
  if (value.kind === 'collection') {
    const element = shape.kind === 'collection' ? shape.element : 'unknown';
    return `[${inOrder(value)
      .map((one) => jsonText(one, element))
      .join(',')}]`;
  }
  const fields = shape.kind === 'record' ? shape.fields : [];
  return `{${fields.map(({ name, shape: inner }, i) => `${JSON.stringify(name)}:${jsonText(value.values[i] ?? null, inner)}`).join(',')}}`;
}
