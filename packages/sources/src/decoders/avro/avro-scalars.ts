import type { PrimitiveName } from '@svc/query-language';
import { anyType, nullable, primitive } from '@svc/query-language';
import { ReadFailure } from '@svc/text-formats';

import type { AvroBytes } from './avro-bytes.ts';
import type { AvroShape } from './avro-shape.ts';
import { isoDate, isoTime, isoTimestamp } from './iso-text.ts';

const shape = (name: PrimitiveName, toJson: (bytes: AvroBytes) => string): AvroShape => ({
  type: primitive(name),
  write: (bytes, to) => to.add(toJson(bytes)),
});
const text = (name: PrimitiveName, toText: (bytes: AvroBytes) => string): AvroShape =>
  shape(name, (bytes) => JSON.stringify(toText(bytes)));

/** JSON cannot express NaN and the infinities; the engine parses them from text. */
function realJson(value: number): string {
  return Number.isFinite(value) ? JSON.stringify(value) : `"${String(value)}"`;
}

/** Primitive types by name. */
export const PRIMITIVES: ReadonlyMap<string, AvroShape> = new Map([
  ['null', { type: nullable(anyType), write: (_, to) => to.add('null') }],
  ['boolean', shape('bool', (bytes) => (bytes.byte() === 0 ? 'false' : 'true'))],
  ['int', shape('int', (bytes) => String(intOf(bytes)))],
  ['long', shape('long', (bytes) => String(bytes.long()))],
  ['float', shape('float', (bytes) => realJson(bytes.take(4).readFloatLE()))],
  ['double', shape('double', (bytes) => realJson(bytes.take(8).readDoubleLE()))],
  ['string', text('string', (bytes) => bytes.string())],
  ['bytes', text('binary', (bytes) => bytes.bytes().toString('base64'))],
]);

function intOf(bytes: AvroBytes): number {
  const value = Number(bytes.long());
  if (value !== (value | 0)) throw new ReadFailure('unreadable', 'a number is no int');
  return value;
}

const timestamp = (toMicros: (value: bigint) => bigint): AvroShape =>
  text('timestamp', (bytes) => isoTimestamp(toMicros(BigInt(bytes.long()))));
const [millis, micros, nanos] = [timestamp((value) => value * 1000n), timestamp((value) => value), timestamp((value) => value / 1000n)];

/** Logical types by their underlying type and name; others are read as the underlying type. */
export const LOGICAL: ReadonlyMap<string, AvroShape> = new Map([
  ['int date', text('date', (bytes) => isoDate(intOf(bytes)))],
  ['int time-millis', text('time', (bytes) => isoTime(BigInt(intOf(bytes)) * 1000n))],
  ['long time-micros', text('time', (bytes) => isoTime(BigInt(bytes.long())))],
  ['long timestamp-millis', millis],
  ['long timestamp-micros', micros],
  ['long timestamp-nanos', nanos],
  ['long local-timestamp-millis', millis],
  ['long local-timestamp-micros', micros],
  ['long local-timestamp-nanos', nanos],
]);

/** Bytes of one size. */
export function fixedShape(size: number): AvroShape {
  return text('binary', (bytes) => bytes.take(size).toString('base64'));
}

/** The 16 bytes of a UUID as its text. */
export const UUID_SHAPE: AvroShape = text('string', (bytes) =>
  bytes
    .take(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
);

/** A decimal of a scale, in bytes of one size or, null, of any. */
export function decimalShape(scale: number, size: number | null): AvroShape {
  return text('decimal', (bytes) => decimalText(size === null ? bytes.bytes() : bytes.take(size), scale));
}

/** Exceeds the size of any decimal that can be read. */
const MAX_DECIMAL_BYTES = 64;

/** Converts big-endian two's complement to text and inserts the decimal point. */
function decimalText(bytes: Buffer, scale: number): string {
  if (bytes.length === 0) return '0';
  if (bytes.length > MAX_DECIMAL_BYTES) throw new ReadFailure('unreadable', `a decimal has ${bytes.length} bytes`);
  const value = BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`));
  const sign = value < 0n ? '-' : '';
  const all = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return scale === 0 ? sign + all : `${sign}${all.slice(0, -scale)}.${all.slice(-scale)}`;
}
