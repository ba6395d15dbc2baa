import type { Type } from '@svc/query-language';

/** Numbers with more digits than every double keeps, or with an exponent that may be out of its range. */
const MAY_LOSE = /[\d.]{16}|[eE][+-]?\d{3}/;
const LINE_FEED = 0x0a;

/** Returns whether values of a type contain decimals. */
export function hasDecimals(type: Type): boolean {
  if (type.kind === 'CollectionType') return hasDecimals(type.element);
  if (type.kind === 'RecordType') return type.fields.some((field) => hasDecimals(field.type));
  return type.kind === 'PrimitiveType' && type.name === 'decimal';
}

/**
 * Rewrites decimals of many digits in JSON lines as texts: the engine reads a number with a point or an exponent as a double. All other
 * lines stay unchanged, also those that are not JSON.
 */
export async function* withLongDecimals(body: AsyncIterable<Uint8Array>, rowType: Type): AsyncGenerator<Uint8Array> {
  let open: Uint8Array[] = [];
  for await (const piece of body) {
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      yield rewritten(Buffer.concat([...open, piece.subarray(0, end)]), rowType);
      open = [];
    }
    if (end < piece.byteLength) open.push(piece.subarray(end));
  }
  yield rewritten(Buffer.concat(open), rowType);
}

function rewritten(lines: Buffer, rowType: Type): Buffer {
  if (!MAY_LOSE.test(lines.toString('latin1'))) return lines;
  const pieces: Buffer[] = [];
  for (let start = 0; start < lines.byteLength;) {
    const feed = lines.indexOf(LINE_FEED, start);
    const end = feed < 0 ? lines.byteLength : feed + 1;
    const line = lines.subarray(start, end);
    pieces.push(MAY_LOSE.test(line.toString('latin1')) ? rewrittenLine(line, rowType) : line);
    start = end;
  }
  return Buffer.concat(pieces);
}

function rewrittenLine(line: Buffer, rowType: Type): Buffer {
  try {
    const row: unknown = JSON.parse(line.toString(), keepDigits);
    return Buffer.from(`${JSON.stringify(asText(row, rowType))}\n`);
  } catch (thrown) {
    // Not JSON, or nested too deeply: the engine reports it.
    if (thrown instanceof SyntaxError || thrown instanceof RangeError) return line;
    throw thrown;
  }
}

function asText(value: unknown, type: Type): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (json.isRawJSON(value)) return type.kind === 'PrimitiveType' && type.name === 'decimal' ? value.rawJSON : value;
  if (Array.isArray(value)) return type.kind === 'CollectionType' ? value.map((element) => asText(element, type.element)) : value;
  if (type.kind !== 'RecordType') return value;
  const types = new Map(type.fields.map((field) => [field.name, field.type]));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asText(member, types.get(name) ?? type)]));
}

/** A number with its source text, which `JSON.stringify` prints. */
interface ExactNumber {
  readonly rawJSON: string;
}

/** Node's part of the JSON source text proposal, which TypeScript's library does not declare yet. */
interface JsonWithSource {
  readonly isRawJSON: (value: object) => value is ExactNumber;
  readonly rawJSON: (text: string) => ExactNumber;
}
const json = JSON as unknown as JsonWithSource;

function keepDigits(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined && MAY_LOSE.test(context.source) ? json.rawJSON(context.source) : value;
}
