import type { RecordType, Type } from '@svc/query-language';
import { assertNever } from '@svc/query-language';

import { joinSql, memberOf, SQL, textLiteral, type Sql } from '../../sql/sql.ts';
import type { FunctionLowering } from '../lowering-types.ts';
import { castCell, type CellPlace } from '../scalars/cast-cell.ts';
import { transformIndexed, transformList } from '../scalars/let-expression.ts';
import { packRecord } from '../scalars/pack-record.ts';
import { misfitText } from '../scalars/value-path.ts';
import { xmlRoot } from './xml-root.ts';

/** Parses the root of an XML text as a type: the same result as READ_XML of a file. */
export const parseXml: FunctionLowering = ([text], call) => {
  if (text === undefined) throw new Error('PARSE_XML needs a text.');
  const place: CellPlace = { call, path: [] };
  return present(first(SQL`[${xmlRoot(text.sql, call)}]`, call.type, place), call.type, place);
};

const BLANKS = SQL`e' \\t\\n\\r'`;

/** Decomposes elements written by `xmlRoot`: their child elements `c`, their attributes `a` as `name=value`, all direct text `t`. */
function takenApart(nodes: Sql): Sql {
  const parts = SQL`CAST(json_extract(node, '$.c[*]') AS JSON[])`;
  const texts = SQL`list_transform(list_filter(${parts}, lambda part: json_type(part) = 'VARCHAR'), lambda part: json_extract_string(part, '$'))`;
  const members = [
    SQL`c := list_filter(${parts}, lambda part: json_type(part) = 'OBJECT')`,
    SQL`a := CAST(json_extract_string(node, '$.a[*]') AS VARCHAR[])`,
    SQL`t := array_to_string(${texts}, '')`,
  ];
  return SQL`list_transform(${nodes}, lambda node: struct_pack(${joinSql(members)}))`;
}

/**
 * Returns the value of a list's only element; NULL if there is none. Planning takes the engine twice as long for each level
 * of lambdas.
 */
function first(nodes: Sql, type: Type, place: CellPlace): Sql {
  return SQL`list_extract(${transformList(takenApart(nodes), (z) => element(z, type, place))}, 1)`;
}

function elements(nodes: Sql, type: Type, place: CellPlace): Sql {
  return transformIndexed(takenApart(nodes), (z, position) => {
    const at: CellPlace = { ...place, path: [...place.path, { kind: 'element', position }] };
    return present(element(z, type, at), type, at);
  });
}

/** NULL for an empty element. */
function element(z: Sql, type: Type, place: CellPlace): Sql {
  switch (type.kind) {
    case 'PrimitiveType':
      return castCell(SQL`CASE WHEN trim(${z}.t, ${BLANKS}) <> '' THEN ${z}.t END`, type, place);
    case 'CollectionType':
      return elements(memberOf(z, 'c'), type.element, place);
    case 'RecordType':
      return record(z, type, place);
    case 'AnyType':
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`XML cannot hold a ${type.kind}.`);
    default:
      return assertNever(type);
  }
}

function record(z: Sql, type: RecordType, place: CellPlace): Sql {
  const values = type.fields.map((field) => member(z, field.name, { type: field.type, place }));
  return SQL`CASE WHEN len(${z}.c) > 0 OR len(${z}.a) > 0 OR trim(${z}.t, ${BLANKS}) <> '' THEN ${packRecord(type, values)} END`;
}

/** Returns an attribute, the direct text, or the children with a name. */
function member(z: Sql, name: string, { type, place }: { readonly type: Type; readonly place: CellPlace }): Sql {
  const at: CellPlace = { ...place, path: [...place.path, { kind: 'member', name }] };
  if (name.startsWith('@')) {
    const key = textLiteral(`${name.slice(1)}=`);
    const value = SQL`substr(list_extract(list_filter(${z}.a, lambda pair: starts_with(pair, ${key})), 1), ${[...name].length + 1})`;
    return castCell(type.isNullable ? SQL`nullif(${value}, '')` : value, type, at);
  }
  if (name === '#text') return castCell(SQL`nullif(trim(${z}.t, ${BLANKS}), '')`, type, at);
  const named = SQL`list_filter(${z}.c, lambda part: json_extract_string(part, '$.n') = ${textLiteral(name)})`;
  if (type.kind === 'CollectionType') return elements(named, type.element, at);
  const many = place.call.raiseText(misfitText(at.path, type, SQL`concat(len(${named}), ' elements')`), type);
  return SQL`CASE WHEN len(${named}) > 1 THEN ${many} ELSE ${present(first(named, type, at), type, at)} END`;
}

/** A value that only a nullable type may lack. */
function present(value: Sql, type: Type, { path, call }: CellPlace): Sql {
  if (type.isNullable) return value;
  return SQL`coalesce(${value}, ${call.raiseText(misfitText(path, type, SQL`'nothing'`), type)})`;
}
