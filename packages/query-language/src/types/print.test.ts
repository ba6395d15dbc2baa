import { parseType } from './parse.ts';
import { printType } from './print.ts';
import type { PrimitiveName, Type } from './type.ts';
import { anyType, isSameType, primitive, recordOf } from './types.ts';

const NAMES = ['a', 'A', 'select', 'Group', 'a b', '`', 'a``b', 'é', '_1', '1', 'null', 'collection', 'nullable', 'a.b', '"', '\n', '字'];
const PRIMITIVES: readonly PrimitiveName[] = [
  ...(['byte', 'short', 'int', 'long', 'float', 'double', 'decimal', 'bool', 'string'] as const),
  ...(['date', 'time', 'timestamp', 'interval', 'binary', 'regex'] as const),
];

/** Returns a generator of integers from 0 up to a limit, determined by the seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function randomType(below: (limit: number) => number, depth: number): Type {
  const isNullable = below(3) === 0;
  const inner = (): Type => randomType(below, depth - 1);
  const kind = below(depth === 0 ? 2 : 6);
  if (kind === 0) return { ...anyType, isNullable };
  if (kind === 1) return { ...primitive(PRIMITIVES[below(PRIMITIVES.length)] ?? 'int'), isNullable };
  if (kind <= 3) return { kind: 'CollectionType', element: inner(), isNullable };
  const names = NAMES.filter(() => below(6) === 0);
  if (kind === 4) return { ...recordOf(names.map((name) => ({ name, type: inner() }))), isNullable };
  const parameters = names.map((name) => ({ name: below(2) === 0 ? name : null, type: inner(), isOptional: false }));
  return { kind: 'FunctionType', parameters, result: inner(), isNullable };
}

test('the text of a type is read as the same type: 2000 random types', () => {
  const below = numbers(20_261);
  for (let i = 0; i < 2000; i += 1) {
    const type = randomType(below, 4);
    const text = printType(type);
    const parsed = parseType(text);
    if (!('type' in parsed)) throw new Error(`${text}: ${parsed.diagnostics.map(({ message }) => message).join('; ')}`);
    expect({ text, isSame: isSameType(parsed.type, type), again: printType(parsed.type) }).toEqual({ text, isSame: true, again: text });
  }
});
