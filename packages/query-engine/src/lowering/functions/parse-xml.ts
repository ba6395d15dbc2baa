import type { RecordType, Type } from '@svc/query-language';

import { memberNames } from '../../representation/member-names.ts';
import { quoteIdentifier, quoteText } from '../../representation/sql-text.ts';
import type { CallContext, FunctionLowering } from '../lowering-types.ts';
import { bindOnce, transformIndexed } from '../scalars/bind-once.ts';
import { castCell, type CellPlace } from '../scalars/cast-cell.ts';
import { misfitText, usedIn, type ValuePath } from '../scalars/value-path.ts';
import { xmlRoot } from './xml-root.ts';

/** What the root of an XML text holds, as a type: the same that READ_XML gives of a file. */
export const parseXml: FunctionLowering = ([text], call) => {
  if (text === undefined) throw new Error('PARSE_XML needs a text.');
  return bindOnce([xmlRoot(text.sql, call)], (root) =>
    present(element(root, call.type, { call, path: [] }), call.type, { call, path: [] }),
  );
};

/** Of an element as `xmlRoot` writes it; it may be repeated. */
const CHILDREN = (node: string): string =>
  `list_filter(CAST(json_extract(${node}, '$.c[*]') AS JSON[]), lambda part: json_type(part) = 'OBJECT')`;
const TEXT = (node: string): string =>
  `array_to_string(list_transform(list_filter(CAST(json_extract(${node}, '$.c[*]') AS JSON[]), lambda part: json_type(part) = 'VARCHAR'), lambda part: json_extract_string(part, '$')), '')`;
const ATTRIBUTES = (node: string): string => `CAST(json_extract_string(${node}, '$.a[*]') AS VARCHAR[])`;
const BLANKS = `e' \\t\\n\\r'`;

/** NULL of an element that holds nothing. */
function element(node: string, type: Type, place: CellPlace): string {
  switch (type.kind) {
    case 'PrimitiveType':
      return bindOnce([TEXT(node)], (s) => castCell(`CASE WHEN trim(${s}, ${BLANKS}) <> '' THEN ${s} END`, type, place), [
        node,
        ...usedIn(place.path),
      ]);
    case 'CollectionType':
      return elements(CHILDREN(node), type.element, place);
    case 'RecordType':
      return record(node, type, place);
    case 'AnyType':
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`XML cannot hold a ${type.kind}.`);
    default:
      return type satisfies never;
  }
}

function elements(list: string, type: Type, place: CellPlace): string {
  return transformIndexed(
    list,
    (node, position) => {
      const at: CellPlace = { ...place, path: [...place.path, { kind: 'element', position }] };
      return present(element(node, type, at), type, at);
    },
    usedIn(place.path),
  );
}

function record(node: string, type: RecordType, place: CellPlace): string {
  const parts = `struct_pack(c := ${CHILDREN(node)}, a := ${ATTRIBUTES(node)}, s := nullif(trim(${TEXT(node)}, ${BLANKS}), ''))`;
  return bindOnce(
    [parts],
    (z) => {
      const names = memberNames(type.fields);
      const values = type.fields.map(
        (field, i) => `${quoteIdentifier(names[i] ?? '')} := ${member(z, field.name, { type: field.type, place })}`,
      );
      const packed = values.length === 0 ? 'TRUE' : `struct_pack(${values.join(', ')})`;
      return `CASE WHEN len(${z}.c) > 0 OR len(${z}.a) > 0 OR ${z}.s IS NOT NULL THEN ${packed} END`;
    },
    [node, ...usedIn(place.path)],
  );
}

/** An attribute, the text beside others, or the children of a name. */
function member(z: string, name: string, { type, place }: { readonly type: Type; readonly place: CellPlace }): string {
  const path: ValuePath = [...place.path, { kind: 'member', name }];
  const at: CellPlace = { ...place, path };
  if (name.startsWith('@')) {
    const key = quoteText(`${name.slice(1)}=`);
    const value = `substr(list_extract(list_filter(${z}.a, lambda pair: starts_with(pair, ${key})), 1), ${[...name].length + 1})`;
    const isNullable = type.isNullable;
    return castCell(isNullable ? `nullif(${value}, '')` : value, type, at);
  }
  if (name === '#text') return castCell(`${z}.s`, type, at);
  const named = `list_filter(${z}.c, lambda part: json_extract_string(part, '$.n') = ${quoteText(name)})`;
  if (type.kind === 'CollectionType') return elements(named, type.element, at);
  return bindOnce(
    [named],
    (list) => {
      const one = bindOnce([`list_extract(${list}, 1)`], (node) => `CASE WHEN ${node} IS NOT NULL THEN ${element(node, type, at)} END`, [
        list,
        ...usedIn(path),
      ]);
      const many = place.call.raiseText(misfitText(path, type, `concat(len(${list}), ' elements')`), type);
      return `CASE WHEN len(${list}) > 1 THEN ${many} ELSE ${present(one, type, at)} END`;
    },
    [z, ...usedIn(path)],
  );
}

/** A value that only a nullable type may lack. */
function present(
  value: string,
  type: Type,
  { path, call }: { readonly path: ValuePath; readonly call: Pick<CallContext, 'raiseText'> },
): string {
  if (type.kind === 'ErrorType' || type.isNullable) return value;
  return `coalesce(${value}, ${call.raiseText(misfitText(path, type, `'nothing'`), type)})`;
}
