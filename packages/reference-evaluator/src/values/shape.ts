/** Types of random programs. Any value may be NULL, so types carry no nullability. */
export type Scalar =
  | 'byte'
  | 'short'
  | 'int'
  | 'long'
  | 'float'
  | 'double'
  | 'decimal'
  | 'bool'
  | 'string'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'interval'
  | 'binary';

/** A type without NULL: any value may be NULL. `unknown` is that of NULL and of the elements of `[]`. */
export type Shape = Scalar | 'unknown' | RecordShape | CollectionShape;

/** A record: its fields in their order. */
export interface RecordShape {
  readonly kind: 'record';
  readonly fields: readonly { readonly name: string; readonly shape: Shape }[];
}

/** A collection of elements of one shape. */
export interface CollectionShape {
  readonly kind: 'collection';
  readonly element: Shape;
}

/** Returns whether two types are the same. */
export function isSameShape(a: Shape, b: Shape): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  if (a.kind === 'collection' || b.kind === 'collection')
    return a.kind === 'collection' && b.kind === 'collection' && isSameShape(a.element, b.element);
  return (
    a.fields.length === b.fields.length &&
    a.fields.every((field, i) => field.name === b.fields[i]?.name && isSameShape(field.shape, b.fields[i].shape))
  );
}

const NUMBERS: readonly Shape[] = ['byte', 'short', 'int', 'long', 'float', 'double', 'decimal'];

/** Returns whether a type is numeric. */
export function isNumber(shape: Shape): boolean {
  return NUMBERS.includes(shape);
}

const isInexact = (shape: Shape): boolean => shape === 'float' || shape === 'double';

/** The type of both; only for types that have one. */
export function commonShape(a: Shape, b: Shape): Shape {
  if (a === 'unknown') return b;
  if (b === 'unknown' || isSameShape(a, b)) return a;
  if (typeof a === 'string' && typeof b === 'string') {
    if ((a === 'date' && b === 'timestamp') || (a === 'timestamp' && b === 'date')) return 'timestamp';
    if ((a === 'decimal' && isInexact(b)) || (isInexact(a) && b === 'decimal')) return 'double';
    const place = Math.max(NUMBERS.indexOf(a), NUMBERS.indexOf(b));
    const common = NUMBERS[place];
    if (common !== undefined && NUMBERS.includes(a) && NUMBERS.includes(b)) return common;
  }
  if (typeof a === 'object' && typeof b === 'object') {
    if (a.kind === 'collection' && b.kind === 'collection') return { kind: 'collection', element: commonShape(a.element, b.element) };
    if (a.kind === 'record' && b.kind === 'record')
      return {
        kind: 'record',
        fields: a.fields.map((field, i) => ({ name: field.name, shape: commonShape(field.shape, b.fields[i]?.shape ?? 'unknown') })),
      };
  }
  throw new Error(`no type has the values of ${JSON.stringify(a)} and ${JSON.stringify(b)}`);
}

/** Prints a type; its parts are nullable. */
export function typeText(shape: Shape): string {
  if (typeof shape === 'string') return shape === 'unknown' ? 'any' : shape;
  if (shape.kind === 'collection') return `collection(${typeText(shape.element)} nullable)`;
  return `record(${shape.fields.map(({ name, shape: inner }) => `${name}: ${typeText(inner)} nullable`).join(', ')})`;
}
