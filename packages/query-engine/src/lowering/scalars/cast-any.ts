import {
  assertNever,
  type CollectionType,
  type FieldType,
  notNullable,
  primitive,
  type PrimitiveName,
  type RecordType,
  type Type,
} from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { membersStructure } from '../../representation/json-members.ts';
import { hasExactNames } from '../../representation/member-names.ts';
import { castTo, joinSql, memberOf, SQL, textLiteral, variableRef, type Sql } from '../../sql/sql.ts';
import { type CastMode, tryMode } from './cast-mode.ts';
import { castText } from './cast-primitive.ts';
import { letExpression, transformIndexed, transformList } from './let-expression.ts';
import { pointerTo } from '../../representation/json-pointer.ts';
import { packRecord } from './pack-record.ts';
import type { ValuePath } from './value-path.ts';
import { anyText } from './value-text.ts';

const NUMBERS: ReadonlySet<PrimitiveName> = new Set(['byte', 'short', 'int', 'long', 'float', 'double', 'decimal']);

/** Casts JSON to a type, by its kind at run time; `j` may be repeated. A part that does not fit is named by its path. */
export function castAny(j: Sql, to: Type, mode: CastMode): Sql {
  return castPart(j, to, { mode, path: [] });
}

interface Place {
  readonly mode: CastMode;
  readonly path: ValuePath;
}

function castPart(j: Sql, to: Type, at: Place): Sql {
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

function castArray(j: Sql, to: CollectionType, at: Place): Sql {
  const list = elementsOf(j);
  const element = (x: Sql, place: Place): Sql =>
    required(castPart(x, to.element, place), to.element, { at: place, found: textLiteral('null') });
  const elements = at.mode.namesPath
    ? transformIndexed(list, (x, position) => element(x, { ...at, path: [...at.path, { kind: 'element', position }] }))
    : transformList(list, (x) => element(x, at));
  return ofKind(j, 'ARRAY', elements, { to, at });
}

/** Not nested: planning takes the engine twice as long for a lambda within another one. */
function elementsOf(j: Sql): Sql {
  return SQL`list_transform(CAST(json_extract(${j}, '$[*]') AS JSON[]), lambda part: nullif(part, 'null'))`;
}

function castObject(j: Sql, to: RecordType, at: Place): Sql {
  const value = areSingle(to)
    ? packMembers(to, (name, type, place) => castMember(sourceOf(j, name), type, place), at)
    : castMembersAtOnce(j, to, at);
  return ofKind(j, 'OBJECT', value, { to, at });
}

type MemberCast = (name: string, to: Type, at: Place) => Sql;

function packMembers(to: RecordType, cast: MemberCast, at: Place): Sql {
  return packRecord(
    to,
    to.fields.map(({ name, type }) => cast(name, type, { ...at, path: [...at.path, { kind: 'member', name }] })),
  );
}

function castMembersAtOnce(j: Sql, to: RecordType, at: Place): Sql {
  return membersAtOnce(j, to, (members) => {
    const cast: MemberCast = (name, type, place) => {
      const member = memberOf(members, name);
      const source = sourceOf(j, name);
      return type.kind === 'PrimitiveType'
        ? required(castLeaf({ json: source, text: member }, type.name, place), type, { at: place, found: absentText(source) })
        : castMember(member, type, place, source);
    };
    return packMembers(to, cast, at);
  });
}

/** Extracts all members at once, primitives as texts: the engine would parse the document for each single member. */
function membersAtOnce(j: Sql, { fields }: RecordType, body: (members: Sql) => Sql): Sql {
  return letExpression([SQL`json_transform(${j}, ${textLiteral(membersStructure(fields))})`], body);
}

/** Returns whether members are extracted one by one: one of them alone, and those whose names the engine takes for the same. */
function areSingle({ fields }: RecordType): boolean {
  return fields.length < 2 || !hasExactNames(fields);
}

function sourceOf(j: Sql, name: string): Sql {
  return SQL`json_extract(${j}, ${textLiteral(pointerTo(name))})`;
}

/** A part that may be missing, which is NULL, or JSON's null; both need a type that has NULL. */
function castMember(raw: Sql, to: Type, at: Place, source: Sql = raw): Sql {
  const value = letExpression([SQL`nullif(${raw}, 'null')`], (x) => castPart(x, to, at));
  return required(value, to, { at, found: absentText(source) });
}

function absentText(raw: Sql): Sql {
  return SQL`CASE WHEN ${raw} IS NULL THEN 'nothing' ELSE 'null' END`;
}

function required(value: Sql, to: Type, { at, found }: { readonly at: Place; readonly found: Sql }): Sql {
  return to.isNullable ? value : SQL`coalesce(${value}, ${at.mode.misfit(at.path, to, found)})`;
}

interface Wanted {
  readonly to: Type;
  readonly at: Place;
}

/** Checks the kind of a JSON value. The first character identifies an object or an array; a text with leading blanks is parsed. */
function ofKind(j: Sql, kind: 'ARRAY' | 'OBJECT', value: Sql, { to, at }: Wanted): Sql {
  const misfit = at.mode.misfit(at.path, notNullable(to), shown(j));
  return SQL`CASE WHEN ${isKind(j, kind)} THEN ${value} WHEN ${j} IS NOT NULL AND json_type(${j}) <> 'NULL' THEN ${misfit} END`;
}

function isKind(j: Sql, kind: 'ARRAY' | 'OBJECT'): Sql {
  return SQL`starts_with(${j}, ${textLiteral(OPENING[kind])}) OR json_type(${j}) = ${textLiteral(kind)}`;
}

/** SQL of whether JSON can be cast to a type: TRUE or FALSE. `j` may be repeated. */
export function fitsAny(j: Sql, to: Type): Sql {
  switch (to.kind) {
    case 'CollectionType': {
      const unfit = SQL`list_filter(${elementsOf(j)}, lambda part: NOT ${fitsPart(variableRef('part'), to.element)})`;
      return fitsKind(j, 'ARRAY', SQL`len(${unfit}) = 0`);
    }
    case 'RecordType': {
      const all = (fits: (field: FieldType) => Sql): Sql => SQL`(${joinSql([SQL`TRUE`, ...to.fields.map(fits)], ' AND ')})`;
      const members = areSingle(to)
        ? all(({ name, type }) => letExpression([SQL`nullif(${sourceOf(j, name)}, 'null')`], (x) => fitsPart(x, type)))
        : membersAtOnce(j, to, (taken) => all((field) => fitsMember(j, memberOf(taken, field.name), field)));
      return fitsKind(j, 'OBJECT', members);
    }
    case 'PrimitiveType':
      return SQL`(${anyText(j)} IS NULL OR ${castAny(j, to, tryMode)} IS NOT NULL)`;
    case 'AnyType':
      return SQL`TRUE`;
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`JSON cannot hold a ${to.kind}.`);
    default:
      return assertNever(to);
  }
}

