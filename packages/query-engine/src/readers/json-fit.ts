import type { CollectionType, FieldType, PrimitiveType, RecordType, Type } from '@svc/query-language';
import { assertNever } from '@svc/query-language';

import { pointerTo } from '../representation/json-pointer.ts';
import { hasExactNames } from '../representation/member-names.ts';
import { quoteText } from '../representation/sql-text.ts';
import { isUnfit } from './from-text.ts';
import { unknownMembers } from './json-prototype.ts';
import { membersAtOnce, nullIfNull, type JsonMode } from './json-reading.ts';

/** A value's place: the number of lambdas around it, and whether it is the document itself. */
interface Place {
  readonly depth: number;
  readonly isDocument: boolean;
}

/**
 * SQL of whether a JSON expression, NULL for `null`, can be read as a type; never NULL. A misfit costs no more than a value,
 * unlike one that fails within TRY: of 2,000 rows with one that fails the engine evaluates each by itself.
 */
export function fitsType(j: string, type: Type, mode: JsonMode, place: Place = { depth: 0, isDocument: true }): string {
  switch (type.kind) {
    case 'PrimitiveType':
      return fitsPrimitive(`json_extract_string(${j}, '$')`, type, mode);
    case 'CollectionType':
      return ofKind(j, type, 'ARRAY', fitsElements(j, type, mode, place.depth));
    case 'RecordType':
      return ofKind(j, type, 'OBJECT', fitsMembers(j, type, mode, place));
    case 'AnyType':
      return type.isNullable ? 'TRUE' : `${j} IS NOT NULL`;
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`JSON cannot hold a ${type.kind}.`);
    default:
      return assertNever(type);
  }
}

function ofKind(j: string, { isNullable }: CollectionType | RecordType, kind: 'ARRAY' | 'OBJECT', inside: string): string {
  return `CASE WHEN ${j} IS NULL THEN ${isNullable} WHEN json_type(${j}) = '${kind}' THEN ${inside} ELSE FALSE END`;
}

function fitsPrimitive(text: string, type: PrimitiveType, { isForStorage, isWhole }: JsonMode): string {
  return `NOT ${isUnfit(text, type, { format: 'json', isForStorage, isWhole })}`;
}

function fitsElements(j: string, { element }: CollectionType, mode: JsonMode, depth: number): string {
  const name = `j${depth}`;
  const fits = fitsType(nullIfNull(name), element, mode, { depth: depth + 1, isDocument: false });
  return `len(list_filter(CAST(${j} AS JSON[]), lambda ${name}: NOT (${fits}))) = 0`;
}

function fitsMembers(j: string, type: RecordType, mode: JsonMode, { depth, isDocument }: Place): string {
  const { fields } = type;
  const inside = { depth: depth + 1, isDocument: false };
  const known = [...fields.map(({ name }) => name), ...(isDocument ? (mode.hidden ?? []) : [])];
  const isClosed = mode.isClosed === true ? [`len(${unknownMembers(j, known, `m${depth}`)}) = 0`] : [];
  const all = (fits: readonly string[]): string => [...isClosed, ...fits].join(' AND ') || 'TRUE';
  if (!hasExactNames(fields) || fields.length === 0)
    return all(
      fields.map(({ name, type: of }) => fitsType(nullIfNull(`json_extract(${j}, ${quoteText(pointerTo(name))})`), of, mode, inside)),
    );
  const fits = ({ type: of }: FieldType, member: string): string =>
    of.kind === 'PrimitiveType' ? fitsPrimitive(member, of, mode) : fitsType(nullIfNull(member), of, mode, inside);
  return all([membersAtOnce(j, fields, depth, (members) => members.map(({ field, sql }) => fits(field, sql)).join(' AND '))]);
}
