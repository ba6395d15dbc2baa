import type { RecordType, Type } from '@svc/query-language';
import { assertNever } from '@svc/query-language';

import { memberNames } from '../../representation/member-names.ts';
import { quoteIdentifier, quoteText } from '../../representation/sql-text.ts';
import type { FunctionLowering } from '../lowering-types.ts';
import { castCell, type CellPlace } from '../scalars/cast-cell.ts';
import { transformIndexed, transformList } from '../scalars/let-expression.ts';
import { misfitText } from '../scalars/value-path.ts';
import { xmlRoot } from './xml-root.ts';

/** Parses the root of an XML text as a type: the same result as READ_XML of a file. */
export const parseXml: FunctionLowering = ([text], call) => {
  if (text === undefined) throw new Error('PARSE_XML needs a text.');
  const place: CellPlace = { call, path: [] };
  return present(first(`[${xmlRoot(text.sql, call)}]`, call.type, place), call.type, place);
};

const BLANKS = `e' \\t\\n\\r'`;

/** Decomposes elements written by `xmlRoot`: their child elements `c`, their attributes `a` as `name=value`, all direct text `t`. */
function takenApart(nodes: string): string {
  const parts = `CAST(json_extract(node, '$.c[*]') AS JSON[])`;
  const texts = `list_transform(list_filter(${parts}, lambda part: json_type(part) = 'VARCHAR'), lambda part: json_extract_string(part, '$'))`;
  const members = [
    `c := list_filter(${parts}, lambda part: json_type(part) = 'OBJECT')`,
    `a := CAST(json_extract_string(node, '$.a[*]') AS VARCHAR[])`,
    `t := array_to_string(${texts}, '')`,
  ];
  return `list_transform(${nodes}, lambda node: struct_pack(${members.join(', ')}))`;
}

/**
 * Returns the value of a list's only element; NULL if there is none. Planning takes the engine twice as long for each level
 * of lambdas.
 */
function first(nodes: string, type: Type, place: CellPlace): string {
  return `list_extract(${transformList(takenApart(nodes), (z) => element(z, type, place))}, 1)`;
}

function elements(nodes: string, type: Type, place: CellPlace): string {
  return transformIndexed(takenApart(nodes), (z, position) => {
    const at: CellPlace = { ...place, path: [...place.path, { kind: 'element', position }] };
    return present(element(z, type, at), type, at);
  });
}

/** NULL for an empty element. */
function element(z: string, type: Type, place: CellPlace): string {
  switch (type.kind) {
    case 'PrimitiveType':
      return castCell(`CASE WHEN trim(${z}.t, ${BLANKS}) <> '' THEN ${z}.t END`, type, place);
    case 'CollectionType':
      return elements(`${z}.c`, type.element, place);
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

function record(z: string, type: RecordType, place: CellPlace): string {
  const names = memberNames(type.fields);
  const values = type.fields.map(
    (field, i) => `${quoteIdentifier(names[i] ?? '')} := ${member(z, field.name, { type: field.type, place })}`,
  );
  const packed = values.length === 0 ? 'TRUE' : `struct_pack(${values.join(', ')})`;
  return `CASE WHEN len(${z}.c) > 0 OR len(${z}.a) > 0 OR trim(${z}.t, ${BLANKS}) <> '' THEN ${packed} END`;
}

/** Returns an attribute, the direct text, or the children with a name. */
function member(z: string, name: string, { type, place }: { readonly type: Type; readonly place: CellPlace }): string {
  const at: CellPlace = { ...place, path: [...place.path, { kind: 'member', name }] };
  if (name.startsWith('@')) {
    const key = quoteText(`${name.slice(1)}=`);
    const value = `substr(list_extract(list_filter(${z}.a, lambda pair: starts_with(pair, ${key})), 1), ${[...name].length + 1})`;
    return castCell(type.isNullable ? `nullif(${value}, '')` : value, type, at);
  }
  if (name === '#text') return castCell(`nullif(trim(${z}.t, ${BLANKS}), '')`, type, at);
  const named = `list_filter(${z}.c, lambda part: json_extract_string(part, '$.n') = ${quoteText(name)})`;
  if (type.kind === 'CollectionType') return elements(named, type.element, at);
  const many = place.call.raiseText(misfitText(at.path, type, `concat(len(${named}), ' elements')`), type);
  return `CASE WHEN len(${named}) > 1 THEN ${many} ELSE ${present(first(named, type, at), type, at)} END`;
}

/** A value that only a nullable type may lack. */
function present(value: string, type: Type, { path, call }: CellPlace): string {
  if (type.isNullable) return value;
  return `coalesce(${value}, ${call.raiseText(misfitText(path, type, `'nothing'`), type)})`;
}
