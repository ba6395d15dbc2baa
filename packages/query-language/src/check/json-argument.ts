import { assertNever } from '../assert-never.ts';
import type { Type } from '../types/type.ts';
import { printType } from '../types/types.ts';

/** Parses the text of a primitive value; undefined if it cannot be cast. */
type ReadText = (type: Type, text: string) => string | undefined;

/** Maximum number of reasons: a message must not grow with the value. */
const MOST_REASONS = 20;

/** Describes why a JSON value cannot be converted to a type: the offending parts with their paths, null if there is none. */
export function jsonProblem(type: Type, value: unknown, readText: ReadText): string | null {
  const problems: string[] = [];
  addProblems({ type, value, path: '' }, readText, problems);
  return problems.length === 0 ? null : problems.join(', ');
}

interface Part {
  readonly type: Type;
  readonly value: unknown;
  readonly path: string;
}

function addProblems({ type, value, path }: Part, readText: ReadText, problems: string[]): void {
  if (type.kind === 'AnyType' || type.kind === 'ErrorType' || type.kind === 'FunctionType') return;
  if (value === null || value === undefined) {
    if (!type.isNullable) problems.push(`${whole(path)} is ${value === null ? 'null' : 'missing'}`);
    return;
  }
  switch (type.kind) {
    case 'CollectionType':
      if (!Array.isArray(value)) problems.push(expected(path, printType(type)));
      else for (const [i, element] of value.entries()) addPart({ type: type.element, value: element, path: `${path}[${i}]` });
      return;
    case 'RecordType':
      if (typeof value !== 'object' || Array.isArray(value)) problems.push(expected(path, printType(type)));
      else
        for (const field of type.fields)
          addPart({ type: field.type, value: member(value, field.name), path: path === '' ? field.name : `${path}.${field.name}` });
      return;
    case 'PrimitiveType':
      if (!isPrimitive(type, value, readText)) problems.push(expected(path, printType(type)));
      return;
    default:
      assertNever(type);
  }

  function addPart(part: Part): void {
    if (problems.length < MOST_REASONS) addProblems(part, readText, problems);
  }
}

function isPrimitive(type: Type & { readonly kind: 'PrimitiveType' }, value: unknown, readText: ReadText): boolean {
  if (type.name === 'string') return true;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  return readText(type, String(value)) !== undefined;
}

function member(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function whole(path: string): string {
  return path === '' ? 'it' : path;
}

function expected(path: string, type: string): string {
  return `${whole(path)} is no ${type}`;
}
