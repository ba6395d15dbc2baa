import {
  assertNever,
  type CollectionType,
  notNullable,
  primitive,
  type PrimitiveName,
  type RecordType,
  type Type,
} from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { memberNames } from '../../representation/member-names.ts';
import { quoteIdentifier, quoteText } from '../../representation/sql-text.ts';
import { type CastMode, tryMode } from './cast-mode.ts';
import { castText } from './cast-primitive.ts';
import { letExpression, transformIndexed, transformList } from './let-expression.ts';
import type { ValuePath } from './value-path.ts';
import { anyText } from './value-text.ts';

const NUMBERS: ReadonlySet<PrimitiveName> = new Set(['byte', 'short', 'int', 'long', 'float', 'double', 'decimal']);

/** Casts JSON to a type, by its kind at run time; `j` may be repeated. A part that does not fit is named by its path. */
export function castAny(j: string, to: Type, mode: CastMode): string {
  return castPart(j, to, { mode, path: [] });
}

interface Place {
  readonly mode: CastMode;
  readonly path: ValuePath;
}

function castPart(j: string, to: Type, at: Place): string {
  switch (to.kind) {
    case 'PrimitiveType':
      return castLeaf({ json: j, text: anyText(j) }, to.name, at);
    case 'CollectionType':
      return castArray(j, to, at);
    case 'RecordType':
      return castObject(j, to, at);
    case 'AnyType':
      return j;
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`JSON cannot hold a ${to.kind}.`);
    default:
      return assertNever(to);
  }
}

function castArray(j: string, to: CollectionType, at: Place): string {
  // Not nested: planning takes the engine twice as long for a lambda within another one.
  const list = `list_transform(CAST(json_extract(${j}, '$[*]') AS JSON[]), lambda part: nullif(part, 'null'))`;
  const element = (x: string, place: Place): string => required(castPart(x, to.element, place), to.element, { at: place, found: `'null'` });
  const elements = at.mode.namesPath
    ? transformIndexed(list, (x, position) => element(x, { ...at, path: [...at.path, { kind: 'element', position }] }))
    : transformList(list, (x) => element(x, at));
  return ofKind(j, 'ARRAY', elements, { to, at });
}

function castObject(j: string, to: RecordType, at: Place): string {
  const value =
    to.fields.length < 2 || memberNames(to.fields).some((name, i) => name !== to.fields[i]?.name)
      ? packMembers(to, (name, type, place) => castMember(`json_extract(${j}, ${pointerTo(name)})`, type, place), at)
      : castMembersAtOnce(j, to, at);
  return ofKind(j, 'OBJECT', value, { to, at });
}

type MemberCast = (name: string, to: Type, at: Place) => string;

function packMembers(to: RecordType, cast: MemberCast, at: Place): string {
  const names = memberNames(to.fields);
  const values = to.fields.map((field, i) => {
    const value = cast(field.name, field.type, { ...at, path: [...at.path, { kind: 'member', name: field.name }] });
    return `${quoteIdentifier(names[i] ?? '')} := ${value}`;
  });
  return values.length === 0 ? 'TRUE' : `struct_pack(${values.join(', ')})`;
}

function pointerTo(name: string): string {
  return quoteText(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

/** Extracts all members at once, primitives as texts: the engine would parse the document for each single member. */
function castMembersAtOnce(j: string, to: RecordType, at: Place): string {
  const structure = Object.fromEntries(to.fields.map(({ name, type }) => [name, type.kind === 'PrimitiveType' ? 'VARCHAR' : 'JSON']));
  const taken = `json_transform(${j}, ${quoteText(JSON.stringify(structure))})`;
  return letExpression([taken], (members) => {
    const cast: MemberCast = (name, type, place) => {
      const member = `${members}.${quoteIdentifier(name)}`;
      const source = `json_extract(${j}, ${pointerTo(name)})`;
      return type.kind === 'PrimitiveType'
        ? required(castLeaf({ json: source, text: member }, type.name, place), type, { at: place, found: absentText(source) })
        : castMember(member, type, place, source);
    };
    return packMembers(to, cast, at);
  });
}

/** A part that may be missing, which is NULL, or JSON's null; both need a type that has NULL. */
function castMember(raw: string, to: Type, at: Place, source: string = raw): string {
  const value = letExpression([`nullif(${raw}, 'null')`], (x) => castPart(x, to, at));
  return required(value, to, { at, found: absentText(source) });
}

function absentText(raw: string): string {
  return `CASE WHEN ${raw} IS NULL THEN 'nothing' ELSE 'null' END`;
}

function required(value: string, to: Type, { at, found }: { readonly at: Place; readonly found: string }): string {
  return to.isNullable ? value : `coalesce(${value}, ${at.mode.misfit(at.path, to, found)})`;
}

interface Wanted {
  readonly to: Type;
  readonly at: Place;
}

/** Checks the kind of a JSON value. The first character identifies an object or an array; a text with leading blanks is parsed. */
function ofKind(j: string, kind: 'ARRAY' | 'OBJECT', value: string, { to, at }: Wanted): string {
  const misfit = at.mode.misfit(at.path, notNullable(to), shown(j));
  const isKind = `starts_with(${j}, '${OPENING[kind]}') OR json_type(${j}) = '${kind}'`;
  return `CASE WHEN ${isKind} THEN ${value} WHEN ${j} IS NOT NULL AND json_type(${j}) <> 'NULL' THEN ${misfit} END`;
}

const OPENING = { ARRAY: '[', OBJECT: '{' } as const;

interface Leaf {
  /** SQL of the JSON, evaluated if the text does not suffice. */
  readonly json: string;
  /** SQL of the text: a string's own, the JSON of other values; NULL for JSON null. */
  readonly text: string;
}

/** Casts a primitive by way of its text; booleans and numbers convert to each other, and binary values are base64. */
function castLeaf({ json, text }: Leaf, to: PrimitiveName, { mode, path }: Place): string {
  if (to === 'string') return text;
  return letExpression([text], (s) => {
    if (!mode.namesPath) return castScalar(json, s, to, mode);
    const tried = castScalar(json, s, to, tryMode);
    return `coalesce(${tried}, CASE WHEN ${s} IS NOT NULL THEN ${mode.misfit(path, primitive(to), shown(json))} END)`;
  });
}

function castScalar(json: string, s: string, to: PrimitiveName, mode: CastMode): string {
  const value = to === 'binary' ? fromBase64(s, mode) : castText(s, to, mode);
  const isWord = `${s} IN ('true', 'false')`;
  if (to === 'bool')
    return `CASE WHEN ${isWord} THEN ${s} = 'true' WHEN json_type(${json}) IN ('DOUBLE', 'BIGINT', 'UBIGINT') THEN CAST(${s} AS DOUBLE) <> 0 ELSE ${value} END`;
  const engineType = duckType(primitive(to));
  return NUMBERS.has(to)
    ? `CASE WHEN ${isWord} AND json_type(${json}) = 'BOOLEAN' THEN CAST(CAST(${s} AS BOOLEAN) AS ${engineType}) ELSE ${value} END`
    : value;
}

function fromBase64(s: string, mode: CastMode): string {
  return `coalesce(TRY(from_base64(${s})), CASE WHEN ${s} IS NOT NULL THEN ${mode.fail(primitive('string'), primitive('binary'))} END)`;
}

function shown(j: string): string {
  return `CAST(${j} AS VARCHAR)`;
}