/** A member that is extracted as text, or as JSON. */
function fitsMember(j: Sql, member: Sql, { name, type }: FieldType): Sql {
  if (type.kind !== 'PrimitiveType') return letExpression([SQL`nullif(${member}, 'null')`], (x) => fitsPart(x, type));
  const value = castLeaf({ json: sourceOf(j, name), text: member }, type.name, { mode: tryMode, path: [] });
  return type.isNullable ? SQL`(${member} IS NULL OR ${value} IS NOT NULL)` : SQL`(${value} IS NOT NULL)`;
}

/** A part, NULL where it is JSON's null; it may be repeated. */
function fitsPart(x: Sql, type: Type): Sql {
  return type.isNullable ? fitsAny(x, type) : SQL`(${x} IS NOT NULL AND ${fitsAny(x, type)})`;
}

function fitsKind(j: Sql, kind: 'ARRAY' | 'OBJECT', inside: Sql): Sql {
  return SQL`CASE WHEN ${isKind(j, kind)} THEN ${inside} ELSE ${j} IS NULL OR json_type(${j}) = 'NULL' END`;
}

const OPENING = { ARRAY: '[', OBJECT: '{' } as const;

interface Leaf {
  /** SQL of the JSON, evaluated if the text does not suffice. */
  readonly json: Sql;
  /** SQL of the text: a string's own, the JSON of other values; NULL for JSON null. */
  readonly text: Sql;
}

/** Casts a primitive by way of its text; booleans and numbers convert to each other, and binary values are base64. */
function castLeaf({ json, text }: Leaf, to: PrimitiveName, { mode, path }: Place): Sql {
  if (to === 'string') return text;
  return letExpression([text], (s) => {
    if (!mode.namesPath) return castScalar(json, s, to, mode);
    const tried = castScalar(json, s, to, tryMode);
    return SQL`coalesce(${tried}, CASE WHEN ${s} IS NOT NULL THEN ${mode.misfit(path, primitive(to), shown(json))} END)`;
  });
}

function castScalar(json: Sql, s: Sql, to: PrimitiveName, mode: CastMode): Sql {
  const value = to === 'binary' ? fromBase64(s, mode) : castText(s, to, mode);
  const isWord = SQL`${s} IN ('true', 'false')`;
  if (to === 'bool')
    return SQL`CASE WHEN ${isWord} THEN ${s} = 'true' WHEN json_type(${json}) IN ('DOUBLE', 'BIGINT', 'UBIGINT') THEN CAST(${s} AS DOUBLE) <> 0 ELSE ${value} END`;
  const engineType = duckType(primitive(to));
  return NUMBERS.has(to)
    ? SQL`CASE WHEN ${isWord} AND json_type(${json}) = 'BOOLEAN' THEN ${castTo(SQL`CAST(${s} AS BOOLEAN)`, engineType)} ELSE ${value} END`
    : value;
}

function fromBase64(s: Sql, mode: CastMode): Sql {
  return SQL`coalesce(TRY(from_base64(${s})), CASE WHEN ${s} IS NOT NULL THEN ${mode.fail(primitive('string'), primitive('binary'))} END)`;
}

function shown(j: Sql): Sql {
  return castTo(j, 'VARCHAR');
}
