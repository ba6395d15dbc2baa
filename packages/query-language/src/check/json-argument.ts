import { assertNever } from '../assert-never.ts';
import type { Type } from '../types/type.ts';
import { printType } from '../types/types.ts';

/** Parses the text of a primitive value; undefined if it cannot be cast. */
type ReadText = (type: Type, text: string) => string | undefined;

/** Describes why a JSON value cannot be converted to a type, with the path of the offending part; null if it can. */
export function jsonProblem(type: Type, value: unknown, readText: ReadText, path = ''): string | null {
  if (type.kind === 'AnyType' || type.kind === 'ErrorType' || type.kind === 'FunctionType') return null;
  if (value === null || value === undefined) {
    if (type.isNullable) return null;
    return value === null ? `${whole(path)} is null` : `${whole(path)} is missing`;
  }
  switch (type.kind) {
    case 'CollectionType':
      if (!Array.isArray(value)) return expected(path, printType(type));
      return firstProblem(value, (element, i) => jsonProblem(type.element, element, readText, `${path}[${i}]`));
    case 'RecordType':
      if (typeof value !== 'object' || Array.isArray(value)) return expected(path, printType(type));
      return firstProblem(type.fields, (field) =>
        jsonProblem(field.type, member(value, field.name), readText, path === '' ? field.name : `${path}.${field.name}`),
      );
    case 'PrimitiveType': {
      if (type.name === 'string') return null;
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return expected(path, printType(type));
      return readText(type, String(value)) === undefined ? expected(path, printType(type)) : null;
    }
    default:
      return assertNever(type);
  }
}

function member(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function firstProblem<T>(parts: readonly T[], problemOf: (part: T, index: number) => string | null): string | null {
  for (const [i, part] of parts.entries()) {
    const problem = problemOf(part, i);
    if (problem !== null) return problem;
  }
  return null;
}

function whole(path: string): string {
  return path === '' ? 'it' : path;
}

function expected(path: string, type: string): string {
  return `${whole(path)} is no ${type}`;
}
