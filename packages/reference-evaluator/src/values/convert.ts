import { asDecimal, decimalText } from './decimal.ts';
import type { Shape } from './shape.ts';
import { asTimestamp, momentText } from './temporal.ts';
import type { Value } from './value.ts';
import { Unpromised, isScalar } from './value.ts';

/** A value brought to a wider type. */
export function convert(value: Value, shape: Shape): Value {
  if (value === null) return value;
  if (shape === 'double' && isScalar(value) && value.kind === 'decimal') return Number(decimalText(value));
  if (shape === 'double' && typeof value === 'bigint') return Number(value);
  if (shape === 'float') return Math.fround(Number(convert(value, 'double')));
  if (shape === 'decimal' && typeof value === 'bigint') return asDecimal(value);
  if (shape === 'timestamp' && isScalar(value) && value.kind === 'moment') return asTimestamp(value);
  if (typeof shape !== 'object' || typeof value !== 'object') return value;
  if (shape.kind === 'collection' && value.kind === 'collection')
    return { kind: 'collection', blocks: value.blocks.map((block) => block.map((element) => convert(element, shape.element))) };
  if (shape.kind === 'record' && value.kind === 'record')
    return { kind: 'record', values: value.values.map((member, i) => convert(member, shape.fields[i]?.shape ?? 'unknown')) };
  return value;
}

/** Converts a value to text as `||` and STRING_AGG do, for the types that the generator uses there. */
export function textOf(value: Value): string {
  if (isScalar(value) && value.kind === 'decimal') return decimalText(value);
  if (isScalar(value) && value.kind === 'moment') return momentText(value);
  if (typeof value === 'number') return doubleText(value);
  if (typeof value === 'object') throw new Error('the generator makes no text of this');
  return String(value);
}

/** Prints a double as JSON does, except that integers keep `.0`. */
function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const size = Math.abs(value);
  if (!Number.isFinite(value) || (size !== 0 && (size < 1e-3 || size >= 1e15))) throw new Unpromised('the text of a double');
  if (Object.is(value, -0)) throw new Unpromised('the text of a double');
  // Computed values may differ in their last digits.
  if (!Number.isInteger(value) && String(value).length > 8) throw new Unpromised('the text of a double');
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}
