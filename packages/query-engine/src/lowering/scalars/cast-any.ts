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
import { bindOnce, transformIndexed, transformList } from './bind-once.ts';
import { type CastMode, tryMode } from './cast-mode.ts';
import { castText } from './cast-primitive.ts';
import { usedIn, type ValuePath } from './value-path.ts';
import { anyText } from './value-text.ts';

const NUMBERS: ReadonlySet<PrimitiveName> = new Set(['byte', 'short', 'int', 'long', 'float', 'double', 'decimal']);

/** What JSON holds, by its kind when it runs, as a type; `j` may be repeated. A part that does not fit is named by its path. */
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
      return castLeaf(j, to.name, at);
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
  // Not within each other: the engine plans a lambda in twice the time within another one.
  const list = `list_transform(CAST(json_extract(${j}, '$[*]') AS JSON[]), lambda part: nullif(part, 'null'))`;
  const element = (x: string, place: Place): string => required(castPart(x, to.element, place), to.element, { at: place, found: `'null'` });
  const elements = at.mode.namesPath
    ? transformIndexed(list, (x, position) => element(x, { ...at, path: [...at.path, { kind: 'element', position }] }), usedIn(at.path))
    : transformList(list, (x) => element(x, at));
  return ofKind(j, 'ARRAY', elements, { to, at });
}

function castObject(j: string, to: RecordType, at: Place): string {
  const names = memberNames(to.fields);
  const values = to.fields.map((field, i) => {
    const pointer = quoteText(`/${field.name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    const value = castMember(`json_extract(${j}, ${pointer})`, field.type, {
      ...at,
      path: [...at.path, { kind: 'member', name: field.name }],
    });
    return `${quoteIdentifier(names[i] ?? '')} := ${value}`;
  });
  return ofKind(j, 'OBJECT', values.length === 0 ? 'TRUE' : `struct_pack(${values.join(', ')})`, { to, at });
}

/** A part that may be missing, which is NULL, or JSON's null; both need a type that has NULL. */
function castMember(raw: string, to: Type, at: Place): string {
  const value = bindOnce([`nullif(${raw}, 'null')`], (x) => castPart(x, to, at), usedIn(at.path));
  return required(value, to, { at, found: `CASE WHEN ${raw} IS NULL THEN 'nothing' ELSE 'null' END` });
}

function required(value: string, to: Type, { at, found }: { readonly at: Place; readonly found: string }): string {
  return to.isNullable ? value : `coalesce(${value}, ${at.mode.misfit(at.path, to, found)})`;
}

interface Wanted {
  readonly to: Type;
  readonly at: Place;
}

function ofKind(j: string, kind: 'ARRAY' | 'OBJECT', value: string, { to, at }: Wanted): string {
  const misfit = at.mode.misfit(at.path, notNullable(to), shown(j));
  return `CASE json_type(${j}) WHEN '${kind}' THEN ${value} WHEN 'NULL' THEN NULL ELSE CASE WHEN ${j} IS NOT NULL THEN ${misfit} END END`;
}

/** By way of its text, as text is cast; a bool and a number turn into each other, and bytes are in base64. */
function castLeaf(j: string, to: PrimitiveName, { mode, path }: Place): string {
  if (to === 'string') return anyText(j);
  return bindOnce(
    [anyText(j)],
    (s) => {
      if (!mode.namesPath) return castScalar(j, s, to, mode);
      const tried = castScalar(j, s, to, tryMode);
      return `coalesce(${tried}, CASE WHEN ${s} IS NOT NULL THEN ${mode.misfit(path, primitive(to), shown(j))} END)`;
    },
    [j, ...usedIn(path)],
  );
}

function castScalar(j: string, s: string, to: PrimitiveName, mode: CastMode): string {
  const value = to === 'binary' ? fromBase64(s, mode) : castText(s, to, mode);
  if (to === 'bool') return `CASE WHEN json_type(${j}) IN ('DOUBLE', 'BIGINT', 'UBIGINT') THEN CAST(${s} AS DOUBLE) <> 0 ELSE ${value} END`;
  const engineType = duckType(primitive(to));
  return NUMBERS.has(to)
    ? `CASE WHEN json_type(${j}) = 'BOOLEAN' THEN CAST(CAST(${s} AS BOOLEAN) AS ${engineType}) ELSE ${value} END`
    : value;
}

function fromBase64(s: string, mode: CastMode): string {
  return `coalesce(TRY(from_base64(${s})), CASE WHEN ${s} IS NOT NULL THEN ${mode.fail(primitive('string'), primitive('binary'))} END)`;
}

function shown(j: string): string {
  return `CAST(${j} AS VARCHAR)`;
}
